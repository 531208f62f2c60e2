"""``Idempotency-Key`` on every POST: the same request is answered as the first time."""

from __future__ import annotations

import datetime as dt
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from docduck.api.request import idempotency
from docduck.catalog.models import Document, IdempotentRequest
from docduck.service.folders import create_folder
from tests.api.routers.test_url_uploads import files_server
from tests.conftest import MakeInstallation
from tests.documents.formats.files import lines_page, pdf
from tests.server.served import Api, serving
from tests.service.classifiers.classifiers_world import unrouted_in
from tests.service.core.people import make_member, put_in_review
from tests.waiting import wait_for

USED = "This Idempotency-Key was used for another request; choose a new one"
KEY = {"Idempotency-Key": "order-17"}
REPLAYED = "idempotent-replayed"


def documents(api: Api) -> int:
    with api.inst.catalog.read_session() as session:
        return session.scalar(select(func.count()).select_from(Document)) or 0


def stored(api: Api) -> list[str]:
    """Files in the store, and what was left while writing."""
    incoming = (api.inst.settings.home / "files") / "incoming"
    return [*api.inst.files.hashes(), *(path.name for path in incoming.iterdir())]


def form(content: bytes, name: str = "a.txt", boundary: str = "first", **fields: str) -> dict[str, Any]:
    """A request with a file, as bytes that are known to the last."""
    parts = [f'Content-Disposition: form-data; name="{key}"\r\n\r\n{value}' for key, value in fields.items()]
    parts.append(f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n{content.decode()}')
    body = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts) + f"--{boundary}--\r\n"
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    return {"content": body.encode(), "headers": headers}


def send(api: Api, path: str, request: dict[str, Any], key: dict[str, str] = KEY) -> httpx.Response:
    return api.post(path, **{**request, "headers": {**request.get("headers", {}), **key}})


def split_part(api: Api, parser_id: str) -> str:
    """Return a part of a PDF that was split."""
    settings = {"splitDocuments": {"enabled": True, "everyXPages": 1}}
    api.patch(f"/parsers/{parser_id}", json=settings)
    data = pdf(lines_page(("Number: S-1",)), lines_page(("Number: S-2",)))
    answer = api.post(f"/process/{parser_id}/files", files={"file": ("s.pdf", data)}).json()
    api.process(parser_id)
    return str(answer["result"][0]["documentId"])


def webhook_with_delivery(api: Api, parser_id: str, document_id: str) -> tuple[str, str]:
    """Return the ids of a webhook and of a delivery of a processed document's export."""
    place = f"/parsers/{parser_id}/webhooks"
    webhook_id = api.post(place, json={"url": "https://hooks.invalid/"}).json()["id"]
    answer = api.post(f"/parsers/{parser_id}/documents/{document_id}/export")
    assert answer.status_code == 200, answer.text
    (delivery,) = api.get(f"{place}/{webhook_id}/deliveries").json()["data"]
    return webhook_id, delivery["id"]


@pytest.mark.slow
def test_every_post_is_done_once(make_installation: MakeInstallation) -> None:
    inst = make_installation(outbound_allowed_networks="127.0.0.1/32", rate_limit_minute=0)
    with serving(inst) as api, files_server() as site:
        p = api.parser()
        one, two, three, four, sent = (api.upload(p, f"Number: {number}".encode()) for number in range(5))
        api.process(p)
        folder = api.post(f"/parsers/{p}/folders", json={"name": "Paid"}).json()["id"]
        fields = [field["id"] for field in api.get(f"/parsers/{p}/fields").json()["fields"]]
        routing = {"rules": [{"label": "Invoice", "targetParserId": p}]}
        classifier = api.post("/classifiers", json={"name": "Mail", "routing": routing}).json()["id"]
        (unrouted,) = unrouted_in(inst, classifier, "a.txt")
        with inst.catalog.transaction() as session:
            session.get_one(Document, unrouted).status = "skipped"
        urls = {"urls": [f"{site}/a.txt"]}
        ann, bob = make_member(inst, "Ann", role="admin"), make_member(inst, "Bob")
        decided = [api.upload(p, f"Number: R-{number}".encode()) for number in range(4)]
        api.process(p)
        for document_id in decided:
            put_in_review(inst, document_id, ("A", "in_progress"), assignee_id=ann)
        approved = api.post(f"/parsers/{p}/documents/{decided[2]}/review/approve", json={"reviewerId": ann})
        assert approved.status_code == 200, approved.text
        decisions = dict(zip(("approve", "reject", "reset", "assign"), decided, strict=True))
        part = split_part(api, p)
        team_hook = api.post("/webhooks", json={"url": "https://hooks.invalid/", "events": ["*"]}).json()[
            "id"
        ]
        hook, delivery = webhook_with_delivery(api, p, sent)
        team_delivery = api.get(f"/webhooks/{team_hook}/deliveries").json()["data"][0]["id"]
        event = api.get("/events").json()["data"][0]["id"]
        owners = ("parsers/{parserId}", "classifiers/{classifierId}")
        for owner in owners:
            api.put(f"/{owner.format(parserId=p, classifierId=classifier)}/upload-page", json={})
        cases: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
            "/parsers": ({"json": {"name": "One"}}, {"json": {"name": "Two"}}),
            "/parsers/{parserId}/duplicate": ({}, {"json": {"name": "Copy"}}),
            "/parsers/{parserId}/fields": ({"json": {"name": "New"}}, {"json": {"name": "Old"}}),
            "/parsers/{parserId}/fields/suggest": (form(b"Number: 7"), form(b"Number: 8")),
            "/parsers/{parserId}/folders": ({"json": {"name": "One"}}, {"json": {"name": "Two"}}),
            "/parsers/{parserId}/documents/search": ({"json": {"q": "1"}}, {"json": {"q": "2"}}),
            "/parsers/{parserId}/documents/bulk-update": (
                {"json": {"documentIds": [one], "folderId": folder}},
                {"json": {"documentIds": [two], "folderId": folder}},
            ),
            "/parsers/{parserId}/documents/{documentId}/confirm": ({}, {"json": {"reviewerId": ann}}),
            "/parsers/{parserId}/documents/{documentId}/reprocess": ({}, {"json": {}}),
            "/parsers/{parserId}/documents/{documentId}/cancel": ({}, {"json": {}}),
            "/documents/reprocess": ({"json": {"documentIds": [two]}}, {"json": {"documentIds": [three]}}),
            "/documents/cancel": ({"json": {"documentIds": [two]}}, {"json": {"documentIds": [three]}}),
            "/parsers/{parserId}/documents/reprocess": (
                {"json": {"statuses": ["failed"]}},
                {"json": {"statuses": ["processed"]}},
            ),
            "/documents/delete": ({"json": {"documentIds": [four]}}, {"json": {"documentIds": [three]}}),
            "/parsers/{parserId}/documents/delete": (
                {"json": {"documentIds": [two]}},
                {"json": {"documentIds": [one]}},
            ),
            "/process/{parserId}/reprocess": ({"json": {"documentId": three}}, {"json": {"documentId": one}}),
            "/process/{parserId}/documents/delete": (
                {"json": {"documentIds": [three]}},
                {"json": {"documentIds": [one]}},
            ),
            "/process/{parserId}/files": (form(b"one"), form(b"two")),
            "/process/files": (form(b"one", parserId=p), form(b"two", parserId=p)),
            "/process/{parserId}/urls": ({"json": urls}, {"json": {**urls, "externalIds": ["E"]}}),
            "/process/urls": (
                {"json": {**urls, "parserId": p}},
                {"json": {**urls, "parserId": p, "externalIds": ["E"]}},
            ),
            "/classifiers": (
                {"json": {"name": "One", "routing": routing}},
                {"json": {"name": "Two", "routing": routing}},
            ),
            "/classifiers/{classifierId}/documents/{documentId}/route": (
                {"json": {"targetParserId": p}},
                {"json": {"targetParserId": folder}},
            ),
            **{
                f"/parsers/{{parserId}}/documents/{{documentId}}/review/{decision}": (
                    {"json": {"reviewerId" if decision != "assign" else "assigneeId": ann}},
                    {"json": {"reviewerId" if decision != "assign" else "assigneeId": bob}},
                )
                for decision in decisions
            },
            "/parsers/{parserId}/documents/{documentId}/split/undo": ({}, {"json": {}}),
            "/parsers/{parserId}/exports": ({"json": {"format": "json"}}, {"json": {"format": "xml"}}),
            "/parsers/{parserId}/evaluations": ({}, {"json": {"documentIds": [decided[0]]}}),
            "/parsers/{parserId}/export-layouts": ({"json": {"name": "One"}}, {"json": {"name": "Two"}}),
            **{f"/{owner}/upload-page/renew": ({}, {"json": {}}) for owner in owners},
            "/parsers/{parserId}/review-stages": ({"json": {"name": "One"}}, {"json": {"name": "Two"}}),
            "/parsers/{parserId}/webhooks": (
                {"json": {"url": "https://example.org/1"}},
                {"json": {"url": "https://example.org/2"}},
            ),
            "/parsers/{parserId}/webhooks/{webhookId}/secret/rotate": ({}, {"json": {}}),
            "/parsers/{parserId}/webhooks/{webhookId}/test": ({}, {"json": {"event": "document.failed"}}),
            "/parsers/{parserId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry": ({}, {"json": {}}),
            "/webhooks": (
                {"json": {"url": "https://example.org/1"}},
                {"json": {"url": "https://example.org/2"}},
            ),
            "/webhooks/{webhookId}/secret/rotate": ({}, {"json": {}}),
            "/webhooks/{webhookId}/test": ({}, {"json": {"event": "document.failed"}}),
            "/webhooks/{webhookId}/deliveries/{deliveryId}/retry": ({}, {"json": {}}),
            "/webhooks/{webhookId}/replay": ({"json": {"eventId": event}}, {"json": {"eventId": p}}),
            "/parsers/{parserId}/documents/{documentId}/export": ({}, {"json": {}}),
            "/parsers/{parserId}/fields/reorder": (
                {"json": {"fieldIds": [*reversed(fields), "New"]}},
                {"json": {"fieldIds": [*fields, "New"]}},
            ),
        }
        described = api.get("/openapi.json").json()["paths"]
        posts = {path.removeprefix("/api/v1") for path, item in described.items() if "post" in item}
        assert cases.keys() == posts
        for place, (request, other) in cases.items():
            document_id = unrouted if "classifiers" in place else part if "split" in place else one
            document_id = decisions.get(place.rpartition("/")[2], document_id)
            document_id = sent if place.endswith("/export") else document_id
            path = place.format(
                parserId=p,
                documentId=document_id,
                classifierId=classifier,
                webhookId=team_hook if place.startswith("/webhooks") else hook,
                deliveryId=team_delivery if place.startswith("/webhooks") else delivery,
            )
            key = {"Idempotency-Key": place}
            first = send(api, path, request, key)
            assert first.status_code in (200, 201), (place, first.text)
            assert REPLAYED not in first.headers, place
            before = documents(api), stored(api)
            again = send(api, path, request, key)
            assert (again.status_code, again.json()) == (first.status_code, first.json()), place
            assert again.headers[REPLAYED] == "true", place
            refused = send(api, path, other, key)
            assert (refused.status_code, refused.json()["message"]) == (400, USED), place
            assert (documents(api), stored(api)) == before, place


def test_a_request_is_held_for_as_long_as_it_is_processed(lite: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/parsers/{lite.parser()}/folders"
    goes_on = threading.Event()

    def create_slowly(*arguments: Any) -> Any:
        assert goes_on.wait(60)
        return create_folder(*arguments)

    def held_until() -> list[dt.datetime | None]:
        with lite.inst.catalog.read_session() as session:
            return list(session.scalars(select(IdempotentRequest.leased_until)))

    monkeypatch.setattr("docduck.api.routers.folders.create_folder", create_slowly)
    monkeypatch.setattr(idempotency, "HEARTBEAT_SECONDS", 0.01)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(send, lite, path, {"json": {"name": "Paid"}})
        wait_for(held_until)
        begin = held_until()
        wait_for(lambda: held_until() > begin)
        refused = send(lite, path, {"json": {"name": "Paid"}})
        assert (refused.status_code, "still in progress" in refused.text) == (409, True)
        goes_on.set()
        assert first.result().status_code == 201
    assert send(lite, path, {"json": {"name": "Paid"}}).json() == first.result().json()


def test_another_file_of_the_same_length_is_another_request(lite: Api) -> None:
    path = f"/process/{lite.parser()}/files"
    first = send(lite, path, form(b"Total: 12.50"))
    assert first.status_code == 200
    for other in (form(b"Total: 99.99"), form(b"Total: 12.50", name="b.txt")):
        answer = send(lite, path, other)
        assert (answer.status_code, answer.json()["message"]) == (400, USED)
    assert documents(lite) == 1


def test_the_boundary_between_the_parts_of_an_upload_does_not_count(lite: Api) -> None:
    path = f"/process/{lite.parser()}/files"
    first = send(lite, path, form(b"Total: 12.50", externalIds='["E"]'))
    again = send(lite, path, form(b"Total: 12.50", boundary="another-one", externalIds='["E"]'))
    assert again.json() == first.json() and again.headers[REPLAYED] == "true"
    other = send(lite, path, form(b"Total: 12.50", externalIds='["F"]'))
    assert (other.status_code, other.json()["message"]) == (400, USED)
    assert documents(lite) == 1


def test_an_upload_that_was_refused_can_be_sent_again(lite: Api) -> None:
    p = lite.parser()
    assert send(lite, f"/process/{p}/files", form(b"a", externalIds="[1]")).status_code == 400
    assert send(lite, f"/process/{p}/files", form(b"a", externalIds='["1"]')).status_code == 200


def test_a_change_is_not_made_again_if_its_answer_was_too_large_to_store(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(idempotency_max_bytes=10)
    with serving(inst) as api:
        p = api.parser()
        path = f"/process/{p}/files"
        first = send(api, path, form(b"Total: 12.50"))
        again = send(api, path, form(b"Total: 12.50"))
        assert (again.status_code, again.json()) == (200, first.json())
        assert documents(api) == 1
        order = {"fieldIds": [field["id"] for field in api.get(f"/parsers/{p}/fields").json()["fields"]]}
        reorder = f"/parsers/{p}/fields/reorder", {"json": order}, {"Idempotency-Key": "order"}
        assert send(api, *reorder).status_code == 200
        refused = send(api, *reorder)
        assert refused.status_code == 409
        assert "over 10 bytes" in refused.json()["message"]
        search = {"json": {"q": "a"}}
        for _ in range(2):
            found = send(api, f"/parsers/{p}/documents/search", search, {"Idempotency-Key": "search"})
            assert found.status_code == 200 and REPLAYED not in found.headers
