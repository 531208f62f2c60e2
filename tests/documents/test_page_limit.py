"""Documents with more pages than the limit are refused, whatever their format."""

from __future__ import annotations

import io
from collections.abc import Callable

import openpyxl
import pptx
import pytest
from PIL import Image

from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.errors import TooManyPages
from tests.documents.formats.files import lines_page, pdf
from tests.documents.formats.office.files import saved, zipped
from tests.service.sources.mails import mail

QUOTED = "Third\n\nOn Mon, 4 Mar 2024, Bob wrote:\n> Second\n>\n> On Sun, 3 Mar 2024, Ann wrote:\n>> First\n"


def tiff() -> bytes:
    first, *others = (Image.new("RGB", (40, 40), color) for color in ("white", "black", "white"))
    buffer = io.BytesIO()
    first.save(buffer, "TIFF", save_all=True, append_images=others)
    return buffer.getvalue()


def workbook() -> bytes:
    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet(), book.create_sheet()):
        sheet.append(["Total", 5])
    return saved(book)


def slides() -> bytes:
    deck = pptx.Presentation()
    for _ in range(3):
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "Slide"
    return saved(deck)


PAPERS = [(f"{number}.pdf", pdf(lines_page())) for number in range(3)]
FILES: dict[str, Callable[[], bytes]] = {
    "pdf": lambda: pdf(*[lines_page()] * 3),
    "txt": lambda: b"one\x0ctwo\x0cthree",
    "html": lambda: b"<html><body>" + b"<p>word</p>" * 150 + b"</body></html>",
    "rtf": lambda: rb"{\rtf1 " + rb"word\par " * 150 + b"}",
    "tiff": tiff,
    "xlsx": workbook,
    "pptx": slides,
    "eml": lambda: mail(body=QUOTED),
    "zip": lambda: zipped(dict(PAPERS)),
}


@pytest.mark.parametrize("kind", FILES)
def test_too_many_pages_are_refused_unless_few_are_chosen(kind: str) -> None:
    data = FILES[kind]()
    count = read(data, f"a.{kind}", ReadOptions(ocr="none")).page_count
    assert count >= 3
    with pytest.raises(TooManyPages) as refused:
        read(data, f"a.{kind}", ReadOptions(ocr="none", max_pages=2))
    assert refused.value.message == (
        f"Document has {count} pages; at most 2 can be read (choose some with parsePages)"
    )
    some = read(data, f"a.{kind}", ReadOptions(ocr="none", max_pages=2, pages="1,last"))
    assert [page.number for page in some.pages] == [1, count]
    assert some.page_count == count
    assert read(data, f"a.{kind}", ReadOptions(ocr="none", max_pages=count)).page_count == count


def test_the_pages_of_merged_attachments_count() -> None:
    options = ReadOptions(ocr="none", max_pages=3, attachments="merged")
    with pytest.raises(TooManyPages, match="Document has 4 pages; at most 3"):
        read(mail(PAPERS), "a.eml", options)
