"""Undoing by keyboard and button what was confirmed, corrected and approved, and who looked at what."""

from __future__ import annotations

import re

import pytest

from docduck.service.corrections.accuracy import parser_accuracy
from docduck.service.documents.queries.document_views import get_document
from tests.browser import expect
from tests.server.served import Api
from tests.web.browsing import make_user, signed_in
from tests.web.test_document_page import field
from tests.web.test_reviewing_browser import DESK, to_review

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_every_enter_and_the_approval_are_undone(lite: Api) -> None:
    ann = make_user(lite.inst)
    first, second = to_review(lite, ("Check", ann), below=0.97)
    before = get_document(lite.inst, lite.inst.team_id, first)

    with signed_in(lite, f"/documents/{first}", **DESK) as (page, complaints):
        looks = page.locator("#doubt-count")
        expect(looks).to_have_text("3")
        cell = page.locator("td.current")
        text = cell.inner_text()
        for left in ("2", "1"):
            page.keyboard.press("Enter")
            expect(looks).to_have_text(left)
        for left in ("2", "3"):
            page.keyboard.press("Control+z")
            expect(looks).to_have_text(left)
        expect(cell).to_have_text(text)
        expect(cell).to_be_focused()
        found = get_document(lite.inst, lite.inst.team_id, first)
        assert (found.data, found.field_metadata) == (before.data, before.field_metadata)

        # A value that was typed is told to be learned, then how, and undone with one more key.
        field(page, "Number").fill("A-17")
        page.keyboard.press("Enter")
        expect(page.locator(".value .learned")).to_contain_text(
            re.compile("When this document is approved, this is learned|Learned: ")
        )
        page.locator("#undo").click()
        expect(page.locator("#message")).to_have_text("Undone")
        page.locator("#undo").click()
        expect(field(page, "Number")).to_have_value("")

        # What was saved is undone also when the page was loaded again.
        field(page, "Number").fill("A-18")
        with page.expect_navigation():
            page.keyboard.press("Control+s")
        with page.expect_navigation():
            page.locator("#undo").click()
        expect(page.locator("#message")).to_have_text("The last change is undone")
        expect(field(page, "Number")).to_have_value("")

        # The approval is undone on the next document's page: by key, and by the button of its message.
        page.keyboard.press("Control+Enter")
        page.wait_for_url(f"**/documents/{second}")
        expect(page.get_by_text("A-17.pdf is approved")).to_be_visible()
        page.keyboard.press("Control+z")
        page.wait_for_url(f"**/documents/{first}")
        assert get_document(lite.inst, lite.inst.team_id, first).status == "in_review"
        page.keyboard.press("Control+Enter")
        page.wait_for_url(f"**/documents/{second}")
        page.locator("#toasts").get_by_role("button", name="Undo").click()
        page.wait_for_url(f"**/documents/{first}")

        # Only what had the focus counts for the accuracy, not what was approved by a passing key.
        field(page, "Total").focus()
        page.keyboard.press("Control+Enter")
        page.wait_for_url(f"**/documents/{second}")
        page.keyboard.press("Control+Enter")
        page.locator("#approve").wait_for(state="detached")
        assert complaints == []
    (period,) = parser_accuracy(lite.inst, lite.inst.team_id, str(before.parser_id)).periods
    assert (period.documents, period.values, [*period.looked.values()]) == (2, 6, [1, 1, 1])
