"""Reviewing by keyboard alone: how many keys it takes, two stages, and a phone."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.reviews.stage_changes import create_stage
from tests.server.served import Api
from tests.web.browsing import make_user, signed_in
from tests.web.test_document_page import invoice

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
]

DESK: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 375, "height": 667}, "has_touch": True, "is_mobile": True}


class Keys:
    """A keyboard that counts what is pressed beside what is typed."""

    def __init__(self, page: Any) -> None:
        self._page, self.pressed = page, 0

    def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            self._page.keyboard.press(key)
            self.pressed += 1

    def type(self, text: str) -> None:
        self._page.keyboard.type(text)


def to_review(api: Api, *stages: tuple[str, str], below: float) -> list[str]:
    """Two documents, the first of which waits longer, with these stages and reviewers."""
    parser_id = api.parser()
    update_parser(api.inst, api.inst.team_id, parser_id, ParserChanges(settings={"unsureBelow": below}))
    for name, reviewer in stages:
        create_stage(api.inst, api.inst.team_id, parser_id, {"name": name, "reviewer_id": reviewer})
    ids = []
    for number in ("A-17", "B-4711"):
        ids.append(api.upload(parser_id, invoice(number), name=f"{number}.pdf"))
        api.process(parser_id)
    return ids


def tab_to(page: Any, keys: Keys, name: str) -> None:
    """Press Tab until the link or button of this name has the focus."""
    for _ in range(60):
        keys.press("Tab")
        if page.evaluate("document.activeElement.innerText || ''").strip().split("\n")[0] == name:
            return
    raise AssertionError(f"{name} is not reached by the keyboard")


@pytest.mark.parametrize(
    "screen",
    [pytest.param(DESK, id="desk"), pytest.param(PHONE, id="phone", marks=pytest.mark.extended)],
)
def test_two_reviewers_go_through_their_queues_by_keyboard_alone(lite: Api, screen: dict[str, Any]) -> None:
    ann, bob = make_user(lite.inst, "Ann", "reviewer"), make_user(lite.inst, "Bob", "reviewer")
    first, second = to_review(lite, ("Numbers", ann), ("Release", bob), below=0.96)
    for name, stage in (("Ann", "Numbers"), ("Bob", "Release")):
        with signed_in(lite, "/", name, **screen) as (page, complaints):
            keys = Keys(page)
            tab_to(page, keys, "Review")
            keys.press("Enter")
            page.wait_for_url("**/review")
            assert page.get_by_role("status").inner_text() == "2 documents wait for you"
            tab_to(page, keys, "Begin with the one that waits longest")
            keys.press("Enter")
            page.wait_for_url(f"**/documents/{first}")
            assert page.get_by_text(stage, exact=True).is_visible()
            assert page.evaluate(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
            )
            before = keys.pressed
            if name == "Ann":
                # A typed correction counts as looked at; the last of the three doubts approves.
                keys.type("Bolts")
                keys.press("Enter", 3)
                page.wait_for_url(f"**/documents/{second}")
                keys.press("Alt+k")
                page.wait_for_url(f"**/documents/{first}")
                keys.press("j")
                page.wait_for_url(f"**/documents/{second}")
                keys.press("Alt+h")
                keys.type("Ask the sender")
                keys.press("Enter")
                page.wait_for_url("**/review")
                tab_to(page, keys, "Take up again")
                keys.press("Enter")
                page.wait_for_url(f"**/documents/{second}")
                before = keys.pressed
                keys.press("Enter", 3)
            else:
                # What Ann confirmed is looked at again; what she corrected is hers.
                keys.press("Enter", 2)
                page.wait_for_url(f"**/documents/{second}")
                keys.press("Enter", 3)
            page.locator("#approve").wait_for(state="detached")
            page.get_by_text("No other document waits for you").wait_for()
            assert keys.pressed - before == (3 if name == "Ann" else 5)
            assert complaints == []
            page.goto("/review")
            assert page.get_by_role("status").inner_text() == "0 documents wait for you"
    found = [get_document(lite.inst, lite.inst.team_id, one) for one in (first, second)]
    assert [one.status for one in found] == ["approved", "approved"]
    assert [row["Description"] for row in found[0].data["Line Items"]] == ["Bolts", "Nut", "Screw"]
    for one in found:
        entries = [row["Description"] for row in one.field_metadata["Line Items"]]
        assert {entry["editedBy"] for entry in entries} <= {ann, bob}
    assert [stage.name for stage in found[0].review.stages] == ["Numbers", "Release"]
