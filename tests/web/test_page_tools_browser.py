"""The tools of a document's pages in Chromium: picking words, boxes, columns, turning and finding."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from docduck.service.documents.queries.document_views import get_document
from tests.browser import expect
from tests.server.served import Api
from tests.web.browsing import make_user, signed_in, wait_for_page
from tests.web.test_document_page import ROWS, field, invoice

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
]

DESK: dict[str, Any] = {"viewport": {"width": 1400, "height": 1000}}
NUMBER = (400, 783)  # where words are on the page of invoice(), in points
WOBBLE = (365, 763)
Z_99 = (410, 763)


def pages(*texts: str) -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842))
    for text in texts:
        canvas.drawString(60, 780, text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def point(page: Any, at: tuple[float, float]) -> tuple[float, float]:
    """A point of the page, in points from its lower left, as one of the view that is not turned."""
    area = page.locator("#boxes").bounding_box()
    return area["x"] + area["width"] * at[0] / 595, area["y"] + area["height"] * (1 - at[1] / 842)


def click(page: Any, at: tuple[float, float], *keys: str) -> None:
    for key in keys:
        page.keyboard.down(key)
    page.mouse.click(*point(page, at))
    for key in keys:
        page.keyboard.up(key)


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*point(page, start))
    page.mouse.down()
    page.mouse.move(*point(page, end), steps=4)
    page.mouse.up()


def test_values_are_taken_from_words_and_boxes_of_the_page(lite: Api) -> None:
    make_user(lite.inst)
    parser_id = lite.parser()
    document_id = lite.upload(parser_id, invoice(), name="a.pdf")
    lite.process(parser_id)
    with signed_in(lite, f"/documents/{document_id}", **DESK) as (page, complaints):
        wait_for_page(page)
        number = field(page, "Number")
        number.focus()
        click(page, NUMBER)
        expect(number).to_have_value("A-17")
        click(page, WOBBLE, "Shift")
        expect(number).to_have_value("A-17 Wobble")
        click(page, Z_99, "Shift")
        expect(number).to_have_value("A-17 Wobble Z-99")
        current = page.locator("#boxes button.current")
        assert current.count() == 2  # words beside each other are one box

        # The second box is moved away by keys and back, made smaller by its handle, and removed.
        current.nth(1).focus()
        page.keyboard.press("Shift+ArrowLeft")
        before = current.nth(1).bounding_box()
        corner = before["x"] + before["width"], before["y"] + before["height"]
        page.mouse.move(*corner)
        page.mouse.down()
        page.wait_for_timeout(800)  # the boxes are drawn anew for what the key did
        page.mouse.move(corner[0] - before["width"] * 0.5, corner[1], steps=4)
        page.mouse.up()
        expect(number).to_have_value("A-17 Wobble")
        page.keyboard.press("Control+z")
        expect(number).to_have_value("A-17 Wobble Z-99")
        assert current.nth(1).bounding_box()["width"] == pytest.approx(before["width"], abs=3)
        current.nth(1).focus()
        page.keyboard.press("Delete")
        expect(number).to_have_value("A-17")
        click(page, Z_99, "Shift")
        expect(number).to_have_value("A-17 Z-99")

        # Words are selected by dragging, also in the turned view.
        total = field(page, "Total")
        total.focus()
        drag(page, (345, 775), (500, 790))
        expect(total).to_have_value("Wibble A-17")
        page.keyboard.press("Alt+r")
        area = page.locator("#boxes").bounding_box()
        assert area["width"] > area["height"] * 1.3
        page.mouse.click(
            area["x"] + area["width"] * WOBBLE[1] / 842, area["y"] + area["height"] * WOBBLE[0] / 595
        )
        expect(total).to_have_value("Wobble")
        for _ in range(3):
            page.keyboard.press("Alt+r")
        page.keyboard.press("Control+z")
        page.keyboard.press("Control+z")

        # The whole page is seen, then the value large.
        page.keyboard.press("Alt+p")
        area = page.locator(".sheet-scroll").bounding_box()
        assert page.locator("#boxes").bounding_box()["height"] <= area["height"]
        page.keyboard.press("Alt+z")
        assert page.locator("#boxes").bounding_box()["width"] > area["width"]
        page.keyboard.press("Alt+w")

        # A column is drawn anew, after its last row was removed.
        grid = page.get_by_role("grid", name="Line Items")
        grid.get_by_role("gridcell", name=ROWS[2][0]).click()
        page.keyboard.press("Control+Delete")
        page.keyboard.press("Alt+c")
        drag(page, (55, 710), (150, 630))
        expect(grid.get_by_role("gridcell", name=ROWS[2][0])).to_be_visible()
        assert grid.locator("tbody tr").count() == 3
        with page.expect_navigation():
            page.keyboard.press("Control+s")
        page.locator("#save[disabled]").wait_for(state="attached")
        assert complaints == []
    found = get_document(lite.inst, lite.inst.team_id, document_id)
    assert found.data["Number"] == "A-17 Z-99"
    places = found.field_metadata["Number"]["locations"]
    assert [place["text"] for place in places] == ["A-17", "Z-99"]
    assert found.data["Total"] == 16.5
    assert [row["Description"] for row in found.data["Line Items"]] == [text for text, _ in ROWS]
    assert found.field_metadata["Line Items"][2]["Description"]["locations"][0]["page"] == 1


def test_words_are_found_over_all_pages(lite: Api) -> None:
    make_user(lite.inst)
    parser_id = lite.parser()
    document_id = lite.upload(parser_id, pages("Alpha one", "beta", "alpha two Alpha"), name="a.pdf")
    lite.process(parser_id)
    with signed_in(lite, f"/documents/{document_id}", **DESK) as (page, complaints):
        page.locator(".sheet-scroll").focus()
        page.keyboard.press("/")
        page.keyboard.type("ALPHA")
        found = page.locator("#find-result")
        expect(found).to_have_text("1 of 3")
        assert page.locator(".match").count() == 1
        page.keyboard.press("Enter")
        expect(found).to_have_text("2 of 3")
        assert page.locator("#page").input_value() == "3"
        assert page.locator(".match").count() == 2
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(found).to_have_text("1 of 3")
        page.locator("#find").fill("gamma")
        expect(found).to_have_text("not found")
        assert page.locator(".match").count() == 0
        assert complaints == []


def test_a_document_that_waits_shows_its_pages_and_fills_in_its_values(lite: Api) -> None:
    make_user(lite.inst)
    parser_id = lite.parser()
    document_id = lite.upload(parser_id, pages("Number: 17", "second"), name="a.pdf")
    with signed_in(lite, f"/documents/{document_id}", **DESK) as (page, complaints):
        page.locator("#picture").evaluate("(picture) => picture.decode()")
        expect(page.locator("#page-count")).to_have_text("2")
        page.get_by_role("button", name="Next page").click()
        page.locator("#picture").evaluate("(picture) => picture.decode()")
        expect(page.locator("#reading")).to_contain_text("It waits to be read")
        lite.process(parser_id)
        expect(field(page, "Number")).to_have_value("17")
        assert complaints == []
