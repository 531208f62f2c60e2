"""A long document that is read in pieces is the same as in one go."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from PIL import Image, ImageDraw
from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.renderPDF import draw
from reportlab.graphics.shapes import Drawing
from reportlab.pdfgen.canvas import Canvas

from docduck.documents.document import Document
from docduck.documents.pieces import PIECE_PAGES, joined, pack, unpack
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read, read_piece
from docduck.errors import NoPagesMatch
from tests.documents.formats.einvoice.samples import with_attachments

PAGES = 2 * PIECE_PAGES + 3


def report(pages: int = PAGES) -> bytes:
    """A report with codes and form fields on its pages, and an attached file."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(595, 842), invariant=1)
    for number in range(1, pages + 1):
        canvas.drawString(72, 800, "Yearly report")
        for row in range(10):
            canvas.drawString(72, 700 - 20 * row, f"Item {number}-{row}")
            canvas.drawRightString(400, 700 - 20 * row, f"{number}.{row}0")
        canvas.drawString(280, 30, f"Page {number} of {pages}")
        canvas.acroForm.textfield(name=f"field {number}", value=f"{number}", x=72, y=400, width=80, height=20)
        if number in (1, pages):
            code = QrCodeWidget(f"code {number}")
            code.barWidth = code.barHeight = 100
            drawing = Drawing(100, 100)
            drawing.add(code)
            draw(drawing, canvas, 400, 500)
        canvas.showPage()
    canvas.save()
    return with_attachments(target.getvalue(), {"more.txt": b"more"})


def scan(pages: int = PIECE_PAGES + 2) -> bytes:
    """Pictures of a word each."""
    pictures = []
    for number in range(1, pages + 1):
        picture = Image.new("L", (400, 150), "white")
        ImageDraw.Draw(picture).text((30, 40), f"Page {number}", fill="black", font_size=40)
        pictures.append(picture)
    with io.BytesIO() as target:
        pictures[0].save(
            target, "TIFF", save_all=True, append_images=pictures[1:], compression="tiff_deflate"
        )
        return target.getvalue()


def by_pieces(data: bytes, options: ReadOptions) -> tuple[Document, list[str]]:
    """Return the document from pieces that went through bytes, and their pages."""
    asked: list[str] = []

    def pieces(expressions: Sequence[str]) -> Iterable[Document]:
        asked.extend(expressions)
        packed = b"".join(pack(read_piece(data, "", replace(options, pages=one))) for one in expressions)
        return unpack(packed)

    return read(data, "", options, pieces), asked


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(report(PIECE_PAGES + 3), id="report"),
        pytest.param(scan(), id="scan", marks=pytest.mark.extended),
    ],
)
@pytest.mark.parametrize("pages", [None, "2-"])
def test_a_document_in_pieces_is_the_same_as_at_once(data: bytes, pages: str | None) -> None:
    options = ReadOptions(barcodes="all", pages=pages)
    whole = read(data, "", options)
    found, asked = by_pieces(data, options)
    assert len(asked) >= 2
    assert found.text == whole.text
    assert [vars_of(page) for page in found.pages] == [vars_of(page) for page in whole.pages]
    assert list(found.form) == list(whole.form)
    assert found.attachments == whole.attachments
    assert (found.page_count, found.warnings) == (whole.page_count, whole.warnings)


def vars_of(page: object) -> list[object]:
    return [
        list(value) if isinstance(value, (list, tuple)) else value
        for value in (getattr(page, name) for name in page.__slots__)  # type: ignore[attr-defined]
    ]


def test_the_pages_are_those_of_the_file() -> None:
    found, asked = by_pieces(report(), ReadOptions())
    assert asked[1] == "9,10,11,12,13,14,15,16"
    assert [page.number for page in found.pages] == list(range(1, PAGES + 1))
    assert len(found.form) == PAGES
    assert [one.name for one in found.attachments] == ["more.txt"]


def test_a_short_document_is_not_divided() -> None:
    found, asked = by_pieces(report(PIECE_PAGES), ReadOptions())
    assert asked == []
    assert len(found.pages) == PIECE_PAGES
    with pytest.raises(NoPagesMatch):
        by_pieces(report(PIECE_PAGES), ReadOptions(pages="100-"))


def test_all_pieces_together_have_so_many_words() -> None:
    whole = read(report(), "", ReadOptions(max_words=300))
    words = sum(len(line.words) for page in whole.pages for line in page.lines)
    assert words == 300
    assert any("Only the first" in one for one in whole.warnings)
    assert joined([1], [read(report(1))], 3).text == "Yearly report\nItem"
