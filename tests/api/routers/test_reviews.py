"""Review stages and reviews over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.ids import new_id
from docduck.service.parsers.parsers import ParserView
from tests.api.request.hostile import nothing_changes, refused
from tests.server.served import Api
from tests.service.core.documents import make_parser
from tests.service.core.people import make_member
from tests.service.reviews.reviews_world import read_one

RULE = {"field": "Total", "condition": "extracted_value", "operator": ">", "value": 5000}
SIMPLE = {"type": "simple", **RULE, "operator": "greater_than"}


@pytest.fixture
def parser(shared: Api) -> ParserView:
    return make_parser(shared.inst)


@pytest.fixture
def ann(shared: Api) -> str:
    return make_member(shared.inst)


def stages(parser: ParserView, *more: str) -> str:
    return "/".join((f"/parsers/{parser.id}/review-stages", *more))


def test_a_stage_from_its_creation_to_its_deletion(shared: Api, parser: ParserView, ann: str) -> None:
    body = {
        **{"name": "CFO", "reviewerInstructions": "Look well", "reviewType": "conditional"},
        **{"onFailedChecks": "block", "reviewerId": ann, "rules": [{**RULE, "name": "High value"}]},
    }
    answer = shared.post(stages(parser), json=body)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    rule = made["rules"][0]
    assert rule == {"id": rule["id"], **SIMPLE, "name": "High value", "editable": True}
    person = {"id": ann, "name": "Ann", "email": made["reviewer"]["email"]}
    del body["reviewerId"]
    assert made == {**body, "id": made["id"], "position": 1, "reviewer": person, "rules": [rule]}
    everybody = shared.get(f"/parsers/{parser.id}/reviewers").json()
    assert {**person, "role": "member"} in everybody["data"]
    assert everybody["pagination"]["total"] == len(everybody["data"])
    assert shared.post(stages(parser), json={"name": "Books", "position": 1}).json()["position"] == 1
    listed = shared.get(stages(parser)).json()
    assert [one["name"] for one in listed["data"]] == ["Books", "CFO"]
    assert listed["pagination"] == {"page": 1, "limit": 2, "total": 2, "pageCount": 1}
    assert shared.get(stages(parser, made["id"])).json() == {**made, "position": 2}
    changed = shared.patch(stages(parser, made["id"]), json={"reviewerId": None, "rules": [rule]})
    assert changed.status_code == 200, changed.text
    assert (changed.json()["reviewer"], changed.json()["rules"]) == (None, [rule])
    assert shared.get(f"/parsers/{parser.id}").json()["reviewStages"][1] == changed.json()
    for reviewer in (made["reviewer"], None):
        sent = shared.patch(stages(parser, made["id"]), json={"reviewer": reviewer})
        assert (sent.status_code, sent.json()["reviewer"]) == (200, reviewer), "as it was read"
    refused(shared.patch(stages(parser, made["id"]), json={"reviewer": {"id": "x"}}), 400)
    refused(shared.patch(stages(parser, made["id"]), json={"reviewer": None, "reviewerId": ann}), 400)
    deleted = shared.delete(stages(parser, made["id"]))
    assert (deleted.status_code, deleted.json()) == (200, {"success": True, "id": made["id"]})
    refused(shared.get(stages(parser, made["id"])), 404, "Review stage not found")
    nobody = new_id()
    answer = shared.post(stages(parser), json={"name": "a", "reviewerId": nobody})
    refused(answer, 404, "Reviewer not found", notFound=[{"type": "reviewerId", "value": nobody}])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "name: is required"),
        ({"reviewType": "conditional"}, "Conditional stages need at least one rule"),
        ({"rules": [{"field": "No"}, {"type": "code", "code": "x"}]}, "Only simple rules are supported"),
        ({"rules": [{**RULE, "field": "No"}]}, "Unknown field: No"),
        ({"position": 0}, None),
        ({"reviewType": "other"}, None),
        ({"reviewerId": "ann"}, None),
        ({"rules": [RULE] * 21}, None),
        ({"rules": None}, None),
    ],
)
def test_wrong_stages(shared: Api, parser: ParserView, body: dict[str, Any], message: str | None) -> None:
    with nothing_changes(shared):
        refused(shared.post(stages(parser), json={"name": "a", **body} if body else {}), 400, message)


def test_decisions(shared: Api, parser: ParserView, ann: str) -> None:
    bob = make_member(shared.inst, "Bob")
    first, second = (
        shared.post(stages(parser), json={"name": name, "reviewerId": who}).json()["id"]
        for name, who in (("Books", ann), ("CFO", bob))
    )
    document_id = read_one(shared.inst, parser)

    def act(action: str, **body: str | None) -> Any:
        path = f"/parsers/{parser.id}/documents/{document_id}/review/{action}"
        return shared.post(path, json=body)

    def shown(action: str, **body: str | None) -> tuple[str, str | None, str | None]:
        """The status, the stage and the assignee after a decision."""
        answer = act(action, **body)
        assert answer.status_code == 200, answer.text
        review, metadata = answer.json()["review"], answer.json()["metadata"]
        status = answer.json()["status"]
        assert metadata["isApproved"] == (status == "approved")
        assert metadata["isRejected"] == (status == "rejected")
        stage, assignee = ((review[key] or {}).get("id") for key in ("currentStage", "assignee"))
        return status, stage, assignee

    waiting = "Review stage is pending or in progress on 1 documents"
    refused(shared.delete(stages(parser, second)), 409, waiting)
    only = "Only the assigned reviewer can act on this stage"
    refused(act("approve", reviewerId=bob), 403, only)
    assert shown("approve", reviewerId=ann) == ("in_review", second, bob)
    rejected = shown("reject", reviewerId=bob, reason="no order")
    assert rejected[:2] == ("rejected", None)
    review = shared.get(f"/parsers/{parser.id}/documents/{document_id}").json()["review"]
    assert [one["comment"] for one in review["stages"]] == [None, "no order"]
    refused(act("approve", reviewerId=bob), 409, "Document is not in review")
    refused(act("reset", reviewerId=ann), 403, only)
    assert shown("reset", reviewerId=bob)[:2] == ("in_review", first)
    kept = "Cannot remove the assignee while a review stage is in progress"
    refused(act("assign", assigneeId=None), 409, kept)
    assert shown("assign", assigneeId=bob) == ("in_review", first, bob)
    nobody = new_id()
    missing = [{"type": "assigneeId", "value": nobody}]
    refused(act("assign", assigneeId=nobody), 404, "Assignee not found", notFound=missing)
    assert shown("approve", reviewerId=bob)[0] == "in_review"
    assert shown("approve", reviewerId=bob)[0] == "approved"


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("approve", {"reviewerId": None}),
        ("approve", {"reviewerId": new_id(), "reason": "x"}),
        ("reset", {"reviewerId": new_id(), "reason": "x"}),
        ("reject", {"reviewerId": new_id(), "reason": "x" * 1001}),
        ("reject", {"reason": "x"}),
        ("assign", {}),
        ("assign", {"assigneeId": new_id(), "reviewerId": new_id()}),
    ],
)
def test_bodies_are_closed(shared: Api, parser: ParserView, action: str, body: dict[str, Any]) -> None:
    refused(shared.post(f"/parsers/{parser.id}/documents/{new_id()}/review/{action}", json=body), 400)
