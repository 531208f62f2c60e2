"""Finding text on the pages of a document."""

from __future__ import annotations

from io import BytesIO

import pytest
from reportlab.pdfgen.canvas import Canvas
from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.errors import NotFound
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.previews.page_search import find_text
from tests.service.core.documents import make_parser, upload


def pages(*texts: str) -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(600, 800))
    for text in texts:
        canvas.drawString(60, 720, text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def document(inst: Installation, *texts: str) -> str:
    document_id = upload(inst, inst.team_id, make_parser(inst).id, pages(*texts), "a.pdf")
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
