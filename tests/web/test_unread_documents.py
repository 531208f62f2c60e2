"""Pages of documents that could not be read, or were skipped: what can be done with them."""

from __future__ import annotations

import re

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.parsers.parsers import ParserChanges, update_parser
from tests.browser import expect
from tests.documents.formats.files import lines_page, pdf
from tests.server.served import Api
from tests.service.sources.mails import mail, paper
from tests.web.browser import Browser
from tests.web.browsing import make_user, signed_in
from tests.web.test_document_page import field

BROKEN = b"%PDF-1.4 broken"
SECRET = "open sesame"
CLOSED = pdf(lines_page(("Number: A-1", "Total: 119.00")), encrypt=StandardEncryption(SECRET, strength=128))


def view(api: Api, document: str) -> DocumentView:
    return get_document(api.inst, api.inst.team_id, document)


def read(api: Api, parser_id: str, file: bytes, name: str) -> str:
    document = api.upload(parser_id, file, name=name)
    api.process(parser_id)
    return document


def test_a_file_that_needs_a_password_is_read_with_it(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()
    document = read(lite, parser_id, CLOSED, "statement.pdf")
    page = ann.get(f"/documents/{document}").text
    assert "File is password protected" in page and "There are no pages to show." in page
    original = ann.get(f"/documents/{document}/original")
    assert original.content == CLOSED
    assert original.headers["content-disposition"] == 'attachment; filename="statement.pdf"'
    assert "sandbox" in original.headers["content-security-policy"]
    for password, shown in (("wrong", "The password does not open the file"), (SECRET, "A-1")):
        answer = ann.submit(f"/documents/{document}/read-again", password=password)
        assert answer.status_code == 303
        lite.process(parser_id)
        page = ann.get(f"/documents/{document}").text
        assert shown in page and SECRET not in page
    assert view(lite, document).status == "processed" and "Password of the file" not in page


def test_a_skipped_mail_says_why_and_leads_to_what_came_of_it(lite: Api, ann: Browser) -> None:
    parser_id = lite.parser()
    changes = ParserChanges(settings={"emailParsing": {"parseEmailBody": False}})
    update_parser(lite.inst, lite.inst.team_id, parser_id, changes)
    first = read(lite, parser_id, mail([("one.txt", paper("A-1")), ("two.txt", paper("A-2"))]), "m.eml")
    lite.process(parser_id)
    document = str((view(lite, first).source_detail or {})["mail"])
    found = view(lite, document)
    assert found.status == "skipped" and found.status_reason and len(found.parts) == 2
    page = ann.get(f"/documents/{document}").text
    assert f"Skipped: {found.status_reason}" in page
    for other in found.parts:
        assert f'<a href="/documents/{other}">' in page
    assert re.search(r"2 more came of the same file", page)
    assert f'<a href="/documents/{document}">m.eml</a>' in ann.get(f"/documents/{first}").text


@pytest.mark.slow
@pytest.mark.browser
def test_a_document_that_could_not_be_read_is_filled_in_by_hand(lite: Api) -> None:
    make_user(lite.inst)
    document = read(lite, lite.parser(), BROKEN, "scan.pdf")
    with signed_in(lite, f"/documents/{document}") as (page, _):
        expect(page.get_by_text("There are no pages to show.")).to_be_visible()
        expect(page.get_by_text("can be filled in by hand")).to_be_visible()
        expect(field(page, "Number")).to_be_focused()
        page.keyboard.type("A-17")
        page.keyboard.press("Enter")
        expect(field(page, "Total")).to_be_focused()
        page.keyboard.type("1.234,50 €")
        page.keyboard.press("Enter")
        expect(page.locator("#save")).to_be_focused()
        assert view(lite, document).status == "failed"
        with page.expect_navigation():
            page.keyboard.press("Enter")
        expect(page.locator("#message")).to_contain_text("The values are filled in")
    found = view(lite, document)
    assert (found.status, found.data["Number"], found.data["Total"]) == ("processed", "A-17", 1234.5)
