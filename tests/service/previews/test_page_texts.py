"""The text of pages: in portions, found, and around values."""

from __future__ import annotations

import io
from io import BytesIO
from typing import Any

import openpyxl
import pytest
from reportlab.pdfgen.canvas import Canvas
from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.documents.document import Box
from docduck.errors import InputError, NotFound, Transient
from docduck.ids import new_id
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.previews import page_source
from docduck.service.previews import page_texts as module
from docduck.service.previews import surroundings as surroundings
from docduck.service.previews.page_search import find_text
from docduck.service.previews.page_source import view_page
from docduck.service.previews.page_texts import MOST_BYTES, PageTexts, page_texts
from docduck.service.previews.surroundings import MOST_CHARACTERS, Surroundings, text_around
from tests.service.core.documents import make_parser, upload

LONG = "\n".join(f"Line {number} of a long text, with some words" for number in range(3000)).encode()
MAIL = b"From: a@example.org\nTo: b@example.org\nSubject: Order 17\nContent-Type: text/plain\n\nFive bolts.\n"


class Reader:
    """Reads the pages of one document."""

    def __init__(self, inst: Installation, data: bytes, name: str) -> None:
        self.inst, self.parser = inst, make_parser(inst, name)
        self.document = upload(inst, inst.team_id, self.parser.id, data, name)

    def __call__(self, pages: str | None = None, offset: int = 0) -> PageTexts:
        return page_texts(self.inst, self.inst.team_id, self.parser.id, self.document, pages, offset)


def sheet() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["Item", "Amount"])
    book.active.append(["Bolt", 12.5])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_every_kind_of_file_has_text(inst: Installation) -> None:
    for data, name, text in (
        (b"Invoice A-17\nTotal 119.00\n", "a.txt", "Total 119.00"),
        (b"Item,Amount\nBolt,12.50\n", "a.csv", "| Bolt | 12.50 |"),
        (sheet(), "a.xlsx", "| Bolt | 12.5 |"),
        (MAIL, "a.eml", "Five bolts."),
        (b"<table><tr><td>Item<td>Price<tr><td>Bolt<td>12.50</table>", "a.html", "| Bolt | 12.50 |"),
    ):
        found = Reader(inst, data, name)()
        assert text in found.pages[0].text
        assert (found.page_count, found.next_page, found.next_offset) == (1, None, 0)


def test_a_long_document_is_read_in_portions(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Reader(inst, LONG, "a.txt")
    first = read()
    portions = [first]
    while (page := portions[-1].next_page) is not None:
        portions.append(read(f"{page}-", portions[-1].next_offset))
    assert len(portions) > 2
    for portion in portions:
        assert sum(len(page.text.encode()) for page in portion.pages) <= MOST_BYTES
    numbers = [page.page for portion in portions for page in portion.pages]
    assert numbers == list(range(1, first.page_count + 1))
    words = " ".join(page.text for portion in portions for page in portion.pages).split()
    assert words == LONG.decode().split()
    monkeypatch.setattr(page_source, "view_page", pytest.fail)
    assert read() == first


def test_a_long_page_is_read_in_portions(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Reader(inst, "Größe über alles\n".encode() * 30, "a.txt")
    whole = read().pages[0].text
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    text, portion = "", read()
    while portion.next_page is not None:
        assert portion.next_page == 1
        text += portion.pages[0].text
        portion = read("1", portion.next_offset)
    assert text + portion.pages[0].text == whole


def test_pages_are_selected(inst: Installation) -> None:
    read = Reader(inst, LONG, "a.txt")
    assert [page.page for page in read("2-3, 5").pages] == [2, 3, 5]
    last = read("last")
    assert [page.page for page in last.pages] == [last.page_count]
    with pytest.raises(InputError, match="No pages match '999'") as missing:
        read("999")
    assert missing.value.path == "pages"
    with pytest.raises(InputError, match="'x' is not a page") as wrong:
        read("x")
    assert wrong.value.path == "pages"


def test_reading_ends_after_some_time(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Reader(inst, LONG, "a.txt")
    read("1-2")
    monkeypatch.setattr(module, "_MOST_SECONDS", -1)
    portion = read("2-")
    assert ([page.page for page in portion.pages], portion.next_page) == ([2], 3)
    with pytest.raises(Transient, match="Page 3 can't be shown in 0 s"):
        read("3-")


def test_pages_before_one_that_cannot_be_read_are_returned(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Reader(inst, LONG, "a.txt")

    def without_third(inst: Installation, source: Any, task: Any, seconds: float) -> Any:
        if task.number == 3:
            raise NotFound("The page can't be shown: it is too slow", "documentId", source.document_id)
        return view_page(inst, source, task, seconds)

    monkeypatch.setattr(page_source, "view_page", without_third)
    portion = read()
    assert ([page.page for page in portion.pages], portion.next_page) == ([1, 2], 3)
    with pytest.raises(NotFound, match="too slow"):
        read("3-")


def test_what_cannot_be_read_is_not_found(inst: Installation) -> None:
    with pytest.raises(NotFound, match="can't be shown: "):
        Reader(inst, b"%PDF-1.7\nbroken", "a.pdf")()
    read = Reader(inst, b"Invoice", "a.txt")
    for team_id, parser_id, document_id in (
        (inst.team_id, read.parser.id, new_id()),
        (create_team(inst, "Other").id, read.parser.id, read.document),
    ):
        with pytest.raises(NotFound):
            page_texts(inst, team_id, parser_id, document_id)
    with pytest.raises(InputError, match="Parser ID mismatch"):
        page_texts(inst, inst.team_id, make_parser(inst, "Orders").id, read.document)


def printed(*texts: str) -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(600, 800))
    for text in texts:
        canvas.drawString(60, 720, text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def document(inst: Installation, *texts: str) -> str:
    document_id = upload(inst, inst.team_id, make_parser(inst).id, printed(*texts), "a.pdf")
    with inst.catalog.transaction() as session:
        session.execute(update(Document).where(Document.id == document_id).values(page_count=len(texts)))
    return document_id


def test_words_are_found_in_the_order_of_the_pages(inst: Installation) -> None:
    document_id = document(inst, "Invoice no 17 of Acme", "nothing", "ACME works, acme Works")
    found = find_text(inst, inst.team_id, document_id, " acme  WORKS", seconds=60)
    assert ([one.page for one in found.found], found.next_page) == ([3, 3], None)
    first, second = (one.box for one in found.found)
    assert first.left == pytest.approx(0.1, abs=0.01)
    assert second.left > first.right
    assert len(find_text(inst, inst.team_id, document_id, "acm", seconds=60).found) == 3, "parts of words"
    assert find_text(inst, inst.team_id, document_id, "no 17 o", seconds=60).found[0].page == 1
    assert find_text(inst, inst.team_id, document_id, " ").found == ()


def test_a_search_that_takes_long_goes_on_with_the_next_page(inst: Installation) -> None:
    document_id = document(inst, "alpha", "beta", "alpha")
    first = find_text(inst, inst.team_id, document_id, "alpha", seconds=0)
    assert ([one.page for one in first.found], first.next_page) == ([1], 2)
    second = find_text(inst, inst.team_id, document_id, "alpha", 2, seconds=0)
    assert ([one.page for one in second.found], second.next_page) == ([], 3)
    last = find_text(inst, inst.team_id, document_id, "alpha", 3, seconds=0)
    assert ([one.page for one in last.found], last.next_page) == ([3], None)


def test_a_document_of_another_team_is_not_searched(inst: Installation) -> None:
    with pytest.raises(NotFound):
        find_text(inst, new_id(), document(inst, "alpha"), "alpha")


LINES = [
    ("Order", Box(0.1, 0.10, 0.1, 0.02)),
    ("Invoice date", Box(0.6, 0.10, 0.2, 0.02)),
    ("Net", Box(0.1, 0.13, 0.1, 0.02)),
    ("2026-01-05", Box(0.6, 0.13, 0.2, 0.02)),
    ("Total", Box(0.1, 0.30, 0.1, 0.02)),
    ("119.00", Box(0.6, 0.30, 0.1, 0.02)),
]


def test_the_line_and_the_label_above_are_shown() -> None:
    shown = {value: text_around(LINES, LINES[value][1]) for value in (0, 3, 5)}
    assert shown == {0: "Order  Invoice date", 3: "Invoice date\nNet  2026-01-05", 5: "Total  119.00"}


def test_long_lines_are_cut_before_the_value() -> None:
    box = Box(0.1, 0.1, 0.5, 0.02)
    text = text_around([("x" * 300 + " Total 7", box), ("y" * 300, Box(0.7, 0.1, 0.2, 0.02))], box)
    assert len(text) == MOST_CHARACTERS
    assert text.endswith("x Total 7")
    below = Box(0.1, 0.13, 0.5, 0.02)
    assert text_around([("x" * 300, box)], below) == "x" * MOST_CHARACTERS


def test_pages_are_read_while_there_is_time(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    document = upload(inst, inst.team_id, make_parser(inst).id, b"Total: 119.00\n", "a.txt")
    where = [{"page": 1, "bbox": {"left": 0.1, "top": 0.0, "width": 0.5, "height": 1.0}}]
    assert Surroundings(inst, inst.team_id, 60).text(document, where) == "Total: 119.00"
    assert Surroundings(inst, inst.team_id, -1).text(document, where) is None
    assert Surroundings(inst, inst.team_id, 60).text(document, []) is None

    def busy(*_: Any) -> bytes:
        raise Transient("Others are served")

    monkeypatch.setattr(surroundings, "page_words", busy)
    assert Surroundings(inst, inst.team_id, 60).text(document, where) is None
