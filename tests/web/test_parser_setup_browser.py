"""The settings, stages, steps and accuracy of a parser in Chromium: on a desk and on a phone, with axe."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.service.core.installation import Installation
from docduck.service.parsers.lookup_tables import list_lookup_tables
from docduck.service.parsers.parsers import get_parser
from docduck.service.parsers.post_processing import get_post_processing
from docduck.service.reviews.review_stages import list_stages
from tests.browser import chromium
from tests.server.served import Api
from tests.service.core.documents import correct
from tests.web.browser import PASSWORD, member
from tests.web.pages import HOSTILE
from tests.web.test_pages_browser import SCREENS, Visit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
]


@SCREENS
def test_a_parser_is_set_up(lite: Api, screen: dict[str, Any]) -> None:
    inst: Installation = lite.inst
    member(inst, "ann", "member", password=PASSWORD)
    parser_id = lite.parser(f"Bills {HOSTILE}")
    slug = get_parser(inst, inst.team_id, parser_id).slug
    document = lite.upload(parser_id)
    lite.process(parser_id)
    correct(inst, inst.team_id, document, {"Number": "B-1"})
    with chromium() as browser:
        visit = Visit(browser, lite, **screen)
        page = visit.page
        visit.sign_in("ann@example.org")
        page.goto(f"/parsers/{slug}/settings")
        visit.check()
        page.get_by_label("How thoroughly documents are read").select_option("fast")
        page.get_by_role("link", name="Files with several documents").click()
        page.get_by_label("Split PDF files").check()
        page.get_by_role("button", name="Save the settings").click()
        page.get_by_text("splitDocuments.everyXPages: mode 'everyXPages' needs it").wait_for()
        assert "400" in visit.complaints.pop()  # the browser tells the status of the refused form
        page.get_by_label("Number of pages").fill("2")
        page.get_by_role("button", name="Save the settings").click()
        page.get_by_text("The settings are saved").wait_for()
        page.get_by_role("button", name="Create the upload page").click()
        page.locator("#upload-link").wait_for()
        visit.check()

        page.get_by_role("link", name="Review stages").first.click()
        page.locator("#name-new").fill("CFO")
        page.locator("#type-new").select_option("conditional")
        page.locator("form:has(#name-new) summary").first.click()
        page.locator("#field-new-1").select_option("Total")
        page.locator("#operator-new-1").select_option("greater_than")
        page.locator("#value-new-1").fill("5000")
        visit.check()
        page.get_by_role("button", name="Add the stage").click()
        page.locator("summary", has_text="1. CFO").click()
        page.get_by_text("Total greater than 5000").wait_for()
        visit.check()

        page.get_by_role("link", name="Post-processing").first.click()
        page.locator("#table-name").fill("vendors")
        csv = {"name": "vendors.csv", "mimeType": "text/csv", "buffer": b"name,account\nA-1,70\n"}
        page.get_by_label("CSV file").set_input_files(csv)
        page.get_by_role("button", name="Save the lookup table").click()
        page.get_by_text("The lookup table is saved").wait_for()
        page.locator("#field-new").select_option("Number")
        page.locator("#transform-new").select_option("lowercase")
        page.get_by_role("button", name="Add the transform").click()
        page.locator("summary", has_text="1.").click()
        page.get_by_role("button", name="Try", exact=True).click()
        page.locator("td strong", has_text="a-1").wait_for()
        visit.check()

        page.get_by_role("link", name="Accuracy").first.click()
        page.get_by_text("0.0 %").first.wait_for()
        visit.check()
        page.get_by_role("link", name="Fields").first.click()
        page.locator("summary", has_text="Line Items").click()
        page.locator("details[open] summary", has_text="More of Amount").click()
        visit.check()
    settings = get_parser(inst, inst.team_id, parser_id).settings
    assert settings["dataExtractionMode"] == "fast" and settings["splitDocuments"]["everyXPages"] == 2
    assert [one.name for one in list_stages(inst, inst.team_id, parser_id)] == ["CFO"]
    assert [one["transform"] for one in get_post_processing(inst, inst.team_id, parser_id)] == ["lowercase"]
    assert [one.columns for one in list_lookup_tables(inst, inst.team_id, parser_id)] == [["name", "account"]]
