"""The try-out of a parser's fields on a document."""

from __future__ import annotations

from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.field_editing import add_field
from tests.server.served import Api
from tests.web.browser import Browser, form_token
from tests.web.pages import HOSTILE
from tests.web.test_document_page import invoice


def test_the_fields_as_they_are_now_are_read_and_nothing_is_stored(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()
    document = lite.upload(parser_id, invoice(), name=f"{HOSTILE}.pdf")
    lite.process(parser_id)
    before = get_document(lite.inst, lite.inst.team_id, document)
    add_field(lite.inst, lite.inst.team_id, parser_id, {"name": "Shape", "labels": ["Wibble"]})
    chosen = ann.get("/parsers/invoices/try", params={"document": document})
    assert f'<option value="{document}" selected>' in chosen.text
    tried = ann.submit("/parsers/invoices/try", document=document)
    assert tried.status_code == 200
    assert 'value="A-17"' in tried.text and ">Bolt</td>" in tried.text
    assert 'data-places="1:0.' in tried.text
    assert f"/documents/{document}/pages/1/picture" in tried.text
    assert "<script>alert" not in tried.text and "<img src=x" not in tried.text
    after = get_document(lite.inst, lite.inst.team_id, document)
    assert after.data == {**before.data, "Shape": None}
    assert after.updated_at == before.updated_at


def test_a_file_from_disk_is_read_and_not_stored(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser(acceptedFileTypes=["application/pdf"])
    path = "/parsers/invoices/try/file"
    page = ann.get("/parsers/invoices/try")
    assert "There are no documents to try" in page.text
    token = {"form_token": form_token(page)}
    tried = ann.post(path, data=token, files={"file": (f"{HOSTILE}.pdf", invoice())})
    assert tried.status_code == 200
    assert 'value="16.5"' in tried.text and ">Bolt</td>" in tried.text
    assert "<script>alert" not in tried.text and "/pages/1/picture" not in tried.text
    for content, told in (
        (b"%PDF-1.7 broken", "This file can&#39;t be read"),
        (b"Number: 1", "Unsupported file"),
    ):
        refused = ann.post(path, data=token, files={"file": ("a.pdf", content)})
        assert refused.status_code in (400, 415) and told in refused.text
    assert ann.post(path, data=token, files={"other": ("", b"")}).status_code == 400
    assert list_documents(lite.inst, lite.inst.team_id, parser_id).total == 0
    kept = [
        one for one in lite.inst.settings.home.rglob("*") if one.is_file() and one.read_bytes() == invoice()
    ]
    assert kept == []


def test_what_can_not_be_tried_is_told(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()
    broken = lite.upload(parser_id, b"%PDF-1.7 broken", name="a.pdf")
    other = lite.upload(lite.parser("Other"), b"Number: 1\n")
    for document, told in (
        (broken, "This document can&#39;t be read"),
        (other, "Parser ID mismatch"),
        ("", "Choose a document"),
    ):
        refused = ann.submit("/parsers/invoices/try", document=document)
        assert refused.status_code == 400 and told in refused.text
    assert ann.submit("/parsers/invoices/try", document="nothing").status_code == 404
