"""What axe finds on the pages of documents, while somebody works: on a desk, a phone, and dark."""

from __future__ import annotations

import re
from typing import Any

import pytest

from docduck.service.documents.bin.binning import bin_documents
from docduck.service.documents.queries.document_views import get_document
from docduck.service.folders.folder_changes import create_folder
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.reviews.stage_changes import create_stage
from tests.browser import chromium
from tests.server.served import Api
from tests.web.browser import PASSWORD, member
from tests.web.browsing import signed_in
from tests.web.test_document_page import invoice
from tests.web.test_pages_browser import SCREENS, Visit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.extended,
]


MANY = ("/review/batch", "/review/values", "/add-documents")
"""Pages on which many documents are added or reviewed."""


def prepare(api: Api) -> str:
    """Two documents in review, one that could not be read, one that waits; gives the first's id."""
    ann = member(api.inst, "ann", "owner", password=PASSWORD)
    parser_id = api.parser()
    stage: Any = {"name": "Check", "reviewer_id": ann, "reviewer_instructions": "Compare the total"}
    create_stage(api.inst, api.inst.team_id, parser_id, stage)
    create_folder(api.inst, api.inst.team_id, parser_id, {"name": "Later"})
    first = api.upload(parser_id, invoice(), name="first.pdf")
    api.upload(parser_id, invoice("B-4711"), name="second.pdf")
    api.upload(parser_id, b"%PDF-1.7\n", name="broken.pdf")
    api.process(parser_id)
    api.upload(parser_id, invoice("C-3"), name="third.pdf")
    sync_warehouse(api.inst)
    api.inst.warehouse.publish(force=True)
    return first


@SCREENS
def test_pages_of_documents(lite: Api, screen: dict[str, Any]) -> None:
    first = prepare(lite)
    with chromium() as browser:
        ann = Visit(browser, lite, **screen)
        ann.sign_in("ann@example.org")
        for path in (
            "/",
            "/documents",
            "/documents?parser=invoices",
            "/documents?q=nothing",
            "/review",
            *MANY,
        ):
            ann.page.goto(path)
            ann.check()
        ann.page.goto("/documents?parser=invoices&thumbnails=yes&sort=name.asc")
        ann.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        ann.page.get_by_label("Number", exact=True).check()
        ann.page.get_by_label("Choose first.pdf").check()
        ann.page.keyboard.press("j")
        ann.check()
        ann.page.locator("button[value=delete]").click()
        ann.page.get_by_role("dialog").wait_for()
        ann.check()
        ann.page.keyboard.press("Escape")
        bin_documents(lite.inst, lite.inst.team_id, [lite.upload(lite.parser("Old"))], "user")
        ann.page.goto("/bin")
        ann.check()
        ann.page.goto("/query")
        ann.page.get_by_label("SQL").fill("SELECT name, 1 AS n FROM invoices.documents")
        ann.page.get_by_role("button", name="Run").click()
        ann.page.locator("svg.chart").wait_for()
        ann.check()

        ann.page.goto(f"/documents/{first}")
        ann.page.wait_for_function("document.querySelector('#picture')?.naturalWidth")
        ann.check()
        ann.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        ann.check()
        ann.page.locator("table.grid tbody td").first.click()
        ann.check()
        ann.page.keyboard.press("Enter")
        ann.check()
        ann.page.keyboard.type("Washer")
        ann.page.keyboard.press("Tab")
        ann.page.keyboard.press("Alt+b")
        ann.check()
        ann.page.keyboard.press("Escape")
        ann.page.get_by_role("textbox", name="Total", exact=True).fill("much")
        ann.page.keyboard.press("Control+s")
        ann.page.locator("#message").get_by_text("'much' is no amount").wait_for()
        ann.complaints.clear()  # the browser's own word on the refused request
        ann.check()
        ann.page.get_by_role("textbox", name="Total", exact=True).fill("17.50")
        ann.page.keyboard.press("Control+s")
        ann.page.get_by_text("From now on this is learned").wait_for()
        ann.check()


def heard(page: Any) -> tuple[str, str, str]:
    """What a screen reader tells of the element with the focus: its role, name and description."""
    browser = page.context.new_cdp_session(page)
    element = browser.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
    wanted = {"objectId": element["objectId"], "fetchRelatives": False}
    node = browser.send("Accessibility.getPartialAXTree", wanted)["nodes"][0]
    role, name, description = (node.get(key, {}).get("value", "") for key in ("role", "name", "description"))
    return role, name, description


def test_each_value_to_look_at_tells_what_it_is_and_how_sure(lite: Api) -> None:
    first = prepare(lite)
    parser_id = str(get_document(lite.inst, lite.inst.team_id, first).parser_id)
    update_parser(lite.inst, lite.inst.team_id, parser_id, ParserChanges(settings={"unsureBelow": 1}))
    with signed_in(lite, f"/documents/{first}") as (page, _):
        told = []
        for _ in range(page.locator("[data-look]").count()):
            told.append(heard(page))
            page.keyboard.press("Enter")
        assert [role for role, _, _ in told] == 6 * ["gridcell"] + ["textbox"]
        assert [name for _, name, _ in told] == ["Bolt", "10", "Nut", "2.5", "Screw", "4", "Total"]
        assert all(re.fullmatch(r"\d+ %", description) for _, _, description in told)
        page.wait_for_url(lambda url: first not in url)
        # The page is read in this order: its name, the values, what can be done with them.
        page.goto(f"/documents/{first}")
        parts = page.locator("main").aria_snapshot()
        order = (
            'region "Pages"',
            'heading "first.pdf"',
            'textbox "Total"',
            'grid "Line Items"',
            'button "Keys"',
        )
        places = [parts.index(part) for part in order]
        assert places == sorted(places)
