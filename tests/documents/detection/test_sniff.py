from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from docduck.documents.detection.sniff import content_type, stream_type
from tests.documents.formats.files import encoded, lines_page, pdf, picture
from tests.documents.formats.mail.outlook_files import attachment, message, ole_file
from tests.documents.formats.office.files import (
    enlarged,
    invoice_docx,
    invoice_pptx,
    invoice_xls,
    invoice_xlsx,
    odf_table,
    open_document,
    zipped,
)

_OFFICE = "application/vnd.openxmlformats-officedocument"
_NOISE = random.Random(1).randbytes(200_000)
_ROWS = "".join(f"<row><cell>{number}</cell></row>" for number in range(5000))
_LINES = "".join(f"{number};{number * 7};bolt\n" for number in range(8000))
_LETTER = "".join(f"Line {number} of a letter.\n" for number in range(4000))

LARGE = {
    "a.docx": (enlarged(invoice_docx(), "word/media/image1.png"), f"{_OFFICE}.wordprocessingml.document"),
    "a.pptx": (enlarged(invoice_pptx(), "ppt/media/image1.png"), f"{_OFFICE}.presentationml.presentation"),
    "a.xlsx": (enlarged(invoice_xlsx(), "xl/media/image1.png"), f"{_OFFICE}.spreadsheetml.sheet"),
    "a.odt": (
        enlarged(open_document("text", "<text:p>Invoice</text:p>"), "Pictures/1.png"),
        "application/vnd.oasis.opendocument.text",
    ),
    "a.ods": (
        enlarged(open_document("spreadsheet", odf_table(("a", "b"))), "Pictures/1.png"),
        "application/vnd.oasis.opendocument.spreadsheet",
    ),
    "a.xls": (ole_file({"\x05Notes": _NOISE, "Workbook": invoice_xls()}), "application/vnd.ms-excel"),
    "a.msg": (
        ole_file(message({0x0037: "Offer"}, file0=attachment("a.bin", _NOISE))),
        "application/vnd.ms-outlook",
    ),
    "a.zip": (zipped({"a.bin": _NOISE, "b.txt": b"hello"}), "application/zip"),
    "a.xml": (f"<invoice><rows>{_ROWS}</rows></invoice>\n".encode(), "application/xml"),
    "a.csv": (_LINES.encode(), "text/csv"),
    "lines": (_LINES.replace(";", "\t").encode(), "text/tab-separated-values"),
    "a.txt": (_LETTER.encode("utf-16-le"), "text/plain"),
}
"""Files of more than 64 KiB by name, and what they are."""


@pytest.mark.parametrize(
    ("kind", "mime"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("TIFF", "image/tiff"),
        ("BMP", "image/bmp"),
        ("GIF", "image/gif"),
        ("WEBP", "image/webp"),
    ],
)
def test_pictures(kind: str, mime: str) -> None:
    assert content_type(encoded(picture(size=(60, 40)), kind), "x.pdf") == mime


def test_pdf_even_with_bytes_before_its_header() -> None:
    data = pdf(lines_page())
    assert content_type(data, "letter.txt") == "application/pdf"
    assert content_type(b"\n\n" + data) == "application/pdf"
    assert content_type(b"\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n" + data) == "application/pdf"


def _with_comment(kind: str) -> bytes:
    """Return a picture whose first kilobyte names the header of a PDF."""
    data = encoded(picture(size=(4, 4)), kind)
    mark = b"%PDF-1.7\n1 0 obj"
    match kind:
        case "PNG":
            chunk = b"tEXtComment\0" + mark
            return (
                data[:33]
                + struct.pack(">I", len(chunk) - 4)
                + chunk
                + struct.pack(">I", zlib.crc32(chunk))
                + data[33:]
            )
        case "JPEG":
            return data[:2] + b"\xff\xfe" + struct.pack(">H", len(mark) + 2) + mark + data[2:]
        case _:
            return data + mark


_STORED = io.BytesIO()
with zipfile.ZipFile(_STORED, "w", zipfile.ZIP_STORED) as archive:
    archive.writestr("one.pdf", pdf(lines_page()))
    archive.writestr("two.pdf", pdf(lines_page()))


@pytest.mark.parametrize(
    ("data", "name", "mime"),
    [
        *(
            (_with_comment(kind), f"a.{kind}", f"image/{kind.lower()}")
            for kind in ("PNG", "JPEG", "TIFF", "BMP", "GIF", "WEBP")
        ),
        (_STORED.getvalue(), "stored.zip", "application/zip"),
        (b"{\\rtf1 Our file begins with %PDF-1.7\n1 0 obj}", "a.rtf", "application/rtf"),
        (
            b"From: a@example.org\nTo: b@example.org\nSubject: PDF\n\nIt begins with %PDF-1.4, 1 0 obj\n",
            "a.eml",
            "message/rfc822",
        ),
        (b"A PDF begins with %PDF-1.7, then come its objects.\n", "a.txt", "text/plain"),
        (b"<html><body>%PDF-1.7</body></html>", "a.html", "text/html"),
        (b"<?xml version='1.0'?><invoice>%PDF-1.7</invoice>", "a.xml", "application/xml"),
        (b"name;header\na.pdf;%PDF-1.7\nb.pdf;%PDF-1.4\n", "a.csv", "text/csv"),
    ],
)  # fmt: skip
def test_a_pdf_named_within_another_file_does_not_make_a_pdf(data: bytes, name: str, mime: str) -> None:
    assert b"%PDF-" in data[:1024]
    assert content_type(data, name) == mime


@pytest.mark.parametrize(
    ("name", "mime"),
    [
        ("a.md", "text/markdown"),
        ("a.CSV", "text/csv"),
        ("a.txt", "text/plain"),
        ("a", "text/plain"),
        ("a.pdf", "text/plain"),
    ],
)
def test_the_name_tells_flavours_of_text(name: str, mime: str) -> None:
    assert content_type("Größe;Preis\n1;2\n".encode("cp1252"), name) == mime


def test_text_that_begins_like_a_bitmap() -> None:
    assert content_type(b"BMW dealership, Munich\nInvoice 12\n") == "text/plain"


def test_wide_text() -> None:
    assert content_type("Invoice 12".encode("utf-16-le")) == "text/plain"


def test_containers_are_named_but_not_taken_for_text() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "hello")
    assert content_type(buffer.getvalue(), "a.txt") == "application/zip"


def test_unknown_bytes() -> None:
    assert content_type(bytes(range(256)) * 4, "a.txt") == "application/octet-stream"
    assert content_type(b"", "a.txt") == "application/octet-stream"


@pytest.mark.parametrize("name", LARGE)
def test_large_files_are_told_by_all_of_them(name: str, tmp_path: Path) -> None:
    data, kind = LARGE[name]
    assert len(data) > 100_000 or kind.startswith("text/")
    path = tmp_path / "file"
    path.write_bytes(data)
    with path.open("rb") as stream:
        assert stream_type(stream, name) == kind
    assert content_type(data, name) == kind


def test_a_spreadsheet_with_a_text_inside_is_a_spreadsheet() -> None:
    inside = {"MBD0001": {"WordDocument": b"text" * 2000, "CompObj": b"x"}}
    assert content_type(ole_file({"Workbook": _NOISE, **inside})) == "application/vnd.ms-excel"
    assert (
        content_type(ole_file({"WordDocument": _NOISE, "Pool": {"Workbook": b"1"}})) == "application/msword"
    )


def test_an_attached_mail_does_not_make_a_mail() -> None:
    inside = {"_1": {"__properties_version1.0": b"x"}}
    assert content_type(ole_file({"WordDocument": _NOISE, "Pool": inside})) == "application/msword"


def test_an_office_file_under_a_password_is_told_by_its_name() -> None:
    locked = ole_file({"EncryptedPackage": _NOISE, "EncryptionInfo": b"x"})
    assert content_type(locked, "a.docx").endswith("wordprocessingml.document")
    assert content_type(locked, "a").endswith("spreadsheetml.sheet")


@pytest.mark.parametrize("cut", [30, 513, 600, 5000, 70_000])
def test_an_ole_file_that_is_cut_off_is_still_one(cut: int) -> None:
    data, _ = LARGE["a.xls"]
    assert content_type(data[:cut]) in ("application/x-ole-storage", "application/vnd.ms-excel")


@pytest.mark.parametrize("offset", range(24, 560, 4))
def test_an_ole_file_that_lies_costs_nothing(offset: int) -> None:
    data = bytearray(LARGE["a.xls"][0])
    for number in (0, 1, 0xFFFFFFFF, 0x7FFFFFFF):
        struct.pack_into("<I", data, offset, number)
        assert content_type(bytes(data)).startswith("application/")


def test_a_zip_of_a_huge_directory_is_not_held_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(1200):
            archive.writestr(f"{number:04}{'x' * 2000}", b"")
        archive.writestr("[Content_Types].xml", b"")
        archive.writestr("word/document.xml", b"")
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert content_type(buffer.getvalue()) == "application/zip"
