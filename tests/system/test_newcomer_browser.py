"""A newcomer in Chromium: from the printed link to a parser that has learned, and an export of its rows."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser import browsing
from tests.system.conftest import MakeDocduck
from tests.system.docduck import Docduck
from tests.waiting import wait_for
from tests.web.browser import PASSWORD
from tests.web.browsing import wait_for_page
from tests.web.test_document_page import invoice

PRODUCT = ("docduck.web", "docduck.service.corrections")

pytestmark = [
    pytest.mark.extended,
    pytest.mark.browser,
]

EMAIL = "ann@example.org"
NUMBER = (385 / 595, 50 / 842, 0.12, 0.02)
"""Where the invoices show their number: left, top, width and height, in parts of the page."""


def sign_in(page: Any, docduck: Docduck) -> None:
    """Create the first account by the printed link, leave, and come back."""
    found = re.search(r"/first-user/\w+", docduck.output)
    assert found is not None, docduck.output
    page.goto(found[0])
    page.get_by_label("E-mail address").fill(EMAIL)
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Choose a password").fill(PASSWORD)
    page.get_by_role("button", name="Create the account").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("E-mail address").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def make_parser(page: Any, sample: Path) -> None:
    """Make a parser whose total is found on the sample, and whose number nobody can guess."""
    page.get_by_role("link", name="Read documents of your own").click()
    page.get_by_label("Name").fill("Acme bills")
    page.get_by_label("Samples").set_input_files(sample)
    page.get_by_role("button", name="Create").click()
    page.get_by_role("heading", name="Found on the sample").wait_for()
    for suggestion in page.locator(".suggestion").all():
        suggestion.get_by_role("checkbox").first.set_checked("Total" in suggestion.inner_text())
    page.get_by_role("button", name="Add the chosen fields").click()
    page.locator("#name-new").fill("Number")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("link", name="Review stages").click()
    page.locator("#name-new").fill("Check")
    page.locator("#reviewer-new").select_option(label=f"Ann ({EMAIL})")
    page.get_by_role("button", name="Add the stage").click()


def upload(page: Any, file: Path) -> None:
    """Upload a file, and open its document once it waits for the review."""
    page.goto("/documents?parser=acme_bills")
    page.set_input_files("#upload-files", file)
    page.get_by_role("button", name="Upload").click()
    row = page.locator("#rows tr", has_text=file.name)
    row.locator(".status.in_review").wait_for(timeout=60_000)
    row.get_by_role("link", name=file.name).click()
    wait_for_page(page)


def number(page: Any) -> Any:
    return page.get_by_role("textbox", name="Number", exact=True)


def draw_number(page: Any) -> None:
    number(page).focus()
    page.get_by_role("button", name="Draw a box").click()
    area = page.locator("#boxes").bounding_box()
    left, top = area["x"] + area["width"] * NUMBER[0], area["y"] + area["height"] * NUMBER[1]
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(left + area["width"] * NUMBER[2], top + area["height"] * NUMBER[3])
    page.mouse.up()
    page.locator("#draw[aria-pressed=false]").wait_for()


def has_learned(page: Any, sample: Path) -> bool:
    """Whether the fields, as they are now, read the number of the sample."""
    page.goto("/parsers/acme_bills/try")
    page.get_by_label("Document").select_option(sample.name)
    page.get_by_role("button", name="Try", exact=True).click()
    return bool(number(page).input_value() == "A-17")


def approve(page: Any) -> None:
    """Approve the document; the page goes on to another one if one waits."""
    this = page.url
    with page.expect_navigation():
        page.get_by_role("button", name="Approve").click()
    page.goto(this)
    page.locator(".status.approved").wait_for()


def exported(page: Any) -> list[dict[str, str]]:
    page.goto("/parsers/acme_bills/exports")
    page.get_by_label("Format", exact=True).select_option("csv")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    with Path(download.value.path()).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_newcomer_teaches_a_parser_and_exports_its_rows(make_docduck: MakeDocduck, tmp_path: Path) -> None:
    docduck = make_docduck()
    docduck.start("--samples")
    sample, second, third = (tmp_path / f"{number}.pdf" for number in ("A-17", "B-4711", "C-9"))
    for file in (sample, second, third):
        file.write_bytes(invoice(file.stem))
    viewport = {"width": 1400, "height": 900}
    with browsing(base_url=docduck.api_address, viewport=viewport) as (page, complaints):
        sign_in(page, docduck)
        wait_for(lambda: page.goto("/") and page.get_by_text("Rechnung RE-2024-0815.pdf").count(), 60)
        make_parser(page, sample)

        upload(page, second)
        assert number(page).input_value() == ""
        assert page.get_by_role("textbox", name="Total").input_value() == "16.5"
        draw_number(page)
        assert number(page).input_value() == "B-4711"
        approve(page)

        wait_for(lambda: has_learned(page, sample), 60)
        upload(page, third)
        assert number(page).input_value() == "C-9"
        approve(page)

        rows = {row["Number"]: row["Total"] for row in exported(page)}
        assert {"B-4711", "C-9"} <= rows.keys()
        assert rows["B-4711"] == rows["C-9"] == "16.5"
        assert complaints == []
    docduck.stop()
