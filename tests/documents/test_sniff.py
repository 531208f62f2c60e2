from __future__ import annotations

import io
import zipfile

import pytest

from docduck.documents.sniff import content_type
from tests.documents.files import encoded, lines_page, pdf, picture


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
