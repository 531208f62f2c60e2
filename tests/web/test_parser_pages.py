"""Parsers in Chromium: from a sample to rows, and changes of fields."""

from __future__ import annotations

from pathlib import Path

import pytest

from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.parsers.parsers import get_parser
from tests.server.served import Api
from tests.web.browsing import make_user, signed_in
from tests.web.test_document_page import invoice

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
]


def test_a_parser_is_made_from_a_sample(lite: Api, tmp_path: Path) -> None:
    make_user(lite.inst)
    sample = tmp_path / "sample.pdf"
    sample.write_bytes(invoice())
    with signed_in(lite, "/parsers") as (page, complaints):
        page.get_by_role("link", name="New parser").click()
        page.get_by_label("Name").fill("Acme bills")
        page.get_by_label("Samples").set_input_files(sample)
        page.get_by_role("button", name="Create").click()
        page.get_by_role("heading", name="Found on the sample").wait_for()
        page.locator("#boxes button[title='Total']").click()
        assert (
            page.evaluate("document.activeElement.closest('li').querySelector('strong').innerText") == "Total"
        )
        page.keyboard.press("Space")
        page.locator("#boxes button.declined[title='Total']").wait_for()
        page.keyboard.press("Space")
        page.get_by_role("button", name="Add the chosen fields").click()
        page.get_by_role("heading", name="Acme bills").wait_for()
        assert complaints == []
    parser = get_parser(lite.inst, lite.inst.team_id, "acme_bills")
    assert "Total" in {field.name for field in parser.fields}
    lite.process(parser.id)
    (row,) = list_documents(lite.inst, lite.inst.team_id, parser.id).rows
    assert get_document(lite.inst, lite.inst.team_id, row.id).data["Total"] == 16.5


def test_fields_are_added_changed_moved_and_deleted(lite: Api) -> None:
    make_user(lite.inst)
    parser_id = lite.parser()
    with signed_in(lite, "/parsers/invoices/fields") as (page, complaints):
        add = page.locator("form[action='/parsers/invoices/fields']")
        add.get_by_label("Name", exact=True).fill("Kind")
        add.get_by_label("Type", exact=True).select_option("choice")
        add.locator("#options-new").fill("A\nB\n")
        add.get_by_role("button", name="Add").click()
        page.locator("summary", has_text="Kind").click()
        kind = page.locator("details[open]")
        kind.get_by_label("Required").first.check()
        kind.get_by_role("button", name="Save").click()
        page.locator("summary", has_text="required").wait_for()
        page.locator("summary", has_text="Kind").click()
        page.locator("details[open]").get_by_role("button", name="Move up").click()
        page.locator("summary", has_text="Number").click()
        page.locator("details[open]").get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        assert "Number" in [
            field.name for field in get_parser(lite.inst, lite.inst.team_id, parser_id).fields
        ]
        page.locator("details[open]").get_by_role("button", name="Delete").click()
        page.get_by_role("dialog", name="Delete this field?").get_by_role("button", name="Delete").click()
        page.locator("summary", has_text="Line Items").click()
        page.locator("details[open] [placeholder='New column']").first.fill("Quantity")
        page.locator("details[open]").get_by_role("button", name="Save").click()
        page.locator("summary", has_text="Line Items").wait_for()
        assert complaints == []
    fields = get_parser(lite.inst, lite.inst.team_id, parser_id).fields
    assert [field.name for field in fields] == ["Total", "Kind", "Line Items"]
    assert (fields[1].options, fields[1].required) == (("A", "B"), True)
    assert [column.name for column in fields[2].columns] == ["Description", "Amount", "Quantity"]
