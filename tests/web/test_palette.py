"""The command palette: what it finds, and going there by keys."""

from __future__ import annotations

import pytest

from docduck.service.accounts.accounts import create_team
from tests.server.served import Api
from tests.web.browser import Browser, member
from tests.web.browsing import make_user, signed_in
from tests.web.pages import entered
from tests.web.test_document_page import invoice


def labels(browser: Browser, words: str) -> list[str]:
    return [place["label"] for place in browser.get("/palette", params={"q": words}).json()["places"]]


def test_it_finds_pages_of_parsers_and_documents(lite: Api) -> None:
    parser_id = lite.parser()
    lite.upload(parser_id, invoice(), name="Acme 17.pdf")
    with entered(lite) as ann:
        assert labels(ann, "") == ["Invoices: Documents"]
        assert labels(ann, "inv sett") == ["Invoices: Settings"]
        assert labels(ann, "settings invoices") == labels(ann, "settings") == ["Invoices: Settings"]
        assert labels(ann, "acme") == ["Acme 17.pdf"]
        assert labels(ann, "nothing") == []
        found = ann.get("/palette", params={"q": "invoices fields"}).json()["places"]
        assert [ann.get(place["path"]).status_code for place in found] == [200]


def test_it_finds_what_the_user_may_see(lite: Api) -> None:
    lite.upload(lite.parser(), invoice(), name="Acme 17.pdf")
    other = create_team(lite.inst, "Others").id
    with entered(lite, "reviewer") as rey, Browser(lite.address) as oli:
        oli.enter(lite.inst, member(lite.inst, "oli", "owner", other))
        assert (labels(rey, "acme"), labels(oli, "acme")) == (["Acme 17.pdf"], [])
        assert labels(rey, "inv") == labels(oli, "inv") == []


@pytest.mark.slow
@pytest.mark.browser
def test_keys_lead_to_pages_and_documents(lite: Api) -> None:
    parser_id = lite.parser()
    document_id = lite.upload(parser_id, invoice(), name="Acme 17.pdf")
    make_user(lite.inst, "Ann", "owner")
    with signed_in(lite) as (page, complaints):
        page.keyboard.press("Control+k")
        page.keyboard.type("api ke")
        page.keyboard.press("Enter")
        page.wait_for_url("**/team/keys")
        page.keyboard.press("Control+k")
        page.keyboard.type("acme")
        page.get_by_role("option", name="Acme 17.pdf").wait_for()
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/documents/{document_id}")
        page.goto("/profile")
        assert page.locator("nav[aria-label=Main] [aria-current]").inner_text() == "Profile"
        page.locator("[data-count=documents]").first.wait_for()
        assert page.locator(".side [data-count=documents]").inner_text() == "1"
        assert not complaints
