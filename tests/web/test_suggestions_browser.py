"""Suggestions of a sample and the try-out in Chromium, with axe, on a desk and on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.service.parsers.parsers import get_parser
from tests.browser import chromium, expect
from tests.server.served import Api
from tests.web.browser import PASSWORD, member
from tests.web.browsing import wait_for_page
from tests.web.test_pages_browser import DESK, SCREENS, Visit
from tests.web.test_suggestions import bill, empty_parser

IS_IN_VIEW = (
    "(one) => one.getBoundingClientRect().top > 0 && one.getBoundingClientRect().bottom < innerHeight"
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.extended,
]


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
        sheet = page.locator("#sheet").bounding_box()
        assert table["width"] > 0.5 * sheet["width"]
        visit.check()
        page.get_by_role("textbox", name="Name of field Invoice Number").fill("Number")
        page.get_by_role("checkbox", name="Quantity").uncheck()
        assert page.get_by_role("checkbox", name="Quantity").evaluate(IS_IN_VIEW)
        page.get_by_role("button", name="Add the chosen fields").click()
        page.get_by_role("link", name="Try out").click()
        visit.check()
        page.get_by_role("button", name="Try", exact=True).click()
        page.locator("#boxes button").first.wait_for()
        page.get_by_role("textbox", name="Number").focus()
        page.locator("#boxes .current[title='Number']").wait_for()
        expect(page.get_by_role("textbox", name="Number")).to_have_value("A-17")
        page.get_by_role("gridcell", name="Bolt").wait_for()
        visit.check()
    fields = get_parser(lite.inst, lite.inst.team_id, parser_id).fields
    assert [field.name for field in fields] == ["Number", "Line Items"]
    assert [column.name for column in fields[1].columns] == ["Description", "Amount"]


def test_suggestions_are_accepted_without_scripts(lite: Api) -> None:
    member(lite.inst, "ann", "member", password=PASSWORD)
    parser_id = empty_parser(lite)
    document = lite.upload(parser_id, bill(), name="a.pdf")
    with chromium() as browser:
        visit = Visit(browser, lite, java_script_enabled=False, **DESK)
        visit.sign_in("ann@example.org")
        visit.page.goto(f"/parsers/bills/suggestions?document={document}")
        visit.page.get_by_role("checkbox", name="Line Items").uncheck()
        visit.page.get_by_role("button", name="Add the chosen fields").click()
        visit.page.get_by_role("heading", name="Bills").wait_for()
    assert [one.name for one in get_parser(lite.inst, lite.inst.team_id, parser_id).fields] == [
        "Invoice Number"
    ]
