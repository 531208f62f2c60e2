"""Files that need a password are read again with one, which is kept sealed."""

from __future__ import annotations

from typing import Any

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from sqlalchemy import text

from docduck.errors import InputError, NotFound
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.documents.reprocessing import reprocess, reprocess_document
from docduck.service.parsers.parsers import ParserView
from docduck.service.previews.page_views import count_pages, page_picture, page_words
from docduck.service.previews.thumbnails import thumbnail
from docduck.service.processing.processing import process_queue
from tests.documents.formats.files import lines_page, pdf
from tests.service.core.documents import make_parser, upload
from tests.service.sources.mails import paper, set_up

SECRET = "öffne dich 1234"
CLOSED = pdf(
    lines_page(("Number: A-1", "Total: 119.00")),
    lines_page(("Number: A-2", "Total: 10.00")),
    encrypt=StandardEncryption(SECRET, strength=128),
)


def closed(inst: Installation, **settings: Any) -> tuple[ParserView, str]:
    parser = make_parser(inst)
    set_up(inst, parser, **settings)
    document = upload(inst, inst.team_id, parser.slug, CLOSED, "statement.pdf")
    process_queue(inst)
    return parser, document


def view(inst: Installation, document: str) -> DocumentView:
    return get_document(inst, inst.team_id, document)


@pytest.mark.slow
def test_a_closed_pdf_is_read_again_with_its_password(any_inst: Installation) -> None:
    inst = any_inst
    parser, document = closed(inst)
    before = view(inst, document)
    assert (before.status, before.error) == ("failed", "File is password protected")
    assert before.needs_password
    assert before.status_reason == before.error
    with pytest.raises(NotFound):
        thumbnail(inst, document)
    reprocess_document(inst, inst.team_id, parser.id, document, password="wrong")
    process_queue(inst)
    refused = view(inst, document)
    assert (refused.status, refused.error) == ("failed", "The password does not open the file")
    assert refused.needs_password
    with pytest.raises(NotFound):
        page_picture(inst, inst.team_id, document, 1, 120)
    assert reprocess(inst, inst.team_id, [document], password=SECRET) == 1
    process_queue(inst)
    found = view(inst, document)
    assert (found.status, found.error, found.page_count) == ("processed", None, 2)
    assert found.data["Number"] == "A-1"
    assert not found.needs_password
    reprocess(inst, inst.team_id, [document])
    process_queue(inst)
    assert view(inst, document).data["Number"] == "A-1", "it is kept for later readings"
    assert count_pages(inst, inst.team_id, document) == 2
    assert page_picture(inst, inst.team_id, document, 1, 120)
    assert b"A-1" in page_words(inst, inst.team_id, document, 1)
    assert thumbnail(inst, document), "what couldn't be drawn before is drawn now"
    other = upload(inst, inst.team_id, parser.slug, CLOSED, "again.pdf")
    with pytest.raises(NotFound):
        page_picture(inst, inst.team_id, other, 1, 120)
    with inst.catalog.read_session() as session:
        rows = session.execute(text("SELECT * FROM documents")).mappings().all()
        events = session.execute(text("SELECT * FROM document_events")).mappings().all()
    told = repr([dict(row) for row in (*rows, *events)])
    assert SECRET not in told
    assert "v1:" in told, "it is sealed"
    assert SECRET not in repr(found)


@pytest.mark.slow
def test_the_parts_of_a_closed_pdf_need_no_password(inst: Installation) -> None:
    _, document = closed(inst, splitDocuments={"enabled": True, "mode": "everyXPages", "everyXPages": 1})
    reprocess(inst, inst.team_id, [document], password=SECRET)
    process_queue(inst)
    parts = view(inst, document).parts
    assert [view(inst, part).data["Number"] for part in parts] == ["A-1", "A-2"]


def test_a_password_has_1_to_127_bytes(inst: Installation) -> None:
    parser = make_parser(inst)
    document = upload(inst, inst.team_id, parser.slug, paper("A-1"), "a.txt")
    for password in ("", "ä" * 64):
        with pytest.raises(InputError, match="password must have 1 to 127 bytes"):
            reprocess(inst, inst.team_id, [document], password=password)
