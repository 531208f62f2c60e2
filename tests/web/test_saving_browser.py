"""Saving on a document's page when something is in the way: it is told in the bar, and nothing is lost."""

from __future__ import annotations

import re
from typing import Any

import pytest

from docduck.service.corrections.corrections import set_values
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.field_editing import update_field
from docduck.service.parsers.parsers import get_parser
from docduck.service.reviews.stage_changes import create_stage
from tests.browser import expect
from tests.server.served import Api
from tests.web.browser import PASSWORD
from tests.web.browsing import make_user, signed_in
from tests.web.test_document_page import field, invoice

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
]


def test_what_is_in_the_way_of_saving_is_told_in_the_bar_and_nothing_is_lost(lite: Api) -> None:
    ann, _ = make_user(lite.inst), make_user(lite.inst, "Bob")
    parser_id = lite.parser()
    create_stage(lite.inst, lite.inst.team_id, parser_id, {"name": "Check", "reviewer_id": ann})
    document = lite.upload(parser_id, invoice(), name="A-17.pdf")
    lite.process(parser_id)

    def data() -> Any:
        return get_document(lite.inst, lite.inst.team_id, document).data

    with signed_in(lite, f"/documents/{document}", viewport={"width": 1400, "height": 900}) as (page, _):
        bar, sums = page.locator("#message"), page.get_by_text("The rows sum to 16.5, but the total reads 20")
        total, number = field(page, "Total"), field(page, "Number")
        total.fill("20")
        number.fill("A-17")
        expect(sums).to_be_visible()

        # Without a connection, then after the session has ended.
        page.context.set_offline(True)
        page.keyboard.press("Control+s")
        expect(bar).to_contain_text("There is no connection")
        expect(bar).to_be_in_viewport()
        page.context.set_offline(False)
        page.context.clear_cookies()
        page.get_by_role("button", name="Try again").click()
        expect(bar).to_contain_text("Your session has ended")
        page.get_by_role("button", name="Sign in").click()
        page.keyboard.type("wrong")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("is wrong")
        page.fill("#again-email", "bob@example.org")
        page.fill("#again-password", PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("opened by somebody else")
        page.fill("#again-email", "ann@example.org")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert (data()["Total"], data()["Number"]) == (20, "A-17")

        # Somebody else is first with the number; the total is a new one, and their rows stay.
        rows = [{"Description": "Bolt", "Amount": 21}]
        changes = {"Number": "A-18", "Line Items": rows}
        set_values(lite.inst, lite.inst.team_id, parser_id, document, changes, reviewer_id=ann)
        total.fill("21")
        number.fill("A-19")
        page.keyboard.press("Control+s")
        dialog = page.get_by_role("dialog", name="Ann has changed this document meanwhile")
        expect(dialog.get_by_role("row", name=re.compile("Number A-17 A-18 Ann, .* A-19"))).to_be_visible()
        expect(dialog.get_by_role("row", name=re.compile("Line Items 3 rows 1 row Ann, "))).to_be_visible()
        page.keyboard.press("Escape")
        expect(bar).to_contain_text("Yours is not saved")
        expect(number).to_have_value("A-19")
        page.keyboard.press("Control+s")
        dialog.get_by_label("Number").select_option("Take theirs")
        with page.expect_navigation():
            dialog.get_by_role("button", name="Save as chosen").click()
        expect(number).to_have_value("A-18")
        assert (data()["Total"], data()["Line Items"]) == (21, rows)
        expect(sums).to_have_count(0)

        # A failed check asks before the approval.
        total.fill("22")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("dialog", name="Approve this anyway?")).to_contain_text("the total reads 22")
        page.keyboard.press("Escape")
        assert get_document(lite.inst, lite.inst.team_id, document).status == "in_review"


def test_keys_and_answers_count_in_the_order_in_which_they_were_asked_for(lite: Api) -> None:
    make_user(lite.inst)
    parser_id = lite.parser()
    number_id = str(get_parser(lite.inst, lite.inst.team_id, parser_id).fields[0].id)
    update_field(lite.inst, lite.inst.team_id, parser_id, number_id, {"name": "Wibble"})
    document = lite.upload(parser_id, invoice(), name="A-17.pdf")
    lite.process(parser_id)

    def left(name: str = "Total") -> float:
        found = get_document(lite.inst, lite.inst.team_id, document).field_metadata[name]
        return float(found["locations"][0]["bbox"]["left"])

    with signed_in(lite, f"/documents/{document}", viewport={"width": 1400, "height": 900}) as (page, _):
        bar, sums = page.locator("#message"), page.get_by_text("The rows sum to 16.5, but the total reads 20")
        total, before, number = field(page, "Total"), left(), left("Wibble")

        # Boxes that were moved just now are saved, also while a panel is shown that lets go on.
        page.evaluate("document.body.append(Object.assign(document.createElement('dialog'), { open: true }))")
        field(page, "Wibble").focus()
        page.locator("#boxes button.current").wait_for()
        page.keyboard.press("Alt+ArrowLeft")
        total.focus()
        page.keyboard.press("Alt+ArrowLeft")
        with page.expect_navigation():
            page.keyboard.press("Control+s")
        assert left() == pytest.approx(before - 0.004, abs=0.001)
        assert left("Wibble") == pytest.approx(number - 0.004, abs=0.001)

        # What the checks say of an older text is told too late.
        held: list[Any] = []
        page.route("**/checks", lambda route: held.append(route), times=1)
        total.fill("20")
        with page.expect_request("**/checks"):
            page.keyboard.press("Tab")
        total.fill("16.5")
        with page.expect_response("**/checks"):
            page.keyboard.press("Tab")
        with page.expect_response("**/checks"):
            held[0].continue_()
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        expect(sums).to_have_count(0)

        # What was saved without an answer is sent again.
        page.route("**/changes", lambda route: (route.fetch(), route.abort()), times=1)
        total.fill("21")
        page.keyboard.press("Control+s")
        expect(bar).to_contain_text("There is no connection")
        with page.expect_navigation():
            page.get_by_role("button", name="Try again").click()
        expect(total).to_have_value("21")

        # Enter follows a link beside a value.
        total.evaluate("""(input) => {
            const link = Object.assign(document.createElement("a"), { href: "#there", textContent: "there" });
            input.closest(".value").append(link);
            link.focus();
        }""")
        page.keyboard.press("Enter")
        page.wait_for_url("**#there")
