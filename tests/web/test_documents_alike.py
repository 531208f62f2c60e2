"""After a lesson: the documents that look alike, what would change in them, and reading them again."""

from __future__ import annotations

import pytest

from docduck.service.documents.queries.document_views import show_document
from docduck.service.documents.queries.listing import list_documents
from tests.browser import expect
from tests.server.served import Api
from tests.service.core.documents import correct
from tests.web.browsing import make_user, signed_in
from tests.web.pages import entered
from tests.web.test_document_page import invoice

JSON = {"Accept": "application/json"}


def prepare(api: Api) -> dict[str, str]:
    """Documents by name, of which two look alike, read before anything was learned."""
    parser_id = api.parser()
    ids = {
        "a.pdf": api.upload(parser_id, invoice("A-17"), name="a.pdf"),
        "b.pdf": api.upload(parser_id, invoice("B-4711"), name="b.pdf"),
        "other.txt": api.upload(
            parser_id, b"Dear neighbours, the summer party begins at noon\n", name="other.txt"
        ),
    }
    api.process(parser_id)
    return ids


def test_what_a_lesson_changes_in_documents_alike(api: Api) -> None:
    ids = prepare(api)
    parser_id, path = "invoices", f"/parsers/invoices/alike/{ids['a.pdf']}"
    with entered(api) as browser:
        assert "Nothing was learned from this document" in browser.get(path).text
        assert browser.get(f"{path}/{ids['b.pdf']}", headers=JSON).status_code == 404
        correct(api.inst, api.inst.team_id, ids["a.pdf"], {"Number": "A-17"})
        shown = browser.get(path).text
        assert f'value="{ids["b.pdf"]}"' in shown and f'value="{ids["other.txt"]}"' in shown
        assert f'value="{ids["a.pdf"]}"' not in shown
        assert path in browser.get("/parsers/invoices/lessons").text

        before = show_document(api.inst, api.inst.team_id, None, ids["b.pdf"])
        alike = browser.get(f"{path}/{ids['b.pdf']}", headers=JSON).json()
        assert alike == {"isAlike": True, "changes": [["Number", "", "B-4711"]], "leftOut": 0}
        other = browser.get(f"{path}/{ids['other.txt']}", headers=JSON).json()
        assert other == {"isAlike": False, "changes": [], "leftOut": 0}
        assert show_document(api.inst, api.inst.team_id, None, ids["b.pdf"]) == before

        foreign = api.upload(api.parser("Other"))
        assert browser.submit(path, document=[ids["b.pdf"], foreign]).status_code == 400
        assert browser.submit(path).status_code == 400
        assert browser.submit(path, document=ids["b.pdf"]).status_code == 303
    queued = list_documents(api.inst, api.inst.team_id, parser_id, status="queued")
    assert [one.name for one in queued.rows] == ["b.pdf"]
    api.process()
    again = show_document(api.inst, api.inst.team_id, None, ids["b.pdf"])
    assert again.data == {**before.data, "Number": "B-4711"}
    with entered(api, "admin") as browser:
        correct(api.inst, api.inst.team_id, ids["b.pdf"], {"Number": "B-4711"})
        correct(api.inst, api.inst.team_id, ids["other.txt"], {"Number": "1"})
        assert "there is nothing to read again" in browser.get(path).text


@pytest.mark.slow
@pytest.mark.browser
def test_from_a_correction_to_reading_again(lite: Api) -> None:
    make_user(lite.inst)
    ids = prepare(lite)
    with signed_in(lite, f"/documents/{ids['a.pdf']}") as (page, complaints):
        page.get_by_role("textbox", name="Number", exact=True).fill("A-17")
        page.keyboard.press("Control+s")
        page.get_by_role("link", name="See what changes in them").click()
        expect(page.locator("#alike-summary")).to_have_text(
            "2 of 2 looked at: 1 would change, 0 look alike and stay as they are, 1 are of another look"
        )
        expect(page.locator(".alike li")).to_have_count(1)
        expect(page.locator(".alike dd")).to_have_text("empty → B-4711")
        expect(page.get_by_role("checkbox", name="b.pdf")).to_be_checked()
        page.get_by_role("button", name="Read it again").click()
        expect(page.locator("#rows .status.queued")).to_have_count(1)
        assert complaints == []
