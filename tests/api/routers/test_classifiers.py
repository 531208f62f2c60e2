"""Classifiers and their documents over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from docduck.catalog.models import Document
from docduck.documents.detection.file_types import labels
from docduck.ids import new_id
from tests.api.request.hostile import nothing_changes, refused
from tests.server.served import Api
from tests.service.classifiers.classifiers_world import unrouted_in

KEYS = {
    *("id", "slug", "name", "description", "isActive", "emailAddress", "acceptedFileTypes", "settings"),
    *("createdAt", "updatedAt", "counts"),
}
ALL_TYPES = [{"mimeType": kind, "label": label} for kind, label in labels().items()]
SPLIT = {
    **{"enabled": False, "mode": "everyXPages", "everyXPages": None, "pageRanges": None},
    **{"instructions": None, "partitionKey": None, "partitionKeySource": "parserField"},
}
EMAIL: dict[str, Any] = {
    **{"parseEmailBody": None, "mergeEmailAttachments": False, "includeEmailSubjectBody": True},
    **{"attachmentFileTypes": [], "senderFilter": {"mode": "disabled", "rules": []}},
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


def test_a_classifier_is_created_with_defaults(lite: Api) -> None:
    parser_id = lite.parser()
    rules = [{"label": "Invoice", "targetParserId": parser_id.upper()}]
    answer = lite.post("/classifiers", json={"name": " Mail ", "routing": {"rules": rules}})
    assert answer.status_code == 201
    made = answer.json()
    assert made.keys() == KEYS
    (rule,) = made["settings"]["routing"]["rules"]
    assert rule == {"id": rule["id"], "label": "Invoice", "targetParserId": parser_id}
    routing = {"rules": [rule], "fallback": {"action": "skip", "targetParserId": None}, "instructions": ""}
    assert made == {
        **{key: made[key] for key in ("id", "createdAt", "updatedAt")},
        **{"slug": "mail", "name": "Mail", "description": "", "isActive": True, "emailAddress": None},
        "acceptedFileTypes": ALL_TYPES,
        "settings": {"routing": routing, "model": None, "splitDocuments": SPLIT, "emailParsing": EMAIL},
        "counts": {"totalDocuments": 0, "routed": 0, "skipped": 0, "failed": 0},
    }
    assert lite.get(f"/classifiers/{made['id']}").json() == made
    page = {"page": 1, "limit": 50, "total": 1, "pageCount": 1}
    assert lite.get("/classifiers").json() == {"data": [made], "pagination": page}


def test_all_settings_are_kept_and_merged(lite: Api) -> None:
    lite.inst.settings.models_file.write_text("large: {preset: openai}")
    other = lite.parser("Others")
    custom = {"partitionKey": "account", "partitionKeySource": "custom"}
    split = {"enabled": True, "mode": "partitionKey", **custom}
    classifier_id, _ = classifier(
        lite,
        "Invoice",
        description="d",
        isActive=False,
        acceptedFileTypes=["application/pdf"],
        model="large",
        splitDocuments=split,
        emailParsing={"parseEmailBody": False},
        routing={"fallback": {"action": "parser", "targetParserId": other}, "instructions": "i"},
    )
    path = f"/classifiers/{classifier_id}"
    made = lite.get(path).json()
    assert made["acceptedFileTypes"] == [{"mimeType": "application/pdf", "label": "PDF"}]
    assert made["settings"]["model"] == "large"
    assert made["settings"]["splitDocuments"] == {**SPLIT, **split}
    assert made["settings"]["emailParsing"] == {**EMAIL, "parseEmailBody": False}
    assert made["settings"]["routing"]["fallback"] == {"action": "route", "targetParserId": other}
    assert (made["description"], made["isActive"]) == ("d", False)
    again = lite.patch(path, json={"routing": made["settings"]["routing"]})
    assert (again.status_code, again.json()) == (200, made), "what was answered can be sent"
    changes: dict[str, Any] = {
        **{"name": "Post", "isActive": True, "acceptedFileTypes": []},
        "emailParsing": {"mergeEmailAttachments": True},
        "routing": {"fallback": {"action": "skip"}},
    }
    changed = lite.patch(path, json=changes).json()
    assert (changed["name"], changed["isActive"], changed["acceptedFileTypes"]) == ("Post", True, ALL_TYPES)
    assert changed["settings"] == {
        "model": "large",
        "splitDocuments": {**SPLIT, **split},
        "emailParsing": {**EMAIL, "parseEmailBody": False, "mergeEmailAttachments": True},
        "routing": {**made["settings"]["routing"], "fallback": {"action": "skip", "targetParserId": None}},
    }


@pytest.mark.parametrize(
    ("body", "path", "message"),
    [
        ({"routing": None}, "routing", "must be an object"),
        ({"routing": {"rules": [{"label": "x"}]}}, "routing.rules.0.targetParserId", "is required"),
        ({"routing": {"extra": 1}}, "routing.extra", "Unknown property: extra"),
        ({"classificationGate": {}}, "classificationGate", "Unknown property: classificationGate"),
        ({"isActive": None}, "isActive", "must be true or false"),
        ({"acceptedFileTypes": None}, "acceptedFileTypes", "must be an array"),
        ({"splitDocuments": {"mode": "x"}}, "splitDocuments.mode", "must be"),
    ],
)
def test_wrong_bodies_are_named(shared: Api, body: dict[str, Any], path: str, message: str) -> None:
    classifier_id, (parser_id,) = classifier(shared, "Invoice")
    rules = {"rules": [{"label": "Invoice", "targetParserId": parser_id}]}
    new = {"name": "Mail", "routing": rules, **body}
    if new["routing"]:
        new["routing"] = {**rules, **new["routing"]}
    with nothing_changes(shared):
        for answer in (
            shared.post("/classifiers", json=new),
            shared.patch(f"/classifiers/{classifier_id}", json=body),
        ):
            details = refused(answer, 400)["details"]
            assert any(one["path"] == path and message in one["message"] for one in details), answer.text
        for left in ({"name": "x"}, {"routing": rules}):
            (missing,) = {"name", "routing"} - left.keys()
            assert refused(shared.post("/classifiers", json=left), 400)["details"][0]["path"] == missing


def test_lists_are_filtered_and_sorted(lite: Api) -> None:
    first, (a,) = classifier(lite, "A")
    second, _ = classifier(lite, "B", name="Äpfel", isActive=False)

    def ids(api: Api = lite, **params: Any) -> list[str]:
        answer = api.get("/classifiers", params=params)
        assert answer.status_code == 200, answer.text
        return [one["id"] for one in answer.json()["data"]]

    assert ids() == [second, first] and ids(sort="name.asc") == [first, second]
    assert ids(q="ÄP") == [second] and ids(isActive="true") == [first]
    assert ids(limit=1, page=2) == [first]
    for wrong in ({"sort": "id"}, {"limit": 101}):
        refused(lite.get("/classifiers", params=wrong), 400)
    with lite.using(lite.key_with(parser_ids=[a])) as limited:
        assert ids(limited) == [first]


def test_documents_of_a_classifier(lite: Api) -> None:
    classifier_id, (a, b) = classifier(lite, "A", "B")
    skipped, pending = unrouted_in(lite.inst, classifier_id, "one.txt", "two.txt")
    ended(lite, skipped, "skipped")
    where = f"/classifiers/{classifier_id}/documents"
    body = lite.get(where, params={"status": "skipped"}).json()
    assert body["pagination"] == {"page": 1, "limit": 50, "total": 1, "pageCount": 1}
    (row,) = body["data"]
    nowhere = dict.fromkeys(
        ("category", "targetParserId", "targetParserName", "targetDocumentId", "confidence", "reasoning")
    )
    assert row == {
        **{key: row[key] for key in ("createdAt", "updatedAt")},
        **{"id": skipped, "name": "one.txt", "externalId": "one.txt", "custom": None, "source": "api"},
        **{"contentType": "text/plain", "pageCount": None, "status": "skipped"},
        "routing": {"status": "skipped", **nowhere, "error": None},
    }
    counts = lite.get(f"/classifiers/{classifier_id}").json()["counts"]
    assert counts == {"totalDocuments": 2, "routed": 0, "skipped": 1, "failed": 0}

    moved = lite.post(f"{where}/{skipped}/route", json={"targetParserId": b})
    assert moved.status_code == 200, moved.text
    assert moved.json()["routing"] == {
        **{"status": "routed", "category": "B", "targetParserId": b, "targetParserName": "B"},
        **{"targetDocumentId": skipped, "confidence": 1.0, "reasoning": "A person chose this parser."},
        "error": None,
    }
    assert lite.get(f"/parsers/{b}/documents/{skipped}").json()["metadata"]["classifierId"] == classifier_id
    for params, expected in (
        ({"targetParserId": b}, [skipped]),
        ({"targetParserId": a}, []),
        ({"q": "TWO"}, [pending]),
        ({"externalId": "two.txt"}, [pending]),
        ({"createdTo": "2020-01-01T00:00:00Z"}, []),
        ({"createdTo": row["createdAt"][:10], "sort": "name.desc"}, [pending, skipped]),
        ({"createdFrom": "2020-01-01", "sort": "name.desc"}, [pending, skipped]),
    ):
        assert [one["id"] for one in lite.get(where, params=params).json()["data"]] == expected
    for wrong in ({"status": "processed"}, {"sort": "relevance"}, {"targetParserId": "x"}):
        refused(lite.get(where, params=wrong), 400)
    answer = lite.post(f"{where}/{pending}/route", json={"targetParserId": b})
    refused(answer, 409, "Document is already being processed")
    bodies: list[tuple[dict[str, Any], int]] = [
        *(({}, 400), ({"targetParserId": "x"}, 400), ({"targetParserId": lite.parser("Stranger")}, 400)),
        ({"targetParserId": new_id()}, 404),
    ]
    for sent, status in bodies:
        refused(lite.post(f"{where}/{skipped}/route", json=sent), status)
    answer = lite.delete(f"/classifiers/{classifier_id.upper()}")
    assert (answer.status_code, answer.json()) == (200, {"success": True, "id": classifier_id})
    gone = refused(lite.get(f"/classifiers/{classifier_id}"), 404, "Classifier not found")
    assert gone["notFound"] == [{"type": "classifierId", "value": classifier_id}]


def test_a_limited_key_names_no_parsers_of_others(lite: Api) -> None:
    classifier_id, (a, b) = classifier(lite, "A", "B")
    rule = {"label": "x", "targetParserId": a}
    with lite.other_team() as strangers:
        made = strangers.post("/classifiers", json={"name": "x", "routing": {"rules": [rule]}})
        refused(made, 404, notFound=[{"type": "parserId", "value": a}])
    with lite.using(lite.key_with(parser_ids=[b])) as limited:
        new = {"name": "x", "routing": {"rules": [{**rule, "targetParserId": b}]}}
        mine = limited.post("/classifiers", json=new)
        assert mine.status_code == 201
        for routing in ({"rules": [rule]}, {"fallback": {"action": "route", "targetParserId": a}}):
            refused(limited.patch(f"/classifiers/{mine.json()['id']}", json={"routing": routing}), 403)
        refused(limited.post("/classifiers", json={**new, "routing": {"rules": [rule]}}), 403)
    assert lite.get(f"/classifiers/{classifier_id}").json()["name"] == "Mail"
