"""Webhooks over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

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


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def api(request: pytest.FixtureRequest, make_installation: MakeInstallation) -> Iterator[Api]:
    more = {}
    if request.param == "postgres":
        more["catalog_url"] = request.getfixturevalue("postgres_catalog")
    with serving(make_installation(**INSECURE, **more)) as api:
        yield api


@pytest.fixture
def parser(api: Api) -> ParserView:
    return make_parser(api.inst)


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
    assert api.get(hooks(parser)).json() == {"data": [made]}
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


def test_what_is_refused(make_installation: MakeInstallation) -> None:
    with serving(make_installation()) as api:
        parser = make_parser(api.inst)
        plain = api.post(hooks(parser), json={"url": "http://example.org/"})
        refused(plain, 400, "Webhook URL must use HTTPS")
        for host in ("10.0.0.1", "localhost", "169.254.169.254", "a@example.org"):
            url = f"https://{host}/"
            body = refused(api.post(hooks(parser), json={"url": url}), 400, f"URL is not allowed: {url}")
            assert body["details"][0]["path"] == "url"
        for body, path in (
            ({}, "url"),
            ({"url": None}, "url"),
            ({"url": URL, "events": ["x"]}, "events"),
            ({"url": URL, "events": None}, "events"),
            ({"url": URL, "headers": {"Host": "x"}}, "headers.Host"),
            ({"url": URL, "headers": {"A": 1}}, "headers.A"),
            ({"url": URL, "valueFormat": "xml"}, "valueFormat"),
            ({"url": URL, "isActive": "yes"}, "isActive"),
            ({"url": URL, "secret": "whsec_x"}, "secret"),
        ):
            answer = api.post(hooks(parser), json=body)
            assert answer.status_code == 400, (body, answer.text)
            assert answer.json()["details"][0]["path"] == path
        assert api.post(hooks(parser), json={"url": URL}).status_code == 201
        refused(
            api.post(hooks(parser), json={"url": URL}),
            409,
            "A webhook with this URL and these events exists already",
        )


def test_keys_with_less_than_all_permissions(api: Api, parser: ParserView) -> None:
    made = api.post(hooks(parser), json={"url": URL}).json()
    mine = hooks(parser, made["id"])
    with api.using(api.key_with(["webhooks:read"])) as reader:
        assert reader.get(hooks(parser)).status_code == 200
        assert reader.get(f"{mine}/deliveries").status_code == 200
        for method, path in (
            ("POST", hooks(parser)),
            ("PATCH", mine),
            ("DELETE", mine),
            ("GET", f"{mine}/secret"),
            ("POST", f"{mine}/secret/rotate"),
            ("POST", f"{mine}/test"),
            ("POST", f"{mine}/deliveries/{new_id()}/retry"),
            ("POST", f"/parsers/{parser.id}/documents/{new_id()}/export"),
        ):
            assert reader.request(method, path).status_code == 403, (method, path)
    with api.other_team() as strangers:
        refused(strangers.get(mine), 404, "Parser not found")


def test_a_test_tells_what_the_receiver_answered(api: Api, parser: ParserView, receiver: Receiver) -> None:
    made = api.post(hooks(parser), json={"url": receiver.url(), "isActive": False}).json()
    place = hooks(parser, made["id"], "test")
    result = api.post(place).json()
    assert result == {
        "success": True,
        "statusCode": 204,
        "durationMs": result["durationMs"],
        "error": None,
    }
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


def test_a_test_has_the_keys_of_a_real_event(api: Api, parser: ParserView, receiver: Receiver) -> None:
    made = api.post(hooks(parser), json={"url": receiver.url()}).json()
    read_one(api.inst, parser)
    deliver(api.inst)
    api.post(hooks(parser, made["id"], "test"))
    real, trial = (one.payload["metadata"] for one in receiver.received)
    assert real.keys() == trial.keys() - {"test"}
    shown = api.get(f"/parsers/{parser.id}/documents/{real['id']}").json()
    assert receiver.received[0].payload["extracted_data"] == shown["data"]
    assert real["review"] == shown["review"]
    for name in ("name", "externalId", "custom", "status", "folderId", "pageCount", "createdAt", "source"):
        assert real[name] == shown[name], name


def test_the_log_and_a_retry(api: Api, parser: ParserView, receiver: Receiver) -> None:
    made = api.post(hooks(parser), json={"url": receiver.url()}).json()
    receiver.answer = lambda _: (500, {})
    document_id = read_one(api.inst, parser)
    deliver(api.inst)
    log = hooks(parser, made["id"], "deliveries")
    found = api.get(log).json()
    (row,) = found["data"]
    assert found["pagination"] == {"page": 1, "limit": 50, "total": 1, "pageCount": 1}
    (attempt,) = row["attempts"]
    assert row == {
        "id": row["id"],
        "event": "document.exported",
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
    other = make_parser(api.inst, "Other")
    refused(api.post(f"/parsers/{other.id}/documents/{document_id}/export"), 400, "Parser ID mismatch")
    refused(api.post(f"/parsers/{parser.id}/documents/{new_id()}/export"), 404, "Document not found")


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
