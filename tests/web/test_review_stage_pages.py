"""The review stages of a parser: added, changed, ordered and deleted, with rules of every kind."""

from __future__ import annotations

import html
from typing import Any

import httpx
import pytest

from docduck.service.accounts.accounts import remove_member
from docduck.service.conditions import Aspect
from docduck.service.parsers.field_editing import delete_field
from docduck.service.reviews.review_stages import StageSetup, list_stages
from docduck.service.reviews.stage_changes import create_stage
from tests.server.served import Api
from tests.web.browser import Browser, member
from tests.web.pages import HOSTILE, form_of

pytestmark = pytest.mark.usefixtures("invoices")

PATH = "/parsers/invoices/review-stages"
RULES: list[dict[str, Any]] = [
    {"field": "Total", "condition": "extracted_value", "operator": ">", "value": 5000.5},
    {"field": "Total", "condition": "extracted_value", "operator": "between", "value": [1, "2"]},
    {"field": "Number", "condition": "extracted_value", "operator": "in", "value": ["A\nB", " C "]},
    {"field": "Number", "condition": "extracted_value", "operator": "equals", "value": True},
    {"field": "Number", "condition": "extracted_value", "operator": "equals", "value": ""},
    {"field": "Total", "condition": "confidence", "operator": "<", "value": 0.9},
    {"field": "Line Items.Amount", "condition": "not_exists", "name": "No amount"},
    {"field": "Number", "condition": "matches_field", "operator": "equals", "value": "Total"},
]


def stages(api: Api) -> list[StageSetup]:
    return list_stages(api.inst, api.inst.team_id, "invoices")


def make(api: Api, name: str, **more: Any) -> StageSetup:
    return create_stage(api.inst, api.inst.team_id, "invoices", {"name": name, **more})


def send(
    browser: Browser, stage: StageSetup | None = None, action: str = "save", **typed: Any
) -> httpx.Response:
    path = f"{PATH}/{stage.id}" if stage else PATH
    return browser.post(path, data={**form_of(browser.get(PATH), path), "action": action, **typed})


def rule(number: int, field: str, condition: str, operator: str = "", value: str = "") -> dict[str, Any]:
    values = {"field": field, "condition": condition, "operator": operator, "value": value}
    return {f"rules.{number}.{key}": text for key, text in values.items()}


def test_stages_are_added_changed_moved_and_deleted(lite: Api, ann: Browser) -> None:
    bob = member(lite.inst, "bob", "reviewer")
    text = ann.get(PATH).text
    assert all(f'value="{one.value}"' in text for one in Aspect)
    added = send(
        ann,
        name=HOSTILE,
        reviewer=bob,
        instructions="Look\r\ntwice",
        reviewType="conditional",
        **rule(1, "Total", "extracted_value", "greater_than", "5000"),
        **rule(2, "Line Items.Amount", "confidence", "less_than", "90 %"),
    )
    assert added.headers["location"] == f"{PATH}?done=saved"
    (made,) = stages(lite)
    assert made.reviewer is not None
    assert (made.name, made.reviewer.id, made.reviewer_instructions) == (HOSTILE, bob, "Look\ntwice")
    assert [one.condition.title for one in made.rules] == [
        "Total greater than 5000",
        "Confidence of Line Items.Amount less than 0.9",
    ]
    assert HOSTILE not in ann.get(PATH).text
    send(ann, name="Second")
    first, second = stages(lite)
    assert (second.review_type, second.reviewer, second.rules) == ("mandatory", None, [])
    changed = send(ann, first, reviewer="", instructions="", **rule(1, "", "exists"))
    assert changed.status_code == 303
    (after, _) = stages(lite)
    assert (after.name, after.reviewer, after.reviewer_instructions) == (HOSTILE, None, None)
    assert after.rules == first.rules[1:]
    send(ann, second, "up")
    assert [one.name for one in stages(lite)] == ["Second", HOSTILE]
    send(ann, second, "up")
    send(ann, second, "down")
    assert [one.name for one in stages(lite)] == [HOSTILE, "Second"]
    send(ann, second, "delete")
    assert [one.name for one in stages(lite)] == [HOSTILE]


def test_what_another_person_changed_meanwhile_stays(lite: Api, ann: Browser) -> None:
    stage = make(lite, "Check", reviewer_instructions="Ours")
    path = f"{PATH}/{stage.id}"
    form = {**form_of(ann.get(PATH), path), "action": "save"}
    assert ann.post(path, data={**form, "instructions": "Theirs"}).status_code == 303
    assert ann.post(path, data={**form, "name": "Look"}).status_code == 303
    (after,) = stages(lite)
    assert (after.name, after.reviewer_instructions) == ("Look", "Theirs")
    for broken in ("", "[]", "{}", '{"id": "", "more": 1}'):
        sent = ann.post(path, data={**form, "name": "Lost", "shown": broken})
        assert sent.status_code == 400 and "Load the page again" in sent.text, broken
    assert stages(lite)[0].name == "Look"


def test_a_form_that_is_sent_as_it_is_changes_nothing(lite: Api, ann: Browser) -> None:
    bob = member(lite.inst, "bob", "reviewer")
    more = {"reviewer_instructions": "\na\nb", "reviewer_id": bob, "review_type": "conditional"}
    made = make(lite, "CFO", rules=RULES, **more)
    remove_member(lite.inst, lite.inst.team_id, bob)
    (before,) = stages(lite)
    assert send(ann, made).status_code == 303
    assert stages(lite) == [before]
    assert send(ann, made, **{"rules.1.value": "100", "name": "Books"}).status_code == 303
    (after,) = stages(lite)
    assert after.rules[1:] == before.rules[1:] and after.rules[0].id == before.rules[0].id
    assert after.rules[0].condition.title == "Total greater than 100"
    assert after.reviewer == before.reviewer
    delete_field(lite.inst, lite.inst.team_id, "invoices", "Number")
    assert send(ann, made, name="Desk").status_code == 303
    assert stages(lite)[0].name == "Desk" and len(stages(lite)[0].rules) == len(RULES)


def test_what_rest_refuses_is_told_and_what_was_typed_is_kept(lite: Api, ann: Browser) -> None:
    made = make(lite, "CFO")
    wrong: list[tuple[dict[str, str], str]] = [
        ({"name": " "}, "must not be blank"),
        ({"reviewType": "conditional"}, "Conditional stages need at least one rule"),
        (rule(1, "Total", "extracted_value", "", "5"), "operator is required"),
        (rule(1, "Total", "confidence", "less_than", "much"), "value must be a confidence"),
    ]
    for typed, message in wrong:
        refused = send(ann, made, **{"name": "Typed", "rules.2.value": HOSTILE, **typed})
        assert refused.status_code == 400 and message in html.unescape(refused.text)
        assert HOSTILE not in refused.text
        again = form_of(refused, f"{PATH}/{made.id}")
        assert {key: again[key] for key in typed} == {key: [value] for key, value in typed.items()}
    refused = send(ann, name=" ", instructions=HOSTILE)
    assert refused.status_code == 400 and form_of(refused, PATH)["instructions"] == [HOSTILE]
    assert stages(lite) == [made]
