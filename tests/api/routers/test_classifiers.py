"""Classifiers and their documents over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.documents.detection.file_types import labels
from docduck.ids import new_id
from tests.server.served import Api
from tests.service.classifiers.classifiers_world import unrouted_in

KEYS = {
    *("id", "slug", "name", "description", "isActive", "emailAddress", "acceptedFileTypes", "settings"),
    *("createdAt", "updatedAt", "counts"),
}
ALL_TYPES = [{"mimeType": kind, "label": label} for kind, label in labels().items()]
SPLIT = {
    "enabled": False,
    "mode": "everyXPages",
    "everyXPages": None,
    "pageRanges": None,
    "instructions": None,
    "partitionKey": None,
    "partitionKeySource": "parserField",
}
EMAIL: dict[str, Any] = {
    "parseEmailBody": None,
    "mergeEmailAttachments": False,
    "includeEmailSubjectBody": True,
    "attachmentFileTypes": [],
    "senderFilter": {"mode": "disabled", "rules": []},
}


def classifier(api: Api, *labels: str, **more: Any) -> tuple[str, list[str]]:
    """A new classifier's id, and those of its parsers, one for each label."""
    parsers = [api.parser(label) for label in labels]
    rules = [{"label": a, "targetParserId": b} for a, b in zip(labels, parsers, strict=True)]
    body = {"name": "Mail", "routing": {"rules": rules, **more.pop("routing", {})}, **more}
    answer = api.post("/classifiers", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"], parsers


def ended(api: Api, document_id: str, status: str) -> None:
    with api.inst.catalog.transaction() as session:
        values: dict[str, Any] = {"status": status, "routing_status": status}
        session.execute(update(Document).where(Document.id == document_id).values(**values))


def test_a_classifier_is_created_with_defaults(api: Api) -> None:
    parser_id = api.parser()
    rules = [{"label": "Invoice", "targetParserId": parser_id.upper()}]
    answer = api.post("/classifiers", json={"name": " Mail ", "routing": {"rules": rules}})
    assert answer.status_code == 201
    made = answer.json()
    assert made.keys() == KEYS
    (rule,) = made["settings"]["routing"]["rules"]
    assert rule == {"id": rule["id"], "label": "Invoice", "targetParserId": parser_id}
    assert {key: made[key] for key in KEYS - {"id", "createdAt", "updatedAt"}} == {
        "slug": "mail",
        "name": "Mail",
        "description": "",
        "isActive": True,
        "emailAddress": None,
        "acceptedFileTypes": ALL_TYPES,
        "settings": {
            "routing": {
                "rules": [rule],
                "fallback": {"action": "skip", "targetParserId": None},
                "instructions": "",
            },
            "splitDocuments": SPLIT,
            "emailParsing": EMAIL,
        },
        "counts": {"totalDocuments": 0, "routed": 0, "skipped": 0, "failed": 0},
    }
    assert api.get(f"/classifiers/{made['id']}").json() == made
    page = api.get("/classifiers").json()
    assert page == {
        "data": [made],
        "pagination": {"page": 1, "limit": 50, "total": 1, "pageCount": 1},
    }


def test_all_settings_are_kept_and_merged(api: Api) -> None:
    other = api.parser("Others")
    split = {
        "enabled": True,
        "mode": "partitionKey",
        "partitionKey": "account",
        "partitionKeySource": "custom",
    }
    classifier_id, _ = classifier(
        api,
        "Invoice",
        description="d",
        isActive=False,
        acceptedFileTypes=["application/pdf"],
        splitDocuments=split,
        emailParsing={"parseEmailBody": False},
        routing={"fallback": {"action": "parser", "targetParserId": other}, "instructions": "i"},
    )
    made = api.get(f"/classifiers/{classifier_id}").json()
    assert made["acceptedFileTypes"] == [{"mimeType": "application/pdf", "label": "PDF"}]
    assert made["settings"]["splitDocuments"] == {**SPLIT, **split}
    assert made["settings"]["emailParsing"] == {**EMAIL, "parseEmailBody": False}
    assert made["settings"]["routing"]["fallback"] == {"action": "route", "targetParserId": other}
    assert (made["description"], made["isActive"]) == ("d", False)
    # What was answered can be sent again.
    again = api.patch(f"/classifiers/{classifier_id}", json={"routing": made["settings"]["routing"]})
    assert (again.status_code, again.json()) == (200, made)
    changed = api.patch(
        f"/classifiers/{classifier_id}",
        json={
            "name": "Post",
            "isActive": True,
            "acceptedFileTypes": [],
            "emailParsing": {"mergeEmailAttachments": True},
            "routing": {"fallback": {"action": "skip"}},
        },
    ).json()
    assert changed["settings"]["emailParsing"] == {
        **EMAIL,
        "parseEmailBody": False,
        "mergeEmailAttachments": True,
    }
    assert changed["settings"]["routing"] == {
        **made["settings"]["routing"],
        "fallback": {"action": "skip", "targetParserId": None},
    }
    assert (changed["name"], changed["isActive"], changed["acceptedFileTypes"]) == ("Post", True, ALL_TYPES)
    assert changed["settings"]["splitDocuments"] == {**SPLIT, **split}


@pytest.mark.parametrize(
    ("body", "path", "message"),
    [
        ({"routing": None}, "routing", "must be an object"),
        ({"routing": {"rules": []}}, "routing.rules", "at least 1 item"),
        ({"routing": {"rules": [{"label": "x"}]}}, "routing.rules.0.targetParserId", "is required"),
        ({"routing": {"fallback": {"action": "route"}}}, "routing.fallback.targetParserId", "needs it"),
        ({"routing": {"extra": 1}}, "routing.extra", "Unknown property: extra"),
        ({"fields": []}, "fields", "Unknown property: fields"),
        ({"classificationGate": {}}, "classificationGate", "Unknown property: classificationGate"),
        ({"isActive": None}, "isActive", "must be true or false"),
        ({"acceptedFileTypes": None}, "acceptedFileTypes", "must be an array"),
        ({"splitDocuments": {"mode": "x"}}, "splitDocuments.mode", "must be"),
        (
            {"splitDocuments": {"mode": "partitionKey", "partitionKey": "Number"}},
            "splitDocuments.partitionKeySource",
            "a classifier has no fields",
        ),
    ],
)
def test_wrong_bodies_are_named(lite: Api, body: dict[str, Any], path: str, message: str) -> None:
    classifier_id, (parser_id,) = classifier(lite, "Invoice")
    before = lite.get(f"/classifiers/{classifier_id}").json()
    rule = {"label": "Invoice", "targetParserId": parser_id}
    new = {"name": "Mail", "routing": {"rules": [rule]}, **body}
    if "rules" not in (body.get("routing") or {"rules": None}):
        new["routing"] = {"rules": [rule], **body["routing"]}
    for answer in (
        lite.post("/classifiers", json=new),
        lite.patch(f"/classifiers/{classifier_id}", json=body),
    ):
        assert answer.status_code == 400, answer.text
        assert any(one["path"] == path and message in one["message"] for one in answer.json()["details"]), (
            answer.text
        )
    assert lite.get("/classifiers").json()["data"] == [before]
    for needed in ("name", "routing"):
        left = {
            key: value for key, value in {"name": "x", "routing": new["routing"]}.items() if key != needed
        }
        assert lite.post("/classifiers", json=left).json()["details"][0]["path"] == needed


def test_lists_are_filtered_and_sorted(api: Api) -> None:
    first, (a,) = classifier(api, "A")
    second, _ = classifier(api, "B", name="Äpfel", isActive=False)

    def ids(**params: Any) -> list[str]:
        answer = api.get("/classifiers", params=params)
        assert answer.status_code == 200, answer.text
        return [one["id"] for one in answer.json()["data"]]

    assert ids() == [second, first] and ids(sort="name.asc") == [first, second]
    assert ids(q="ÄP") == [second] and ids(isActive="true") == [first]
    assert ids(limit=1, page=2) == [first]
    assert api.get("/classifiers?sort=id").status_code == 400
    assert api.get("/classifiers?limit=101").status_code == 400
    with api.using(api.key_with(parser_ids=[a])) as limited:
        assert [one["id"] for one in limited.get("/classifiers").json()["data"]] == [first]


def test_documents_of_a_classifier(api: Api) -> None:
    classifier_id, (a, b) = classifier(api, "A", "B")
    skipped, pending = unrouted_in(api.inst, classifier_id, "one.txt", "two.txt")
    ended(api, skipped, "skipped")
    where = f"/classifiers/{classifier_id}/documents"
    body = api.get(where, params={"status": "skipped"}).json()
    assert body["pagination"] == {"page": 1, "limit": 50, "total": 1, "pageCount": 1}
    (row,) = body["data"]
    assert row == {
        **{key: row[key] for key in ("createdAt", "updatedAt")},
        "id": skipped,
        "name": "one.txt",
        "externalId": "one.txt",
        "custom": None,
        "source": "api",
        "contentType": "text/plain",
        "pageCount": None,
        "status": "skipped",
        "routing": {
            "status": "skipped",
            "category": None,
            "targetParserId": None,
            "targetParserName": None,
            "targetDocumentId": None,
            "confidence": None,
            "reasoning": None,
            "error": None,
        },
    }
    counts = api.get(f"/classifiers/{classifier_id}").json()["counts"]
    assert counts == {"totalDocuments": 2, "routed": 0, "skipped": 1, "failed": 0}

    moved = api.post(f"{where}/{skipped}/route", json={"targetParserId": b})
    assert moved.status_code == 200, moved.text
    assert moved.json()["routing"] == {
        "status": "routed",
        "category": "B",
        "targetParserId": b,
        "targetParserName": "B",
        "targetDocumentId": skipped,
        "confidence": 1.0,
        "reasoning": "A person chose this parser.",
        "error": None,
    }
    assert api.get(f"/parsers/{b}/documents/{skipped}").json()["metadata"]["classifierId"] == classifier_id
    for params, expected in (
        ({"targetParserId": b}, [skipped]),
        ({"targetParserId": a}, []),
        ({"q": "TWO"}, [pending]),
        ({"externalId": "two.txt"}, [pending]),
        ({"createdTo": "2020-01-01T00:00:00Z"}, []),
        ({"createdFrom": "2020-01-01", "sort": "name.desc"}, [pending, skipped]),
    ):
        assert [one["id"] for one in api.get(where, params=params).json()["data"]] == expected
    for wrong in ({"status": "processed"}, {"sort": "relevance"}, {"targetParserId": "x"}, {"x": "1"}):
        assert api.get(where, params=wrong).status_code == 400
    answer = api.post(f"{where}/{pending}/route", json={"targetParserId": b})
    assert (answer.status_code, answer.json()["message"]) == (409, "Document is already being processed")
    for sent, status in (
        ({}, 400),
        ({"targetParserId": "x"}, 400),
        ({"targetParserId": b, "label": "x"}, 400),
        ({"targetParserId": api.parser("Stranger")}, 400),
        ({"targetParserId": new_id()}, 404),
    ):
        assert api.post(f"{where}/{skipped}/route", json=sent).status_code == status


def test_deleting(api: Api) -> None:
    classifier_id, (parser_id,) = classifier(api, "A")
    assert api.delete(f"/parsers/{parser_id}").status_code == 409
    routed, waiting = unrouted_in(api.inst, classifier_id, "a.txt", "b.txt")
    ended(api, routed, "failed")
    api.post(f"/classifiers/{classifier_id}/documents/{routed}/route", json={"targetParserId": parser_id})
    answer = api.delete(f"/classifiers/{classifier_id.upper()}")
    assert (answer.status_code, answer.json()) == (200, {"success": True, "id": classifier_id})
    assert api.get(f"/parsers/{parser_id}/documents/{routed}").status_code == 200
    with api.inst.catalog.read_session() as session:
        assert session.get(Document, waiting) is None
    for method in ("GET", "PATCH", "DELETE"):
        json = {"isActive": True} if method == "PATCH" else None
        gone = api.request(method, f"/classifiers/{classifier_id}", json=json)
        assert gone.status_code == 404
        assert gone.json()["message"] == "Classifier not found"
        assert gone.json()["notFound"] == [{"type": "classifierId", "value": classifier_id}]
    assert api.delete(f"/parsers/{parser_id}").status_code == 200


def test_who_may_not(api: Api) -> None:
    classifier_id, (a, b) = classifier(api, "A", "B")
    (skipped,) = unrouted_in(api.inst, classifier_id, "a.txt")
    ended(api, skipped, "skipped")
    rule = {"label": "x", "targetParserId": a}
    calls: list[tuple[str, str, Any]] = [
        ("GET", f"/classifiers/{classifier_id}", None),
        ("PATCH", f"/classifiers/{classifier_id}", {"name": "x"}),
        ("DELETE", f"/classifiers/{classifier_id}", None),
        ("GET", f"/classifiers/{classifier_id}/documents", None),
        ("POST", f"/classifiers/{classifier_id}/documents/{skipped}/route", {"targetParserId": a}),
    ]
    with api.other_team() as strangers:
        for method, path, body in calls:
            assert strangers.request(method, path, json=body).status_code == 404, path
        assert strangers.get("/classifiers").json()["data"] == []
        made = strangers.post("/classifiers", json={"name": "x", "routing": {"rules": [rule]}})
        assert made.status_code == 404 and made.json()["notFound"] == [{"type": "parserId", "value": a}]
    with api.using(api.key_with(parser_ids=[b])) as limited:
        for method, path, body in calls:
            assert limited.request(method, path, json=body).status_code == 403, path
        new = {"name": "x", "routing": {"rules": [{**rule, "targetParserId": b}]}}
        mine = limited.post("/classifiers", json=new)
        assert mine.status_code == 201
        for routing in ({"rules": [rule]}, {"fallback": {"action": "route", "targetParserId": a}}):
            wider = limited.patch(f"/classifiers/{mine.json()['id']}", json={"routing": routing})
            assert wider.status_code == 403
        assert limited.post("/classifiers", json={**new, "routing": {"rules": [rule]}}).status_code == 403
    with api.using(api.key_with(permissions=["classifiers:read"])) as reading:
        assert [reading.request(*one[:2], json=one[2]).status_code for one in calls] == [
            200,
            403,
            403,
            200,
            403,
        ]
    assert api.get(f"/classifiers/{classifier_id}").json()["name"] == "Mail"
