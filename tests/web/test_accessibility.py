"""What axe finds on pages, also while somebody works: on a desk, on a phone and in the dark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.invitations import invite
from docduck.service.accounts.permissions import ROLES
from docduck.service.documents.bin.binning import bin_documents
from docduck.service.documents.queries.document_views import get_document
from docduck.service.folders.folder_changes import create_folder
from docduck.service.parsers.lookup_tables import put_lookup_table
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.parsers.post_processing import set_post_processing
from docduck.service.reviews.stage_changes import create_stage
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import inbox
from docduck.service.webhooks.webhook_changes import create_webhook
from tests.browser import chromium, expect
from tests.server.served import Api
from tests.service.classifiers.classifiers_world import make_classifier, unrouted
from tests.service.core.documents import correct
from tests.service.sources.intake_world import drop
from tests.web.browser import PASSWORD, member
from tests.web.browsing import signed_in, wait_for_page
from tests.web.pages import HOSTILE
from tests.web.test_document_page import invoice
from tests.web.test_suggestions import bill, empty_parser
from tests.web.visits import SCREENS, Visit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.extended,
]


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
    return first


def prepare_more(api: Api, first: str) -> Sequence[str]:
    """What else pages show; gives their addresses."""
    team = (api.inst, api.inst.team_id)
    of_parser = (*team, "invoices")
    rules = [{"field": "Total", "condition": "extracted_value", "operator": ">", "value": 5000}]
    create_stage(*of_parser, {"name": "CFO", "review_type": "conditional", "rules": rules})
    put_lookup_table(*of_parser, "vendors", b"name,account\nA-1,70\n")
    set_post_processing(*of_parser, [{"type": "transform", "field": "Number", "transform": "lowercase"}])
    webhook = create_webhook(*of_parser, {"url": "https://example.org/"})[0].id
    correct(*team, first, {"Number": "A-17"})
    bin_documents(*team, [api.upload(api.parser("Old"))], "user")
    classifier, _ = make_classifier(api.inst, "Bill", HOSTILE)
    skipped = unrouted(api.inst, classifier, HOSTILE * 3)
    with api.inst.catalog.transaction() as session:
        status = {"status": "skipped", "routing_status": "skipped"}
        session.execute(update(Document).where(Document.id.in_(skipped)).values(**status))
    for name in ("a.txt", f"{'long-' * 40}.txt", "b.exe"):
        drop(api.inst.settings.inbox / "invoices", name, name.encode())
    ingest(api.inst, inbox(api.inst))
    tabs = ("fields", "settings", "folders", "review-stages", "post-processing", "accuracy", "lessons")
    more = ("exports", "exports/layouts/new", "webhooks", f"webhooks/{webhook}")
    of_classifier = ("documents?status=undecided", "rules", "examples", "settings")
    return [
        *("/", "/documents", "/documents?parser=invoices", "/documents?q=nothing", "/bin"),
        *("/review", "/review/batch", "/review/values", "/add-documents"),
        *("/team", "/team/members", "/team/keys", "/team/audit", "/team/connections"),
        *("/profile", "/profile/connections", "/forgot-password"),
        *("/parsers", "/parsers/new", *(f"/parsers/invoices/{tab}" for tab in (*tabs, *more))),
        *("/classifiers", "/classifiers/new"),
        *(f"/classifiers/{classifier.id}/{tab}" for tab in of_classifier),
        *("/sources", "/sources/ledger?source=inbox", "/usage", "/help", "/help/settings"),
    ]


@SCREENS
@pytest.mark.parametrize("part", range(3))
def test_pages(lite: Api, screen: dict[str, Any], part: int) -> None:
    paths = prepare_more(lite, prepare(lite))
    with chromium() as browser:
        visit = Visit(browser, lite, **screen)
        visit.sign_in("ann@example.org")
        for path in paths[part::3]:
            visit.page.goto(path)
            visit.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            visit.check()


@SCREENS
def test_signing_in_and_out(lite: Api, screen: dict[str, Any]) -> None:
    boss = member(lite.inst, "boss", "owner", password=PASSWORD)
    by = TeamUser(lite.inst.team_id, boss, ROLES["owner"], None, boss, "owner")
    with chromium() as browser:
        visit = Visit(browser, lite, **screen)
        page = visit.page
        page.goto(f"/invitations/{invite(lite.inst, by, 'bob@example.org', 'reviewer').token}")
        visit.check()
        page.goto("/")
        visit.check()
        visit.sign_in("boss@example.org")
        page.goto("/team/keys")
        page.get_by_label("Name", exact=True).fill("reader")
        page.get_by_role("button", name="Create the key").click()
        page.locator("#new-key").wait_for()
        visit.check()
        page.goto("/")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        visit.show_navigation()
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


@SCREENS
def test_fields_are_accepted_beside_the_sample_and_tried(lite: Api, screen: dict[str, Any]) -> None:
    member(lite.inst, "ann", "member", password=PASSWORD)
    parser_id = empty_parser(lite)
    document = lite.upload(parser_id, bill(), name="a.pdf")
    with chromium() as browser:
        visit = Visit(browser, lite, **screen)
        page = visit.page
        visit.sign_in("ann@example.org")
        page.goto(f"/parsers/bills/suggestions?document={document}")
        wait_for_page(page)
        page.get_by_role("textbox", name="Name of field Line Items").focus()
        table = page.locator("#boxes .current[title='Line Items']").bounding_box()
        assert table["width"] > 0.5 * page.locator("#sheet").bounding_box()["width"]
        visit.check()
        page.get_by_role("checkbox", name="Quantity").uncheck()
        expect(page.get_by_role("checkbox", name="Quantity")).to_be_in_viewport()
        page.get_by_role("button", name="Add the chosen fields").click()
        page.get_by_role("link", name="Try out").click()
        visit.check()
        page.get_by_role("button", name="Try", exact=True).click()
        page.locator("#boxes button").first.wait_for()
        page.get_by_role("textbox", name="Invoice Number").focus()
        page.locator("#boxes .current[title='Invoice Number']").wait_for()
        page.get_by_role("gridcell", name="Bolt").wait_for()
        visit.check()


@SCREENS
def test_documents_while_somebody_works(lite: Api, screen: dict[str, Any]) -> None:
    first = prepare(lite)
    with chromium() as browser:
        ann = Visit(browser, lite, **screen)
        ann.sign_in("ann@example.org")
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
