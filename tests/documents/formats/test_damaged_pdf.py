"""PDFs after foreign bytes, or without their end."""

from __future__ import annotations

import zlib

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

from docduck.documents.detection.sniff import content_type
from docduck.documents.formats.pdf.handles import INCOMPLETE
from docduck.documents.formats.pdf.object_scan import packed_objects
from docduck.documents.reader import draw, read
from docduck.errors import DamagedFile
from tests.documents.formats.files import LETTER, lines_page, pdf
from tests.documents.formats.rawpdf import HELLO

PAPER = pdf(lines_page(), lines_page(("second page",)))


@pytest.mark.parametrize(
    "junk", [b"x" * 1100, b"HTTP/1.1 200 OK\r\n" * 300, b"\0\xff\1" * 900, b"<p>\n" * 30_000]
)
def test_a_pdf_after_foreign_bytes_is_a_pdf(junk: bytes) -> None:
    data = junk + PAPER
    assert content_type(data, "a.txt") == "application/pdf"
    document = read(data, "a.txt")
    assert document.text.startswith("\n".join(LETTER))
    assert document.warnings == []
    assert draw(data, "a.txt", 2, 200).width == 200


def test_what_only_ends_like_a_pdf_is_a_damaged_one() -> None:
    lost = PAPER[PAPER.index(b"xref") :]
    assert content_type(lost, "a.pdf") == "application/pdf"
    with pytest.raises(DamagedFile):
        read(lost, "a.pdf")


def test_a_text_about_pdfs_stays_a_text() -> None:
    text = (
        b"About files.\n" * 200 + b"A file begins with %PDF-1.7 and then\n1 0 obj\n<< >>\nendobj\n comes.\n"
    )
    assert content_type(text, "a.txt") == "text/plain"


@pytest.mark.parametrize("mark", [b"xref\n", b"trailer", b"startxref"])
def test_a_pdf_that_ends_early_is_read_as_far_as_it_goes(mark: bytes) -> None:
    document = read(PAPER[: PAPER.rindex(mark)], "a.pdf")
    assert document.page_count == 2
    assert document.text == "\n\f\n".join(["\n".join(LETTER), "second page"])


def test_it_says_so() -> None:
    cut = PAPER[: PAPER.rindex(b"xref\n", 0, PAPER.rindex(b"trailer"))]
    assert read(cut, "a.pdf").warnings == [INCOMPLETE]
    assert INCOMPLETE not in read(PAPER, "a.pdf").warnings


def packed_pdf() -> bytes:
    """A PDF whose catalog and pages are in an object stream, without its end."""
    objects = (
        (1, b"<< /Type /Catalog /Pages 2 0 R >>"),
        (2, b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
        (
            3,
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>",
        ),
        (5, b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
    )
    index, body = b"", b""
    for number, content in objects:
        index += b"%d %d " % (number, len(body))
        body += content + b"\n"
    packed = zlib.compress(index + body)
    head = b"<< /Type /ObjStm /N %d /First %d /Length %d /Filter /FlateDecode >>" % (
        len(objects),
        len(index),
        len(packed),
    )
    return b"%%PDF-1.7\n6 0 obj\n%s\nstream\n%s\nendstream\nendobj\n" % (
        head,
        packed,
    ) + b"4 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (len(HELLO), HELLO)


def test_packed_objects_are_found_as_well() -> None:
    assert read(packed_pdf(), "a.pdf").text == "Hello world"


def test_without_a_catalog_the_tree_of_pages_is_enough() -> None:
    pages = pdf(lines_page(("one",)), lines_page(("two",)))
    lost = pages.replace(b"/Type /Catalog", b"/Type /Catalgo")
    document = read(lost[: lost.rindex(b"xref\n", 0, lost.rindex(b"trailer"))], "a.pdf")
    assert document.text == "one\n\f\ntwo"


def test_hostile_object_streams_are_bounded() -> None:
    index = b"1 0 2 900 " * 1000
    content = zlib.compress(index + b" " * 1000)
    head = b"6 0 obj << /Type /ObjStm /First %d >>\nstream\n" % len(index)
    assert sum(len(text) for _, text in packed_objects(head + content)) <= 1000
    bomb = zlib.compress(b"1 0 " + bytes(100_000_000))
    found = packed_objects(b"6 0 obj << /Type /ObjStm /First 4 >>\nstream\n" + bomb)
    assert list(found) == []


def test_an_encrypted_pdf_without_its_end_is_damaged() -> None:
    closed = pdf(lines_page(), encrypt=StandardEncryption("secret"))
    with pytest.raises(DamagedFile):
        read(closed[: closed.rindex(b"xref\n", 0, closed.rindex(b"trailer"))], "a.pdf")
