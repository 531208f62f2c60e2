"""Review stages and reviews over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.ids import new_id
from docduck.service.parsers.parsers import ParserView
from tests.api.request.hostile import refused
from tests.server.served import Api
from tests.service.core.documents import make_parser
from tests.service.core.people import make_member
from tests.service.reviews.reviews_world import read_one

RULE = {"field": "Total", "condition": "extracted_value", "operator": ">", "value": 5000}
SIMPLE = {"type": "simple", **RULE, "operator": "greater_than"}


@pytest.fixture
def parser(api: Api) -> ParserView:
    return make_parser(api.inst)


@pytest.fixture
def ann(api: Api) -> str:
    return make_member(api.inst)


def stages(parser: ParserView, *more: str) -> str:
    return "/".join((f"/parsers/{parser.id}/review-stages", *more))


def review(parser: ParserView, document_id: str, action: str) -> str:
    return f"/parsers/{parser.id}/documents/{document_id}/review/{action}"


def test_a_stage_from_its_creation_to_its_deletion(api: Api, parser: ParserView, ann: str) -> None:
    body = {
        "name": "CFO",
        "reviewerInstructions": "Look well",
        "reviewType": "conditional",
        "onFailedChecks": "block",
        "reviewerId": ann,
        "rules": [{**RULE, "name": "High value"}],
    }
    answer = api.post(stages(parser), json=body)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    rule = made["rules"][0]
    assert rule == {"id": rule["id"], **SIMPLE, "name": "High value", "editable": True}
    assert made == {
        "id": made["id"],
        "name": "CFO",
        "reviewerInstructions": "Look well",
        "position": 1,
        "reviewType": "conditional",
        "onFailedChecks": "block",
        "reviewer": {"id": ann, "name": "Ann", "email": made["reviewer"]["email"]},
        "rules": [rule],
    }
    assert api.post(stages(parser), json={"name": "Books", "position": 1}).json()["position"] == 1
    listed = api.get(stages(parser)).json()
    assert [one["name"] for one in listed["data"]] == ["Books", "CFO"]
    assert api.get(stages(parser, made["id"])).json() == {**made, "position": 2}
    changed = api.patch(stages(parser, made["id"]), json={"reviewerId": None, "rules": [rule]})
    assert changed.status_code == 200, changed.text
    assert (changed.json()["reviewer"], changed.json()["rules"]) == (None, [rule])
    assert api.get(f"/parsers/{parser.id}").json()["reviewStages"][1] == changed.json()
    deleted = api.delete(stages(parser, made["id"]))
    assert (deleted.status_code, deleted.json()) == (200, {"success": True, "id": made["id"]})
    refused(api.get(stages(parser, made["id"])), 404, "Review stage not found")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "name: is required"),
        ({"name": "a", "reviewType": "conditional"}, "Conditional stages need at least one rule"),
        ({"name": "a", "rules": [{**RULE, "type": "code"}]}, "Only simple rules are supported"),
        (
            {"name": "a", "rules": [{"field": "No"}, {"type": "code", "code": "x"}]},
            "Only simple rules are supported",
        ),
        ({"name": "a", "rules": [{**RULE, "field": "No"}]}, "Unknown field: No"),
        ({"name": "a", "color": "red"}, "Unknown property: color"),
    ],
)
def test_wrong_stages(api: Api, parser: ParserView, body: dict[str, Any], message: str) -> None:
    refused(api.post(stages(parser), json=body), 400, message)


def test_there_are_twenty_stages_at_most(api: Api, parser: ParserView) -> None:
    for i in range(20):
        assert api.post(stages(parser), json={"name": f"{i}"}).status_code == 201
    refused(api.post(stages(parser), json={"name": "20"}), 400, "A parser may have 20 review stages")


@pytest.mark.parametrize(
    "body",
    [
        {"name": "a", "position": 0},
        {"name": "a", "reviewType": "other"},
        {"name": "a", "reviewerInstructions": "x" * 501},
        {"name": "a", "reviewerId": "ann"},
        {"name": "a", "rules": [RULE] * 21},
        {"name": "a", "rules": None},
    ],
)
def test_values_out_of_bounds(api: Api, parser: ParserView, body: dict[str, Any]) -> None:
    assert api.post(stages(parser), json=body).status_code == 400


def test_unknown_reviewers_and_reviewers(api: Api, parser: ParserView, ann: str) -> None:
    nobody = new_id()
    body = refused(
        api.post(stages(parser), json={"name": "a", "reviewerId": nobody}), 404, "Reviewer not found"
    )
    assert body["notFound"] == [{"type": "reviewerId", "value": nobody}]
    (person,) = api.get(f"/parsers/{parser.id}/reviewers").json()["data"]
    assert person == {"id": ann, "name": "Ann", "email": person["email"], "role": "member"}


def test_two_stages_over_http(api: Api, parser: ParserView, ann: str) -> None:
    bob = make_member(api.inst, "Bob")
    first, second = (
        api.post(stages(parser), json={"name": name, "reviewerId": who}).json()["id"]
        for name, who in (("Books", ann), ("CFO", bob))
    )
    document_id = read_one(api.inst, parser)
    refused(api.delete(stages(parser, second)), 409, "Review stage is pending or in progress on 1 documents")
    only = "Only the assigned reviewer can act on this stage"
    for action in ("approve", "reject"):
        refused(api.post(review(parser, document_id, action), json={"reviewerId": bob}), 403, only)
    answer = api.post(review(parser, document_id, "approve"), json={"reviewerId": ann})
    assert answer.status_code == 200, answer.text
    shown = answer.json()
    assert (shown["status"], shown["review"]["currentStage"]["id"], shown["metadata"]["isApproved"]) == (
        "in_review",
        second,
        False,
    )
    assert shown["review"]["assignee"]["id"] == bob
    body = {"reviewerId": bob, "reason": "no order"}
    shown = api.post(review(parser, document_id, "reject"), json=body).json()
    assert (shown["status"], shown["metadata"]["isRejected"], shown["review"]["currentStage"]) == (
        "rejected",
        True,
        None,
    )
    assert [one["comment"] for one in shown["review"]["stages"]] == [None, "no order"]
    refused(
        api.post(review(parser, document_id, "approve"), json={"reviewerId": bob}),
        409,
        "Document is not in review",
    )
    refused(api.post(review(parser, document_id, "reset"), json={"reviewerId": ann}), 403, only)
    shown = api.post(review(parser, document_id, "reset"), json={"reviewerId": bob}).json()
    assert (shown["status"], shown["review"]["currentStage"]["id"]) == ("in_review", first)
    refused(
        api.post(review(parser, document_id, "reset"), json={"reviewerId": bob}),
        409,
        "Only the review of an approved or rejected document can be reset",
    )
    refused(
        api.post(review(parser, document_id, "assign"), json={"assigneeId": None}),
        409,
        "Cannot remove the assignee while a review stage is in progress",
    )
    shown = api.post(review(parser, document_id, "assign"), json={"assigneeId": bob}).json()
    assert shown["review"]["assignee"]["id"] == bob
    nobody = new_id()
    refused(
        api.post(review(parser, document_id, "assign"), json={"assigneeId": nobody}),
        404,
        "Assignee not found",
    )
    for _ in range(2):
        shown = api.post(review(parser, document_id, "approve"), json={"reviewerId": bob}).json()
    assert (shown["status"], shown["metadata"]["isApproved"]) == ("approved", True)
    history = api.get(f"/parsers/{parser.id}/documents/{document_id}/history").json()["data"]
    assert [one["event"] for one in history if one["event"] not in ("stored", "claimed")] == [
        *("review_owed", "stage_approved", "stage_started", "rejected", "review_reset", "stage_started"),
        *("assigned", "stage_approved", "stage_started", "approved"),
    ]


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("approve", {}),
        ("approve", {"reviewerId": None}),
        ("approve", {"reviewerId": new_id(), "reason": "x"}),
        ("reset", {"reviewerId": new_id(), "reason": "x"}),
        ("reject", {"reviewerId": new_id(), "reason": "x" * 1001}),
        ("reject", {"reason": "x"}),
        ("assign", {}),
        ("assign", {"assigneeId": new_id(), "reviewerId": new_id()}),
    ],
)
def test_bodies_are_closed(api: Api, parser: ParserView, action: str, body: dict[str, Any]) -> None:
    assert api.post(review(parser, new_id(), action), json=body).status_code == 400


def test_keys_need_the_permission_and_the_team(api: Api, parser: ParserView, ann: str) -> None:
    stage_id = api.post(stages(parser), json={"name": "a", "reviewerId": ann}).json()["id"]
    document_id = read_one(api.inst, parser)
    acts: list[tuple[str, str, Any]] = [
        ("POST", stages(parser), {"name": "b"}),
        ("PATCH", stages(parser, stage_id), {"name": "b"}),
        ("DELETE", stages(parser, stage_id), None),
        *(
            ("POST", review(parser, document_id, action), {"reviewerId": ann})
            for action in ("approve", "reject", "reset")
        ),
        ("POST", review(parser, document_id, "assign"), {"assigneeId": ann}),
    ]
    reads: list[tuple[str, str, Any]] = [
        ("GET", stages(parser), None),
        ("GET", stages(parser, stage_id), None),
        ("GET", f"/parsers/{parser.id}/reviewers", None),
    ]
    for permission, denied in (("reviews:read", acts), ("reviews:write", reads)):
        with api.using(api.key_with([permission])) as other:
            for method, path, body in denied:
                refused(other.request(method, path, json=body), 403, "Access denied")
    with api.other_team() as strangers:
        for method, path, body in (*acts, *reads):
            assert strangers.request(method, path, json=body).status_code == 404
