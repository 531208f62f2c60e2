"""Files that hold nothing: damaged packages fail, documents without text say so."""

from __future__ import annotations

import io
import random

import docx
import openpyxl
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import NOTHING_READABLE, read
from docduck.errors import DamagedFile
from tests.documents.formats.files import encoded, lines_page, pdf
from tests.documents.formats.office.files import open_document, saved, zipped
from tests.service.sources.mails import mail

RUBBISH = random.Random(5).randbytes(3000)
TYPES = "[Content_Types].xml"


@pytest.mark.parametrize("suffix", ["docx", "docm", "pptx", "xlsx", "xlsm", "odt", "ods"])
@pytest.mark.parametrize(
    "parts",
    [
        {"rubbish.bin": RUBBISH},
        {"rubbish.txt": b"This is no office file"},
        {TYPES: b"<Types/>"},
        {TYPES: RUBBISH, "word/document.xml": RUBBISH, "xl/workbook.xml": RUBBISH},
        {"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": RUBBISH},
        {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"},
        {"mimetype": RUBBISH, "content.xml": RUBBISH},
    ],
)
def test_an_office_file_that_is_none_is_damaged(suffix: str, parts: dict[str, bytes]) -> None:
    with pytest.raises(DamagedFile):
        read(zipped(parts), f"report.{suffix}")


def test_an_archive_is_no_office_file() -> None:
    assert read(zipped({"a.txt": b"fine"}), "a.zip").content_type == "application/zip"
    assert read(zipped({"a.txt": b"fine"}), "a").content_type == "application/zip"


def blank_picture(kind: str) -> bytes:
    return encoded(Image.new("RGB", (600, 800), "white"), kind)


def scan(canvas: Canvas) -> None:
    canvas.drawInlineImage(Image.new("RGB", (60, 80), "white"), 0, 0, 595, 842)


EMPTY: dict[str, bytes] = {
    "a.pdf": pdf(lines_page(())),
    "scan.pdf": pdf(scan, scan),
    "a.png": blank_picture("PNG"),
    "a.tiff": blank_picture("TIFF"),
    "a.docx": saved(docx.Document()),
    "a.xlsx": saved(openpyxl.Workbook()),
    "a.odt": open_document("text", ""),
    "b.odt": zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": b"<other/>"}),
    "a.rtf": rb"{\rtf1 }",
    "a.html": b"<html><body> </body></html>",
    "a.txt": b"  \n\n \x0c ",
    "a.csv": b",,,\n,,,\n",
    "a.md": b"\n\n",
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_document_without_text_says_so(name: str) -> None:
    document = read(EMPTY[name], name)
    assert document.page_count >= 1
    assert document.warnings == [NOTHING_READABLE]
    # Pictures were not read, so they may hold text.
    assert read(EMPTY[name], name, ReadOptions(ocr="none")).warnings == []


def test_whatever_can_be_read_counts(subtests: pytest.Subtests) -> None:
    for name, data in {
        "one word.txt": b"word",
        "headers only.eml": mail(body=""),
        "second page.pdf": pdf(lines_page(()), lines_page(("word",))),
    }.items():
        with subtests.test(name):
            assert read(data, name).warnings == []


def test_an_empty_attachment_is_named() -> None:
    data = mail([("empty.txt", b" "), ("full.txt", b"word")])
    document = read(data, "a.eml", ReadOptions(attachments="merged"))
    assert document.warnings == [f"empty.txt: {NOTHING_READABLE}"]


def test_pages_that_hold_nothing_are_told_when_they_are_chosen() -> None:
    data = pdf(lines_page(()), lines_page(("word",)))
    assert read(data, "a.pdf", ReadOptions(pages="1")).warnings == [NOTHING_READABLE]


def test_data_inside_a_blank_page_counts() -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.acroForm.textfield(name="total", value="12.50", x=50, y=700)
    canvas.showPage()
    canvas.save()
    assert read(buffer.getvalue(), "a.pdf").warnings == []
