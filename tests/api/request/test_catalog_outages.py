"""The catalog goes away between any two commits of a POST: sent again with its key, it is done once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, NullPool, create_engine, event, select, text

from docduck.api.routers.uploads import combined_items
from docduck.catalog.models import Document, FiredEvent, IdempotentRequest
from docduck.service.core import file_references, started_request
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.settings import Settings
from tests.api.routers.test_url_uploads import files_server
from tests.catalog_outage import MOMENTS, catalog_outage, changes, rows
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving
from tests.service.classifiers.classifiers_world import unrouted_in
from tests.service.core.documents import add, complete
from tests.service.core.people import make_member, put_in_review

Request = tuple[str, dict[str, Any]]

REPLAYED = "idempotent-replayed"
_VARYING = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "<time>"),
    (re.compile(r"-\d{8}-\d{6}\b"), "<time>"),
    (re.compile(r"whsec_\S+"), "<secret>"),
    (re.compile(r"/(files|exports|upload)/\S+"), "<link>"),
    (re.compile(r"\bf_[0-9a-z]{8}\b"), "<field>"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "<version>"),
    (re.compile(r"\b(Thing|thing)[ _-]\d+"), "<name>"),
)
"""What differs between two requests that do the same."""


class World:
    """A server, and what its requests need; all that is made is new."""

    def __init__(self, api: Api, site: str) -> None:
        self.api, self.inst, self.site = api, api.inst, site
        self.ann = make_member(api.inst, "Ann", role="admin")
        self.numbers = count()
        # For the events of all parsers, so that other requests write to it, too.
        answer = api.post("/webhooks", json={"url": "https://hooks.invalid/", "events": ["*"]})
        self.team_webhook = str(answer.json()["id"])

    def name(self) -> str:
        return f"Thing {next(self.numbers)}"

    def parser(self) -> str:
        return self.api.parser(self.name())

    def view(self, parser_id: str) -> ParserView:
        return get_parser(self.inst, self.inst.team_id, parser_id)

    def queued(self, parser_id: str, documents: int = 1) -> list[str]:
        return add(self.inst, self.view(parser_id), documents)

    def processed(self, parser_id: str, documents: int = 1) -> list[str]:
        ids = self.queued(parser_id, documents)
        complete(self.inst, self.view(parser_id))
        return ids

    def reviewed(self, parser_id: str, *stages: tuple[str, str]) -> str:
        (document_id,) = self.processed(parser_id)
        put_in_review(self.inst, document_id, *stages, assignee_id=self.ann)
        return document_id

    def routing(self) -> dict[str, Any]:
        return {"rules": [{"label": "Invoice", "targetParserId": self.parser()}]}

    def classifier(self) -> str:
        answer = self.api.post("/classifiers", json={"name": self.name(), "routing": self.routing()})
        return str(answer.json()["id"])

    def webhook(self, parser_id: str) -> str:
        answer = self.api.post(f"/parsers/{parser_id}/webhooks", json={"url": "https://hooks.invalid/"})
        return str(answer.json()["id"])


def parsers(world: World) -> Request:
    return "/parsers", {"json": {"name": world.name(), "templateKey": "invoice"}}


def duplicate(world: World) -> Request:
    return f"/parsers/{world.parser()}/duplicate", {"json": {"name": world.name()}}


def fields(world: World) -> Request:
    parser_id = world.parser()
    world.processed(parser_id)
    return f"/parsers/{parser_id}/fields", {"json": {"name": "Vat"}}


def reorder(world: World) -> Request:
    parser_id = world.parser()
    order = [field.id for field in reversed(world.view(parser_id).fields)]
    return f"/parsers/{parser_id}/fields/reorder", {"json": {"fieldIds": order}}


def folders(world: World) -> Request:
    return f"/parsers/{world.parser()}/folders", {"json": {"name": "Paid"}}


def bulk_update(world: World) -> Request:
    parser_id = world.parser()
    body = {"documentIds": world.processed(parser_id, 2), "custom": {"order": 7}}
    return f"/parsers/{parser_id}/documents/bulk-update", {"json": body}


def confirm(world: World) -> Request:
    parser_id = world.parser()
    return f"/parsers/{parser_id}/documents/{world.processed(parser_id)[0]}/confirm", {}


def reprocess_one(world: World) -> Request:
    parser_id = world.parser()
    return f"/parsers/{parser_id}/documents/{world.processed(parser_id)[0]}/reprocess", {}


def reprocess_by_body(world: World) -> Request:
    parser_id = world.parser()
    return f"/process/{parser_id}/reprocess", {"json": {"documentId": world.processed(parser_id)[0]}}


def reprocess_parser(world: World) -> Request:
    parser_id = world.parser()
    world.processed(parser_id, 3)
    return f"/parsers/{parser_id}/documents/reprocess", {}


def reprocess_many(world: World) -> Request:
    return "/documents/reprocess", {"json": {"documentIds": world.processed(world.parser(), 2)}}


def cancel_one(world: World) -> Request:
    parser_id = world.parser()
    return f"/parsers/{parser_id}/documents/{world.queued(parser_id)[0]}/cancel", {}


def cancel_many(world: World) -> Request:
    return "/documents/cancel", {"json": {"documentIds": world.queued(world.parser(), 2)}}


def delete_many(world: World) -> Request:
    return "/documents/delete", {"json": {"documentIds": world.processed(world.parser(), 2)}}


def delete_of_parser(world: World) -> Request:
    parser_id = world.parser()
    body = {"documentIds": world.processed(parser_id, 2)}
    return f"/parsers/{parser_id}/documents/delete", {"json": body}


def delete_by_body(world: World) -> Request:
    parser_id = world.parser()
    return f"/process/{parser_id}/documents/delete", {"json": {"documentIds": world.queued(parser_id, 2)}}


def upload(world: World) -> Request:
    form = {"data": {"externalIds": '["A", "B"]'}, "files": [("file", ("b", b"b")), ("file", ("a", b"a"))]}
    return f"/process/{world.parser()}/files", form


def upload_to_classifier(world: World) -> Request:
    form = {"data": {"classifierId": world.classifier()}, "files": {"file": ("a.txt", b"Number: 1")}}
    return "/process/files", form


def upload_url(world: World) -> Request:
    body = {"urls": [f"{world.site}/a.txt"], "externalIds": ["E"]}
    return f"/process/{world.parser()}/urls", {"json": body}


def upload_url_by_body(world: World) -> Request:
    return "/process/urls", {"json": {"urls": [f"{world.site}/a.txt"], "parserId": world.parser()}}


def classifiers(world: World) -> Request:
    return "/classifiers", {"json": {"name": world.name(), "routing": world.routing()}}


def route(world: World) -> Request:
    routing = world.routing()
    answer = world.api.post("/classifiers", json={"name": world.name(), "routing": routing})
    classifier_id = answer.json()["id"]
    (document_id,) = unrouted_in(world.inst, classifier_id, "a.txt")
    with world.inst.catalog.transaction() as session:
        session.get_one(Document, document_id).status = "skipped"
    target = routing["rules"][0]["targetParserId"]
    return f"/classifiers/{classifier_id}/documents/{document_id}/route", {"json": {"targetParserId": target}}


def approve(world: World) -> Request:
    parser_id = world.parser()
    # With a second stage of the same person, which a second approval would approve.
    document_id = world.reviewed(parser_id, ("A", "in_progress"), ("B", "pending"))
    stages = world.api.get(f"/parsers/{parser_id}/review-stages").json()["data"]
    world.api.patch(f"/parsers/{parser_id}/review-stages/{stages[1]['id']}", json={"reviewerId": world.ann})
    return f"/parsers/{parser_id}/documents/{document_id}/review/approve", {"json": {"reviewerId": world.ann}}


def reject(world: World) -> Request:
    parser_id = world.parser()
    document_id = world.reviewed(parser_id, ("A", "in_progress"))
    return f"/parsers/{parser_id}/documents/{document_id}/review/reject", {"json": {"reviewerId": world.ann}}


def reset(world: World) -> Request:
    path, body = reject(world)
    assert world.api.post(path, **body).status_code == 200
    return path.replace("/reject", "/reset"), body


def assign(world: World) -> Request:
    parser_id = world.parser()
    document_id = world.reviewed(parser_id, ("A", "in_progress"))
    bob = make_member(world.inst, "Bob")
    return f"/parsers/{parser_id}/documents/{document_id}/review/assign", {"json": {"assigneeId": bob}}


def undo_split(world: World) -> Request:
    parser_id = world.parser()
    parts = world.processed(parser_id, 2)
    whole = world.inst.files.put_bytes(b"one, two")
    with world.inst.catalog.transaction() as session:
        file_references.acquire(session, {whole.sha256: 2}, {whole.sha256: whole.size})
        for index, part in enumerate(parts, start=1):
            row = session.get_one(Document, part)
            source = {"sourceDocumentId": parts[0], "sourceName": "whole.txt", "total": 2}
            row.split, row.split_sha256 = {**source, "index": index}, whole.sha256
    return f"/parsers/{parser_id}/documents/{parts[1]}/split/undo", {}


def export_new(world: World) -> Request:
    parser_id = world.parser()
    world.processed(parser_id, 2)
    return f"/parsers/{parser_id}/exports", {"json": {"format": "json", "onlyNew": "books"}}


def export_new_by_link(world: World) -> Request:
    path, body = export_new(world)
    return f"{path}?delivery=link", body


def export_layouts(world: World) -> Request:
    return f"/parsers/{world.parser()}/export-layouts", {"json": {"name": "Books"}}


def review_stages(world: World) -> Request:
    return f"/parsers/{world.parser()}/review-stages", {"json": {"name": "Check"}}


def webhooks(world: World) -> Request:
    return f"/parsers/{world.parser()}/webhooks", {"json": {"url": "https://hooks.invalid/1"}}


def webhooks_of_team(world: World) -> Request:
    url = f"https://hooks.invalid/thing-{next(world.numbers)}"
    return "/webhooks", {"json": {"url": url, "isActive": False}}


def rotate_secret_of_team(world: World) -> Request:
    path, body = webhooks_of_team(world)
    return f"{path}/{world.api.post(path, **body).json()['id']}/secret/rotate", {}


def retry_delivery_of_team(world: World) -> Request:
    webhook_id = world.team_webhook
    world.processed(world.parser())
    place = f"/webhooks/{webhook_id}/deliveries"
    return f"{place}/{world.api.get(place).json()['data'][0]['id']}/retry", {}


def replay(world: World) -> Request:
    world.processed(world.parser())
    with world.inst.catalog.read_session() as session:
        event_id = session.scalar(select(FiredEvent.id).order_by(FiredEvent.number.desc()).limit(1))
    return f"/webhooks/{world.team_webhook}/replay", {"json": {"eventId": event_id}}


def rotate_secret(world: World) -> Request:
    parser_id = world.parser()
    return f"/parsers/{parser_id}/webhooks/{world.webhook(parser_id)}/secret/rotate", {}


def export_again(world: World) -> Request:
    parser_id = world.parser()
    world.webhook(parser_id)
    return f"/parsers/{parser_id}/documents/{world.processed(parser_id)[0]}/export", {}


def retry_delivery(world: World) -> Request:
    path, _ = export_again(world)
    assert world.api.post(path).status_code == 200
    parser_id = path.split("/")[2]
    (webhook,) = world.api.get(f"/parsers/{parser_id}/webhooks").json()["data"]
    place = f"/parsers/{parser_id}/webhooks/{webhook['id']}/deliveries"
    return f"{place}/{world.api.get(place).json()['data'][0]['id']}/retry", {}


def renew_of_parser(world: World) -> Request:
    place = f"/parsers/{world.parser()}/upload-page"
    assert world.api.put(place, json={}).status_code == 200
    return f"{place}/renew", {}


def renew_of_classifier(world: World) -> Request:
    place = f"/classifiers/{world.classifier()}/upload-page"
    assert world.api.put(place, json={}).status_code == 200
    return f"{place}/renew", {}


DONE_ONCE: dict[str, list[Callable[[World], Request]]] = {
    "/parsers": [parsers],
    "/parsers/{parserId}/duplicate": [duplicate],
    "/parsers/{parserId}/fields": [fields],
    "/parsers/{parserId}/folders": [folders],
    "/parsers/{parserId}/review-stages": [review_stages],
    "/parsers/{parserId}/export-layouts": [export_layouts],
    "/parsers/{parserId}/webhooks": [webhooks],
    "/classifiers": [classifiers],
    "/process/{parserId}/files": [upload],
    "/process/files": [upload_to_classifier],
    "/process/{parserId}/urls": [upload_url],
    "/process/urls": [upload_url_by_body],
    "/parsers/{parserId}/exports": [export_new, export_new_by_link],
    "/webhooks": [webhooks_of_team],
    "/webhooks/{webhookId}/secret/rotate": [rotate_secret_of_team],
    "/webhooks/{webhookId}/deliveries/{deliveryId}/retry": [retry_delivery_of_team],
    "/webhooks/{webhookId}/replay": [replay],
    "/parsers/{parserId}/documents/{documentId}/export": [export_again],
    "/parsers/{parserId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry": [retry_delivery],
    "/parsers/{parserId}/webhooks/{webhookId}/secret/rotate": [rotate_secret],
    "/parsers/{parserId}/upload-page/renew": [renew_of_parser],
    "/classifiers/{classifierId}/upload-page/renew": [renew_of_classifier],
    "/parsers/{parserId}/documents/{documentId}/reprocess": [reprocess_one],
    "/process/{parserId}/reprocess": [reprocess_by_body],
    "/parsers/{parserId}/documents/reprocess": [reprocess_parser],
    "/documents/reprocess": [reprocess_many],
    "/parsers/{parserId}/documents/{documentId}/cancel": [cancel_one],
    "/documents/cancel": [cancel_many],
    "/documents/delete": [delete_many],
    "/parsers/{parserId}/documents/delete": [delete_of_parser],
    "/process/{parserId}/documents/delete": [delete_by_body],
    "/parsers/{parserId}/documents/{documentId}/split/undo": [undo_split],
    "/classifiers/{classifierId}/documents/{documentId}/route": [route],
    "/parsers/{parserId}/documents/{documentId}/review/approve": [approve],
    "/parsers/{parserId}/documents/{documentId}/review/reject": [reject],
    "/parsers/{parserId}/documents/{documentId}/review/reset": [reset],
}
"""POSTs that create or start something: what they did is recorded in their transaction."""

SET: dict[str, list[Callable[[World], Request]]] = {
    "/parsers/{parserId}/fields/reorder": [reorder],
    "/parsers/{parserId}/documents/bulk-update": [bulk_update],
    "/parsers/{parserId}/documents/{documentId}/confirm": [confirm],
    "/parsers/{parserId}/documents/{documentId}/review/assign": [assign],
}
"""POSTs that set values, and change nothing the second time."""

READ = {
    "/parsers/{parserId}/documents/search",
    "/parsers/{parserId}/evaluations",
    "/parsers/{parserId}/fields/suggest",
}

SENT = {"/parsers/{parserId}/webhooks/{webhookId}/test", "/webhooks/{webhookId}/test"}
"""Sends a message about a document that doesn't exist, again if it must."""

CASES = [make for cases in (*DONE_ONCE.values(), *SET.values()) for make in cases]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    home = tmp_path_factory.mktemp("outages")
    settings = Settings(
        home=home, rate_limit_minute=0, rate_limit_day=0, outbound_allowed_networks="127.0.0.1/32"
    )
    inst = open_installation(settings)
    with pytest.MonkeyPatch.context() as patch, serving(inst) as api, files_server() as site:
        # Whether a classifier's upload is routed in time depends on when the catalog is back.
        patch.setattr(combined_items, "CLASSIFY_SECONDS", 0)
        yield World(api, site)
    inst.close()


def test_every_post_is_one_of_these(world: World) -> None:
    described = world.api.get("/openapi.json").json()["paths"]
    posts = {path.removeprefix("/api/v1") for path, item in described.items() if "post" in item}
    assert {*DONE_ONCE, *SET, *READ, *SENT} == posts
    assert len(DONE_ONCE) + len(SET) + len(READ) + len(SENT) == len(posts)


@pytest.mark.slow
@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_a_post_is_done_once_though_the_catalog_goes_away(
    world: World, make: Callable[[World], Request]
) -> None:
    # The first one stores files that the others have, too.
    send(world, make(world))
    request = make(world)
    before = rows(world.inst)
    with catalog_outage(is_hit=has_key) as counted:
        undisturbed = send(world, request)
    assert undisturbed.status_code in (200, 201), undisturbed.text
    done = changes(world.inst, before)
    if any(make in cases for cases in DONE_ONCE.values()):
        assert last_effect(world.inst) is not None
    # The first and the last commit, of the key and of the response, are the same in all.
    between = range(1, counted.commits + 1) if make is upload else range(2, counted.commits)
    for at in between:
        for moment in MOMENTS:
            request = make(world)
            before = rows(world.inst)
            with catalog_outage(at, moment, has_key) as outage:
                first = send(world, request)
            assert outage.is_away and first.status_code in (503, undisturbed.status_code), first.text
            again = send(world, request)
            assert again.status_code == undisturbed.status_code, (at, moment, again.text)
            assert shape(again) == shape(undisturbed), (at, moment)
            assert changes(world.inst, before) == done, (at, moment)
            assert send(world, request).headers[REPLAYED] == "true"
            assert changes(world.inst, before) == done, (at, moment)


def send(world: World, request: Request) -> httpx.Response:
    path, content = request
    return world.api.post(path, **content, headers={"Idempotency-Key": key_of(repr(request))})


@cache
def key_of(request: str) -> str:
    """Return a key: the same for the same request."""
    return f"key-{next(_keys)}"


_keys = count()


def has_key() -> bool:
    """Return whether the caller is processing a request with an Idempotency-Key."""
    return started_request._CURRENT.get() is not None


def last_effect(inst: Installation) -> Any:
    """Return what the newest request with a key did."""
    with inst.catalog.read_session() as session:
        statement = select(IdempotentRequest.effect).order_by(
            IdempotentRequest.begun_at, IdempotentRequest.id
        )
        return list(session.scalars(statement))


def shape(response: httpx.Response) -> Any:
    """Return a response's JSON without what differs between two requests that do the same."""
    return _same(response.json())


def _same(value: Any) -> Any:
    if isinstance(value, dict):
        return sorted([_same(key), repr(_same(each))] for key, each in value.items())
    if isinstance(value, list):
        return [_same(each) for each in value]
    if isinstance(value, str):
        for pattern, word in _VARYING:
            value = pattern.sub(word, value)
    return value


@pytest.mark.slow
@pytest.mark.postgres
def test_an_upload_is_done_once_though_postgresql_ends_its_connections(
    make_installation: MakeInstallation, postgres_catalog: str
) -> None:
    inst = make_installation(catalog_url=postgres_catalog, rate_limit_minute=0, rate_limit_day=0)
    with serving(inst) as api:
        parser_id = api.parser()
        path, key = f"/process/{parser_id}/files", "order-{}"
        with connections_ending(inst, at=0) as commits:
            assert post_file(api, path, key.format(0)).status_code == 200
        assert len(commits) >= 3
        for at in range(1, len(commits) + 1):
            with connections_ending(inst, at):
                first = post_file(api, path, key.format(at))
            assert first.status_code in (200, 503), first.text
            again = post_file(api, path, key.format(at))
            assert again.status_code == 200, again.text
            assert post_file(api, path, key.format(at)).json() == again.json()
            assert rows(inst)["documents"] == at + 1


def post_file(api: Api, path: str, key: str) -> httpx.Response:
    headers = {"Idempotency-Key": key}
    return api.post(path, files={"file": ("a.txt", key.encode())}, headers=headers)


@contextmanager
def connections_ending(inst: Installation, at: int) -> Iterator[list[int]]:
    """Let PostgreSQL end the connection of the ``at``-th commit of requests with a key; yield all commits."""
    commits: list[int] = []
    other = create_engine(inst.catalog.engine.url, isolation_level="AUTOCOMMIT", poolclass=NullPool)

    def end(connection: Connection) -> None:
        if not has_key():
            return
        process = connection.connection.driver_connection.info.backend_pid  # type: ignore[union-attr]
        commits.append(process)
        if len(commits) == at:
            with other.connect() as own:
                own.execute(text("SELECT pg_terminate_backend(:process, 10000)"), {"process": process})

    event.listen(inst.catalog.engine, "commit", end)
    yield commits
    event.remove(inst.catalog.engine, "commit", end)
