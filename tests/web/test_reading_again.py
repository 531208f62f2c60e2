"""The pages by which documents are read again, and reading them is cancelled."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.queries.document_views import show_document
from tests.server.served import Api
from tests.web.browser import Browser
from tests.web.pages import form_of


@pytest.mark.parametrize(
    ("page", "action"),
    [
        ("/documents/{document}", "/documents/{document}/read-again"),
        ("/documents", "/documents"),
        ("/parsers/invoices/fields?changed=true", "/parsers/invoices/fields/all/read-again"),
    ],
)
def test_corrected_values_stay_unless_they_are_to_be_discarded(
    lite: Api, ann: Browser, page: str, action: str
) -> None:
    parser_id = lite.parser()
    document = lite.upload(parser_id, b"Number: A-1\n")
    lite.process(parser_id)
    set_values(lite.inst, lite.inst.team_id, parser_id, document, {"Number": "B-2"})
    page, action = page.format(document=document), action.format(document=document)
    for discard, number in ([], "B-2"), (["yes"], "A-1"):
        form = form_of(ann.get(page), action)
        assert "discard_corrections" not in form, "it is not chosen at first"
        if action == "/documents":
            form |= {"document": [document], "action": ["read-again"]}
        assert ann.post(action, data={**form, "discard_corrections": discard}).status_code == 303
        lite.process(parser_id)
        found = show_document(lite.inst, lite.inst.team_id, parser_id, document)
        assert found.data["Number"] == number


def test_a_document_that_waits_shows_its_progress_and_can_be_cancelled(lite: Api, ann: Browser) -> None:
    document = lite.upload(lite.parser(), b"Number: A-1\n")
    with lite.inst.catalog.transaction() as session:
        pages = update(Document).where(Document.id == document).values(pages_read=3, pages_to_read=40)
        session.execute(pages)
    cancel = f"/documents/{document}/cancel"
    page = ann.get(f"/documents/{document}")
    assert "3 of 40 pages read" in page.text and "waiting for a run to start" in page.text
    assert ann.post(cancel, data=form_of(page, cancel)).status_code == 303
    after = ann.get(f"/documents/{document}").text
    assert "Cancelled" in after and cancel not in after and "pages read" not in after
