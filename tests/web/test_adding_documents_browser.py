"""Files that are dropped on any page, in Chromium: where they go, and how far their reading is."""

from __future__ import annotations

from pathlib import Path

import pytest

from docduck.service.classifiers.classifiers import create_classifier
from docduck.service.documents.queries.listing import list_documents
from tests.browser import expect
from tests.server.served import Api
from tests.web.browsing import make_user, signed_in
from tests.web.test_document_page import invoice
from tests.web.test_inbox import drop

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
]


def test_files_are_dropped_on_any_page(lite: Api, tmp_path: Path) -> None:
    make_user(lite.inst)
    parser_id = lite.parser()
    lite.parser("Other")
    rules = {"rules": [{"label": "Bill", "targetParserId": parser_id}]}
    mail = create_classifier(lite.inst, lite.inst.team_id, {"name": "Mail", "routing": rules})
    (tmp_path / "a.pdf").write_bytes(invoice())
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 broken")
    with signed_in(lite, "/usage") as (page, complaints):
        panel = page.get_by_role("dialog")
        where = panel.get_by_label("Where they go")
        drop(page, tmp_path / "a.pdf", tmp_path / "b.pdf")
        expect(where).to_be_focused()
        where.select_option("Decide for me")
        drop(page, tmp_path / "a.pdf")
        expect(panel.get_by_role("heading", name="Add a.pdf")).to_be_visible()
        panel.get_by_role("button", name="Close").click()
        expect(panel).to_have_count(0)
        drop(page, tmp_path / "b.pdf")
        expect(where).to_be_focused()
        panel.get_by_role("button", name="Close").click()

        page.goto("/parsers/invoices/settings")
        drop(page, tmp_path / "a.pdf", tmp_path / "b.pdf")
        expect(where.locator("option:checked")).to_have_text("Invoices")
        panel.get_by_role("button", name="Upload").press("Enter")
        expect(panel.get_by_text("0 of 2 read")).to_be_visible()
        expect(panel.get_by_role("link", name="Invoices")).to_have_attribute(
            "href", "/documents?parser=invoices"
        )
        expect(page).to_have_title("(2) Invoices: Settings · docduck")
        assert "icon_reading" in page.locator("link[rel=icon]").get_attribute("href")
        page.goto("/usage")
        expect(panel.get_by_text("0 of 2 read")).to_be_visible()
        page.goto("/documents?parser=invoices")
        card = page.get_by_role("region", name="Progress of reading")
        expect(card.get_by_text("0 of 2 read")).to_be_visible()
        expect(panel).to_have_count(0)
        lite.process(parser_id)
        expect(card.get_by_text("2 of 2 read")).to_be_visible()
        expect(page).to_have_title("Documents · docduck")
        card.get_by_text("1 could not be read").click()
        expect(card.get_by_role("listitem")).to_contain_text("b.pdf: File is damaged")
        expect(page.locator("#rows .status")).to_have_count(2)

        page.goto("/parsers/invoices/try")
        page.evaluate("scroll(0, 0)")
        form = page.locator("form[data-drop]").bounding_box()
        drop(page, tmp_path / "a.pdf", at=(form["x"] + 20, form["y"] + 15))
        expect(page.get_by_role("heading", name="What is read from a.pdf")).to_be_visible()
        page.locator("#sample").select_option("a.pdf")
        page.get_by_role("button", name="Try", exact=True).click()
        page.locator("#picture").wait_for()
        page.wait_for_load_state("networkidle")
        page.goto(f"/classifiers/{mail.id}/documents")
        page.wait_for_load_state()  # with the script that sends files
        page.get_by_label("Add documents to be routed").set_input_files(tmp_path / "a.pdf")
        page.get_by_role("button", name="Upload").click()
        page.get_by_text("1 uploaded").wait_for()
        assert complaints == []
    assert list_documents(lite.inst, lite.inst.team_id).total == 3
