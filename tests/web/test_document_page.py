"""A document's page in Chromium: values beside the pages, corrections, boxes, approving by keyboard."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from docduck.service.documents.queries.document_views import DocumentView, get_document
from docduck.service.reviews.stage_changes import create_stage
from tests.browser import expect
from tests.server.served import Api
from tests.web.browsing import make_user, signed_in

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
]

ROWS = (("Bolt", "10.00"), ("Nut", "2.50"), ("Screw", "4.00"))


def invoice(number: str = "A-17") -> bytes:
    """An invoice whose number stands beside a word that no field is called."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842))
    canvas.drawString(60, 780, "Acme Works Ltd")
    canvas.drawString(350, 780, f"Wibble {number}")
    canvas.drawString(350, 760, "Wobble Z-99")
    canvas.drawString(60, 700, "Description")
    canvas.drawString(350, 700, "Amount")
    for index, (text, amount) in enumerate(ROWS):
        canvas.drawString(60, 680 - 20 * index, text)
        canvas.drawString(350, 680 - 20 * index, amount)
    canvas.drawString(300, 560, "Total 16.50")
    canvas.save()
    return buffer.getvalue()


@pytest.fixture
def reviewed(lite: Api) -> tuple[str, list[str]]:
    """Ann, and two documents in review that are assigned to her."""
    ann = make_user(lite.inst)
    parser_id = lite.parser()
    create_stage(lite.inst, lite.inst.team_id, parser_id, {"name": "Check", "reviewer_id": ann})
    ids = [lite.upload(parser_id, invoice(number), name=f"{number}.pdf") for number in ("A-17", "B-4711")]
    lite.process(parser_id)
    return ann, ids


def view(api: Api, document_id: str) -> DocumentView:
    return get_document(api.inst, api.inst.team_id, document_id)


def field(page: Any, name: str) -> Any:
    return page.get_by_role("textbox", name=name, exact=True)


def test_a_value_is_corrected_by_a_box_and_the_document_approved_by_keyboard(
    lite: Api, reviewed: tuple[str, list[str]]
) -> None:
    ann, ids = reviewed
    with signed_in(lite, f"/documents/{ids[0]}", viewport={"width": 1400, "height": 900}) as (
        page,
        complaints,
    ):
        page.locator("#picture").evaluate("(picture) => picture.decode()")
        page.locator("#boxes button[title='Total']").click()
        assert page.evaluate("document.activeElement.value") == "16.5"
        assert page.locator("#boxes .current").get_attribute("title") == "Total"
        page.keyboard.press("Control+a")
        page.keyboard.type("much")
        page.keyboard.press("Control+s")
        page.locator("#message").get_by_text("'much' is no amount").wait_for()
        assert page.evaluate("document.activeElement.matches('[aria-invalid]')")
        assert view(lite, ids[0]).data["Total"] == 16.5
        complaints.clear()  # the browser's own word on the refused request

        field(page, "Number").focus()
        page.keyboard.press("Alt+b")
        area = page.locator("#boxes").bounding_box()
        left, top = area["x"] + area["width"] * 385 / 595, area["y"] + area["height"] * 50 / 842
        page.mouse.move(left, top)
        page.mouse.down()
        page.mouse.move(left + area["width"] * 0.1, top + area["height"] * 0.02)
        page.locator("#draw[aria-pressed=true]").wait_for()
        page.mouse.up()
        page.locator("#draw[aria-pressed=false]").wait_for()
        expect(field(page, "Number")).to_have_value("A-17")
        field(page, "Total").fill("17,50 €")
        page.keyboard.press("Control+Enter")
        page.get_by_text("The rows sum to 16.5, but the total reads 17.5").last.wait_for()
        page.keyboard.press("Enter")  # the safe answer has the focus
        page.get_by_role("dialog").wait_for(state="detached")
        page.keyboard.press("Control+Enter")
        page.get_by_role("button", name="Approve anyway").click()
        page.wait_for_url(f"**/documents/{ids[1]}")
        assert complaints == []
    found = view(lite, ids[0])
    assert found.status == "approved"
    assert (found.data["Number"], found.data["Total"]) == ("A-17", 17.5)
    entry = found.field_metadata["Number"]
    assert (entry["editedBy"], entry["page"], entry["rawText"]) == (ann, 1, "A-17")
    box = entry["locations"][0]["bbox"]
    assert box["left"] == pytest.approx(385 / 595, abs=0.01)


def test_what_is_learned_is_told_at_the_value_with_its_place_also_after_enter(
    lite: Api, reviewed: tuple[str, list[str]]
) -> None:
    _, (document, _) = reviewed
    with signed_in(lite, f"/documents/{document}") as (page, complaints):
        number = page.locator(".value", has=field(page, "Number"))
        field(page, "Number").fill("A-17")
        page.keyboard.press("Enter")
        expect(number.locator(".learned")).to_have_text(
            "Learned: on documents of this look it is read beside “Wibble”."
        )
        expect(number).to_have_attribute("data-places", re.compile("^1:0.6"))
        field(page, "Number").fill("A-18")
        page.keyboard.press("Enter")
        expect(number.locator(".learned")).to_have_text(re.compile("Not printed"))
        assert complaints == []
    assert view(lite, document).data["Number"] == "A-18"


def test_a_correction_tells_where_it_counts_and_all_values_are_confirmed_as_they_are(lite: Api) -> None:
    ann = make_user(lite.inst)
    parser_id = lite.parser()
    first, _ = (lite.upload(parser_id, invoice(number), name=f"{number}.pdf") for number in ("A-17", "B-1"))
    lite.process(parser_id)
    for number in ("C-1", "C-2"):
        lite.upload(parser_id, invoice(number), name=f"{number}.pdf")
    with signed_in(lite, f"/documents/{first}") as (page, complaints):
        message = page.locator("#message")
        field(page, "Number").fill("A-17")
        page.keyboard.press("Control+s")
        page.get_by_text("From now on this is learned for documents of this look").wait_for()
        told = message.inner_text()
        assert "these of Invoices" in told
        assert "2 waiting to be read and 1 read but not corrected or approved" in told
        page.reload()
        assert message.inner_text() == ""
        field(page, "Number").fill("A-18")
        page.get_by_role("button", name="All values are right").click()
        page.get_by_text("All values are confirmed").wait_for()
        assert complaints == []
    found = view(lite, first)
    assert found.data["Number"] == "A-18"
    (row, *_), total = found.field_metadata["Line Items"], found.field_metadata["Total"]
    assert {entry["editedBy"] for entry in (*row.values(), total)} == {ann}
    assert [entry.event for entry in found.history][-2:] == ["corrected", "confirmed"]
