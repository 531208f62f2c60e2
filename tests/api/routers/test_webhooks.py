"""Webhooks over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import IdempotentRequest
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserView
from tests.api.request.hostile import refused
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving
from tests.service.core.documents import make_parser
from tests.service.reviews.reviews_world import read_one
from tests.service.webhooks.receiver import INSECURE, Receiver, deliver

URL = "https://example.org/hook"


@pytest.fixture
def api(make_installation: MakeInstallation) -> Iterator[Api]:
    with serving(make_installation(**INSECURE)) as api:
        yield api


@pytest.fixture
def parser(api: Api) -> ParserView:
    return make_parser(api.inst)


def test_events_and_their_replay(api: Api, parser: ParserView, receiver: Receiver) -> None:
    document_id = read_one(api.inst, parser)
    elsewhere = read_one(api.inst, other := make_parser(api.inst, "Others"))
    whole = api.get("/events").json()
    assert {*whole["data"][0]} == {"id", "event", "parserId", "documentId", "createdAt"}
    assert [row["documentId"] for row in whole["data"]] == [document_id] * 2 + [elsewhere] * 2
    cursor = whole["pagination"].pop("nextCursor")
    assert whole["pagination"] == {"limit": 50, "hasMore": False}
    assert api.get("/events", params={"cursor": cursor}).json()["data"] == []
    exported = {"event": "document.exported", "parserId": parser.id}
    (event,) = api.get("/events", params=exported).json()["data"]
    with api.using(api.key_with(parser_ids=[other.id])) as limited:
        seen = limited.get("/events").json()["data"]
        assert [row["documentId"] for row in seen] == [elsewhere] * 2
        refused(limited.get("/events", params={"parserId": parser.id}), 403)
    for wrong in ({"cursor": "x"}, {"event": "x"}, {"since": "2020-01-01"}):
        (detail,) = refused(api.get("/events", params=wrong), 400)["details"]
        assert [detail["path"]] == [*wrong]

    made = api.post("/webhooks", json={"url": receiver.url(), "events": ["document.exported"]}).json()
    replay, of_one = f"/webhooks/{made['id']}/replay", {"eventId": event["id"]}
    assert api.post(replay, json=of_one).json() == {"deliveries": 1, "pending": 0, "skipped": 0}
    since = {"createdFrom": event["createdAt"]}
    assert api.post(replay, json=since).json() == {"deliveries": 1, "pending": 1, "skipped": 0}
    deliver(api.inst)
    sent = [one.verify(made["secret"])["metadata"]["id"] for one in receiver.received]
    assert sorted(sent) == sorted([document_id, elsewhere])
    log = api.get(f"/webhooks/{made['id']}/deliveries").json()["data"]
    assert event["id"] in {row["eventId"] for row in log}
    for wrong in ({}, {**of_one, **since}, {**of_one, "createdTo": event["createdAt"]}, {"eventId": "x"}):
        refused(api.post(replay, json=wrong), 400)
    assert refused(api.post(replay, json={"eventId": new_id()}), 404)["notFound"][0]["type"] == "eventId"
    with api.using(api.key_with(parser_ids=[parser.id])) as limited:
        refused(limited.post(replay, json=of_one), 403)
        mine = api.post(hooks(parser), json={"url": URL}).json()["id"]
        assert limited.post(f"/webhooks/{mine}/replay", json=of_one).status_code == 200


def hooks(parser: ParserView, *more: str) -> str:
    return "/".join((f"/parsers/{parser.id}/webhooks", *more))


def test_a_webhook_from_its_creation_to_its_deletion(api: Api, parser: ParserView) -> None:
    body = {
        "url": URL,
        "events": ["document.failed", "document.exported"],
        "name": "ERP",
        "description": "Our ERP",
        "headers": {"Authorization": "Bearer s3cret"},
        "isActive": False,
        "valueFormat": "string",
    }
    answer = api.post(hooks(parser), json=body)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    secret = made.pop("secret")
    assert made == {
        "id": made["id"],
        "parserId": parser.id,
        **body,
        "events": ["document.exported", "document.failed"],
        "headers": {"Authorization": "***"},
        "status": "paused",
        "lastDeliveryAt": None,
        "lastStatusCode": None,
        "createdAt": made["createdAt"],
        "updatedAt": made["updatedAt"],
    }
    assert api.get(hooks(parser)).json()["data"] == [made]
    assert api.get(hooks(parser, made["id"])).json() == made
    assert api.get(hooks(parser, made["id"], "secret")).json() == {"secret": secret}
    changed = api.patch(hooks(parser, made["id"]), json={"isActive": True, "events": ["*"]}).json()
    assert (changed["status"], changed["isActive"], changed["events"]) == ("active", True, ["*"])
    rotated = api.post(hooks(parser, made["id"], "secret", "rotate")).json()
    assert rotated["secret"] != secret and rotated["previousSecretExpiresAt"].endswith("Z")
    assert api.get(hooks(parser, made["id"], "secret")).json() == {"secret": rotated["secret"]}
    gone = api.delete(hooks(parser, made["id"]))
    assert gone.json() == {"success": True, "id": made["id"]}
    body = refused(api.get(hooks(parser, made["id"])), 404, "Webhook not found")
    assert body["notFound"] == [{"type": "webhookId", "value": made["id"]}]


def test_what_is_refused(lite: Api) -> None:
    parser = make_parser(lite.inst)
    for url, words in (
        ("http://example.org/", "Webhook URL must use HTTPS"),
        ("https://10.0.0.1/", "URL is not allowed: https://10.0.0.1/"),
        ("https://localhost/", "URL is not allowed: https://localhost/"),
    ):
        body = refused(lite.post(hooks(parser), json={"url": url}), 400, words)
        assert body["details"][0]["path"] == "url"
    wrong: list[tuple[str, Any]] = [
        ("url", None),
        ("events", ["x"]),
        ("events", None),
        ("headers", {"Host": "x"}),
        ("headers", {"A": 1}),
        ("valueFormat", "xml"),
        ("isActive", "yes"),
        ("secret", "whsec_x"),
    ]
    for path, value in wrong:
        body = refused(lite.post(hooks(parser), json={"url": URL, path: value}), 400)
        assert body["details"][0]["path"] == (f"headers.{next(iter(value))}" if path == "headers" else path)
    assert lite.post(hooks(parser), json={"url": URL}).status_code == 201
    listed = lite.get(hooks(parser)).json()
    assert listed["pagination"] == {"page": 1, "limit": 1, "total": 1, "pageCount": 1}
    same = "A webhook with this URL and these events exists already"
    refused(lite.post(hooks(parser), json={"url": URL}), 409, same)


def test_a_test_tells_what_the_receiver_answered(api: Api, parser: ParserView, receiver: Receiver) -> None:
    made = api.post(hooks(parser), json={"url": receiver.url(), "isActive": False}).json()
    place = hooks(parser, made["id"], "test")
    result = api.post(place).json()
    passed = {"success": True, "statusCode": 204, "durationMs": result["durationMs"], "error": None}
    assert result == passed
    (got,) = receiver.received
    payload = got.verify(made["secret"])
    assert payload["extracted_data"] == {"Number": None, "Total": None, "Tags": [], "Line Items": []}
    assert (payload["metadata"]["event"], payload["metadata"]["test"]) == ("webhook.test", True)
    assert payload["metadata"]["url"] == f"{api.address}/documents/{payload['metadata']['id']}"
    receiver.answer = lambda _: (503, {})
    result = api.post(place, json={"event": "document.failed"}).json()
    assert (result["success"], result["statusCode"]) == (False, 503)
    assert result["error"] == "the server answered 503"
    payload = receiver.received[1].payload
    assert payload["extracted_data"] == {}
    assert (payload["metadata"]["status"], payload["metadata"]["event"]) == ("failed", "document.failed")
    assert api.post(place, json={"event": "*"}).status_code == 400
    gone = api.patch(hooks(parser, made["id"]), json={"url": "http://127.0.0.1:8181/"})
    assert gone.status_code == 200
    result = api.post(place).json()
    assert (result["success"], result["statusCode"]) == (False, None)
    assert result["error"] == "the server can't be connected to"
    assert api.get(hooks(parser, made["id"], "deliveries")).json()["data"] == []


def test_the_log_of_what_was_sent_and_a_retry(api: Api, parser: ParserView, receiver: Receiver) -> None:
    made = api.post(hooks(parser), json={"url": receiver.url()}).json()
    api.post(hooks(parser, made["id"], "test"))
    receiver.answer = lambda _: (500, {})
    document_id = read_one(api.inst, parser)
    deliver(api.inst)
    trial, real = (one.payload["metadata"] for one in receiver.received)
    assert real.keys() == trial.keys() - {"test"}
    document = api.get(f"/parsers/{parser.id}/documents/{document_id}").json()
    assert receiver.received[1].payload["extracted_data"] == document["data"]
    same = (
        "name",
        "externalId",
        "custom",
        "status",
        "folderId",
        "pageCount",
        "createdAt",
        "source",
        "review",
    )
    assert {name: real[name] for name in same} == {name: document[name] for name in same}
    log = hooks(parser, made["id"], "deliveries")
    found = api.get(log).json()
    (row,) = found["data"]
    assert found["pagination"] == {"page": 1, "limit": 50, "total": 1, "pageCount": 1}
    (attempt,) = row["attempts"]
    assert row == {
        "id": row["id"],
        "event": "document.exported",
        "eventId": row["eventId"],
        "documentId": document_id,
        "status": "pending",
        "attempts": [
            {
                "at": attempt["at"],
                "statusCode": 500,
                "durationMs": attempt["durationMs"],
                "error": "the server answered 500",
            }
        ],
        "nextAttemptAt": row["nextAttemptAt"],
        "createdAt": row["createdAt"],
    }
    assert row["nextAttemptAt"] > row["createdAt"]
    receiver.answer = lambda _: (200, {})
    assert api.post(f"{log}/{row['id']}/retry").json() == {"success": True}
    deliver(api.inst)
    assert api.get(log, params={"status": "succeeded"}).json()["data"][0]["id"] == row["id"]
    assert api.get(log, params={"status": "failed"}).json()["data"] == []
    assert api.get(log, params={"status": "x"}).status_code == 400
    shown = api.get(hooks(parser, made["id"])).json()
    assert shown["lastStatusCode"] == 200 and shown["lastDeliveryAt"]
    missing = refused(api.post(f"{log}/{new_id()}/retry"), 404, "Delivery not found")
    assert missing["notFound"][0]["type"] == "deliveryId"


def test_an_export_is_sent_again(api: Api, parser: ParserView, receiver: Receiver) -> None:
    document_id = read_one(api.inst, parser)
    place = f"/parsers/{parser.id}/documents/{document_id}/export"
    refused(api.post(place), 409, "No active webhook of the parser subscribes to document.exported")
    api.post(hooks(parser), json={"url": receiver.url()})
    assert api.post(place).json() == {"success": True}
    deliver(api.inst)
    assert receiver.events == ["document.exported"]


def test_a_repeated_creation_gets_the_same_secret_which_is_nowhere_in_the_catalog(
    api: Api, parser: ParserView
) -> None:
    key = {"Idempotency-Key": "once"}
    first, again = (api.post(hooks(parser), json={"url": URL}, headers=key) for _ in range(2))
    assert first.json() == again.json() and again.headers["idempotent-replayed"] == "true"
    secret = first.json()["secret"].removeprefix("whsec_")
    assert not stored_anywhere(api.inst, secret)


def stored_anywhere(inst: Installation, text: str) -> bool:
    """Whether a text is in any column of any table."""
    with inst.catalog.read_session() as session:
        bodies = session.scalars(select(IdempotentRequest.body)).all()
        assert bodies
        tables = IdempotentRequest.metadata.sorted_tables
        return any(text in str(row) for table in tables for row in session.execute(select(table)))
