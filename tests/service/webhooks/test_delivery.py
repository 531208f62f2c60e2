"""Deliveries to a real receiver: what it gets, when it gets it again, and when no more."""

from __future__ import annotations

import datetime as dt
import logging
import socket
import threading
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import text, update
from standardwebhooks import WebhookVerificationError

from docduck import __version__, clock
from docduck.catalog.models import Webhook, WebhookDelivery
from docduck.errors import Conflict, InputError
from docduck.ids import new_id
from docduck.outbound.resolving import Connecting
from docduck.service.core.installation import Installation, open_installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.parsers.parsers import get_parser
from docduck.service.upkeep import health
from docduck.service.upkeep.status import status
from docduck.service.webhooks.delivery import deliver_due, delivering
from docduck.service.webhooks.delivery_log import list_deliveries, retry_delivery
from docduck.service.webhooks.delivery_queue import (
    DELAYS,
    Attempt,
    claim,
    due_webhooks,
    is_neglected,
    record,
    release,
    release_lost,
)
from docduck.service.webhooks.secrets import rotate_secret
from docduck.service.webhooks.webhook_changes import NOT_HTTPS, create_webhook, update_webhook
from docduck.service.webhooks.webhook_health import troubled_webhooks
from docduck.service.webhooks.webhooks import get_webhook
from tests.conftest import MakeInstallation
from tests.outbound.test_forbidden import TRICKS
from tests.outbound.web import Resolving, running
from tests.outbound.web import running as site_running
from tests.service.core.documents import add, complete, make_parser
from tests.service.core.people import make_team
from tests.service.processing.threads import at_once
from tests.service.reviews.reviews_world import audited, read_one
from tests.service.webhooks.receiver import (
    INSECURE,
    Answer,
    Received,
    Receiver,
    attempts_of,
    deliver,
    deliveries,
    expire_secrets,
    make_due,
    receiving,
    subscribe,
)

EXPORTED = ["document.exported"]
BROKEN = (None, "the connection broke off, or was no proper HTTP")
TOO_LONG = (None, "it takes longer than 1 s")


def one_event(inst: Installation, url: str, **more: object) -> tuple[str, str, str]:
    """A webhook with one event to deliver; gives the ids of parser and webhook, and the secret."""
    parser = make_parser(inst)
    webhook_id, secret = subscribe(inst, parser.id, url, EXPORTED, **more)
    read_one(inst, parser)
    return parser.id, webhook_id, secret


def test_an_event_arrives_signed_with_both_sets_of_headers(
    each_inst: Installation, receiver: Receiver
) -> None:
    parser_id, webhook_id, secret = one_event(
        each_inst, receiver.url("/a?b=c"), headers={"Authorization": "Bearer t0ken"}
    )
    before = int(time.time())
    assert deliver(each_inst) == 1
    (got,) = receiver.received
    assert got.verify(secret) == got.payload
    (delivery,) = deliveries(each_inst)
    assert (got.path, got.headers["authorization"]) == ("/a?b=c", "Bearer t0ken")
    assert got.headers["content-type"] == "application/json"
    assert got.headers["user-agent"] == f"docduck-webhooks/{__version__}"
    assert got.headers["webhook-id"] == f"msg_{delivery.id}"
    assert before <= int(got.headers["webhook-timestamp"]) <= time.time()
    for name in ("id", "timestamp", "signature"):
        assert got.headers[f"svix-{name}"] == got.headers[f"webhook-{name}"]
    assert (delivery.status, delivery.next_attempt_at, delivery.claimed_by) == ("succeeded", None, None)
    assert attempts_of(delivery) == [(204, None)]
    shown = get_webhook(each_inst, each_inst.team_id, parser_id, webhook_id)
    assert (shown.last_status_code, shown.status) == (204, "active")
    assert shown.last_delivery_at is not None
    assert deliver(each_inst) == 0


def test_a_failed_delivery_is_repeated_by_the_schedule_with_the_same_id(
    lite: Installation, receiver: Receiver
) -> None:
    parser_id, webhook_id, _ = one_event(lite, receiver.url())
    receiver.answer = lambda _: (500, {})
    for number, delay in enumerate([*DELAYS[1:], None], 1):
        began = clock.now()
        assert deliver(lite) == 1
        (delivery,) = deliveries(lite)
        assert len(delivery.attempts) == len(receiver.received) == number
        if delay is None:
            break
        assert delivery.status == "pending" and delivery.next_attempt_at is not None
        waits = (delivery.next_attempt_at - began).total_seconds()
        assert delay <= waits <= delay * 1.1 + 5
        assert deliver(lite) == 0, "it is not due yet"
        make_due(lite)
    assert (delivery.status, delivery.next_attempt_at) == ("failed", None)
    assert set(attempts_of(delivery)) == {(500, "the server answered 500")}
    assert len({one.headers["webhook-id"] for one in receiver.received}) == 1
    assert len({one.body for one in receiver.received}) == 1
    retry_delivery(lite, lite.team_id, parser_id, webhook_id, delivery.id)
    assert deliver(lite) == 1, "beyond the schedule it is one attempt"
    assert [(one.status, len(one.attempts)) for one in deliveries(lite)] == [("failed", 9)]


def test_retry_after_is_honoured_and_an_odd_one_does_no_harm(lite: Installation, receiver: Receiver) -> None:
    parser = make_parser(lite)
    cases: list[tuple[int, str, int, int]] = [
        (429, "600", 600, 605),
        (503, "600", 600, 605),
        (500, "600", 0, 10),
        (503, "9" * 400, 0, 86_405),
        (503, "tomorrow", 0, 10),
        (503, "-5", 0, 10),
        (503, "Fri, 31 Dec 9999 23:59:59 GMT", 0, 86_405),
    ]
    webhooks = [subscribe(lite, parser.id, receiver.url(f"/{n}"), EXPORTED)[0] for n in range(len(cases))]
    moved, _ = subscribe(lite, parser.id, receiver.url("/moved"), EXPORTED)
    read_one(lite, parser)

    def answer(got: Received) -> Answer:
        if got.path == "/moved":
            return 307, {"Location": receiver.url("/elsewhere")}
        code, header, _, _ = cases[int(got.path[1:])]
        return code, {"Retry-After": header}

    receiver.answer = answer
    began = clock.now()
    deliver(lite)
    found = {one.webhook_id: one for one in deliveries(lite)}
    for webhook_id, (code, header, least, most) in zip(webhooks, cases, strict=True):
        at = found[webhook_id].next_attempt_at
        assert at is not None
        assert least <= (at - began).total_seconds() <= most, (code, header)
    assert not receiver.at("/elsewhere")
    assert attempts_of(found[moved]) == [(307, "the server answered 307; redirects are not followed")]


def test_gone_disables_a_webhook(lite: Installation, receiver: Receiver) -> None:
    parser = make_parser(lite)
    webhook_id, _ = subscribe(lite, parser.id, receiver.url(), EXPORTED)
    add(lite, parser, 3)
    complete(lite, parser)
    receiver.answer = lambda _: (410, {})
    deliver(lite)
    shown = get_webhook(lite, parser.team_id, parser.id, webhook_id)
    assert (shown.status, shown.is_active) == ("disabled", False)
    assert {one.status for one in deliveries(lite)} == {"failed"}
    assert [action for action, _ in audited(lite, webhook_id)] == ["webhook.created", "webhook.disabled"]
    read_one(lite, parser, "more")
    assert len(deliveries(lite)) == 3, "a disabled webhook gets no events"
    update_webhook(lite, parser.team_id, parser.id, webhook_id, {"is_active": True})
    receiver.answer = lambda _: (200, {})
    read_one(lite, parser, "last")
    assert deliver(lite) == 1


def test_days_without_a_success_disable_a_webhook(lite: Installation, receiver: Receiver) -> None:
    parser_id, webhook_id, _ = one_event(lite, receiver.url())
    receiver.answer = lambda _: (500, {})

    def failing_for(days: float) -> str:
        since = clock.now() - dt.timedelta(days=days)
        with lite.catalog.transaction() as session:
            session.execute(update(Webhook).values(failing_since=since))
        make_due(lite)
        deliver(lite)
        return get_webhook(lite, lite.team_id, parser_id, webhook_id).status

    assert failing_for(4.99) == "active"
    receiver.answer = lambda _: (200, {})
    assert failing_for(5.01) == "active", "a success ends the failing"
    read_one(lite, get_parser(lite, lite.team_id, parser_id), "next")
    receiver.answer = lambda _: (500, {})
    assert failing_for(5.01) == "disabled"
    assert deliveries(lite)[-1].status == "failed"


def test_a_paused_webhook_s_deliveries_wait(lite: Installation, receiver: Receiver) -> None:
    parser_id, webhook_id, _ = one_event(lite, receiver.url())

    def set_active(is_active: bool) -> str:
        return update_webhook(lite, lite.team_id, parser_id, webhook_id, {"is_active": is_active}).status

    def pause(_: object) -> Answer:
        set_active(False)
        return 500, {}

    assert set_active(False) == "paused"
    assert deliver(lite) == 0
    waiting = [("pending", None)]
    assert [(one.status, one.next_attempt_at) for one in deliveries(lite)] == waiting
    set_active(True)
    receiver.answer = pause
    assert deliver(lite) == 1
    assert [(one.status, one.next_attempt_at) for one in deliveries(lite)] == waiting, "paused as it failed"
    set_active(True)
    receiver.answer = lambda _: (204, {})
    assert deliver(lite) == 1
    assert deliveries(lite)[0].status == "succeeded"


def test_every_previous_secret_signs_for_a_day(lite: Installation, receiver: Receiver) -> None:
    parser_id, webhook_id, first = one_event(lite, receiver.url())
    second, expires_at = rotate_secret(lite, lite.team_id, parser_id, webhook_id)
    assert dt.timedelta(hours=23.9) < expires_at - clock.now() <= dt.timedelta(hours=24)
    third, _ = rotate_secret(lite, lite.team_id, parser_id, webhook_id)
    deliver(lite)
    for keep, valid in ((None, [first, second, third]), (1, [second, third]), (0, [third])):
        if keep is not None:
            with lite.catalog.transaction() as session:
                expire_secrets(session, keep)
            retry_delivery(lite, lite.team_id, parser_id, webhook_id, deliveries(lite)[0].id)
            deliver(lite)
        got = receiver.received[-1]
        assert got.headers["webhook-signature"].count("v1,") == len(valid)
        assert all(got.verify(secret) for secret in valid)
    with pytest.raises(WebhookVerificationError):
        got.verify(first)
    for _ in range(10):
        rotate_secret(lite, lite.team_id, parser_id, webhook_id)
    with pytest.raises(Conflict, match="10 previous secrets of the webhook still sign"):
        rotate_secret(lite, lite.team_id, parser_id, webhook_id)


def test_deliveries_of_a_deleted_document_are_cancelled(lite: Installation, receiver: Receiver) -> None:
    parser_id, webhook_id, _ = one_event(lite, receiver.url())
    (waiting,) = deliveries(lite)
    delete_documents(lite, lite.team_id, [waiting.document_id])
    assert deliver(lite) == 0
    (shown,) = list_deliveries(lite, lite.team_id, parser_id, webhook_id, "cancelled").rows
    assert (shown.id, shown.next_attempt_at) == (waiting.id, None)
    with pytest.raises(Conflict, match="its document was deleted"):
        retry_delivery(lite, lite.team_id, parser_id, webhook_id, waiting.id)
    assert troubled_webhooks(lite) == []

    def delete(_: object) -> Answer:
        delete_documents(lite, lite.team_id, [deliveries(lite)[-1].document_id])
        return 500, {}

    receiver.answer = delete
    read_one(lite, get_parser(lite, lite.team_id, parser_id), "more")
    deliver(lite)
    ended = deliveries(lite)[-1]
    assert (ended.status, ended.next_attempt_at, len(ended.attempts)) == ("cancelled", None, 1)


def test_a_delivery_can_always_be_retried(lite: Installation, receiver: Receiver) -> None:
    parser_id, webhook_id, _ = one_event(lite, receiver.url())
    deliver(lite)
    for number, state in enumerate(("active", "paused", "disabled"), start=2):
        with lite.catalog.transaction() as session:
            session.execute(update(Webhook).values(status=state))
            session.execute(update(WebhookDelivery).values(status="failed"))
        retry_delivery(lite, lite.team_id, parser_id, webhook_id, deliveries(lite)[0].id)
        assert deliver(lite) == 1, state
        (delivery,) = deliveries(lite)
        assert (delivery.status, len(delivery.attempts)) == ("succeeded", number)


def test_without_the_secret_key_nothing_is_sent_and_with_another_one_a_new_secret_is_enough(
    make_installation: MakeInstallation, receiver: Receiver
) -> None:
    inst = make_installation(secret_key="a" * 32, **INSECURE)
    parser_id, webhook_id, _ = one_event(inst, receiver.url())
    none = open_installation(inst.settings.model_copy(update={"secret_key": None}))
    assert deliver(none) == 1
    none.close()
    assert receiver.received == []
    (delivery,) = deliveries(inst)
    assert attempts_of(delivery) == [(None, "the webhook's secrets can't be decrypted")]
    assert delivery.status == "pending"
    make_due(inst)
    deliver(inst)
    assert len(receiver.received) == 1
    read_one(inst, get_parser(inst, inst.team_id, parser_id), "more")
    other = open_installation(inst.settings.model_copy(update={"secret_key": SecretStr("b" * 32)}))
    second, _ = rotate_secret(other, other.team_id, parser_id, webhook_id)
    deliver(other)
    other.close()
    got = receiver.received[1]
    assert got.verify(second)
    assert got.headers["webhook-signature"].count("v1,") == 1


def endless(stream: socket.socket) -> None:
    """Ten gigabytes and more, until the client has had enough."""
    stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
    for _ in range(10_000):
        stream.sendall(b"x" * 1_000_000)


def dripping(stream: socket.socket) -> None:
    """A status line, then a body that comes byte by byte without end."""
    stream.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(600):
        stream.sendall(b"x")
        time.sleep(0.1)


def silent(stream: socket.socket) -> None:
    """Nothing at all."""
    time.sleep(5)


def slow_headers(stream: socket.socket) -> None:
    """Headers that come byte by byte."""
    stream.sendall(b"HTTP/1.1 200 OK\r\nX-A: ")
    for _ in range(50):
        stream.sendall(b"x")
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (1, {endless: (200, None), dripping: (200, None), silent: TOO_LONG, slow_headers: TOO_LONG}),
        # These end at once, long before the limit, which a busy machine could otherwise reach first.
        (30, dict.fromkeys((b"nonsense\r\n\r\n", b"", b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000), BROKEN)),
    ],
)
def test_a_receiver_that_misbehaves_costs_bounded_time(
    make_installation: MakeInstallation, limit: float, expected: dict[Any, tuple[int | None, str | None]]
) -> None:
    inst = make_installation(webhook_seconds=limit, outbound_allowed_networks="127.0.0.2/32", **INSECURE)
    parser = make_parser(inst)
    with site_running() as (site, _):
        site.pages.update({f"/{number}": answer for number, answer in enumerate(expected)})
        webhooks = [
            subscribe(inst, parser.id, site.url(f"/{number}"), EXPORTED)[0] for number in range(len(expected))
        ]
        read_one(inst, parser)
        began = time.monotonic()
        deliver(inst)
        assert time.monotonic() - began < 13
    found = {one.webhook_id: attempts_of(one) for one in deliveries(inst)}
    assert [found[webhook_id] for webhook_id in webhooks] == [[one] for one in expected.values()]


def test_a_dead_receiver_delays_no_other(make_installation: MakeInstallation, receiver: Receiver) -> None:
    inst = make_installation(webhook_deliveries=8, prompt_seconds=10, **INSECURE)
    parser = make_parser(inst)
    hold = threading.Event()
    with receiving() as dead:
        dead.answer = lambda _: (hold.wait(20), (200, {}))[1]
        subscribe(inst, parser.id, receiver.url(), EXPORTED)
        with delivering(inst):
            read_one(inst, parser, "first")
            receiver.wait(1)
            for number in range(6):
                subscribe(inst, parser.id, dead.url(f"/{number}"), EXPORTED)
            latencies: list[float] = []
            for number in range(8):
                began = time.time()
                read_one(inst, parser, f"d{number}")
                receiver.wait(number + 2)
                latencies.append(receiver.received[-1].at - began)
            assert len(dead.received) >= 4, "the dead ones were tried"
            hold.set()
    assert max(latencies) < 10, latencies


@pytest.mark.extended
def test_what_happens_in_another_process_is_sent_within_two_seconds(
    make_installation: MakeInstallation, receiver: Receiver
) -> None:
    inst = make_installation(allow_insecure_webhooks=True)
    other = open_installation(inst.settings)
    parser = make_parser(inst)
    subscribe(inst, parser.id, receiver.url(), EXPORTED)
    with delivering(inst):
        waits: list[float] = []
        for number in range(20):
            read_one(other, parser, f"d{number}")
            happened = deliveries(other)[-1].created_at.timestamp()
            receiver.wait(number + 1)
            waits.append(receiver.received[-1].at - happened)
    other.close()
    assert sorted(waits)[18] < 2, waits


def test_several_deliverers_send_each_event_once(each_inst: Installation, receiver: Receiver) -> None:
    parser = make_parser(each_inst)
    subscribe(each_inst, parser.id, receiver.url(), EXPORTED)
    others = [open_installation(each_inst.settings) for _ in range(2)]
    add(each_inst, parser, 24)
    complete(each_inst, parser)
    at_once(*(partial(deliver, one) for one in (each_inst, *others)))
    for other in others:
        other.close()
    ids = [one.headers["webhook-id"] for one in receiver.received]
    assert len(ids) == len(set(ids)) == 24
    assert {one.status for one in deliveries(each_inst)} == {"succeeded"}


def test_a_claim_that_was_lost_is_taken_over_and_its_result_ignored(each_inst: Installation) -> None:
    _, webhook_id, _ = one_event(each_inst, "http://127.0.0.1:8181/")
    (mine,) = claim(each_inst, {webhook_id: 5}, "host/ns/1/2/me")
    assert claim(each_inst, {webhook_id: 5}, "other") == []
    release_lost(each_inst)
    assert due_webhooks(each_inst) == [], "the lease holds"
    with each_inst.catalog.transaction() as session:
        session.execute(
            update(WebhookDelivery).values(lease_expires_at=clock.now() - dt.timedelta(seconds=1))
        )
    release_lost(each_inst)
    (theirs,) = claim(each_inst, {webhook_id: 5}, "host/ns/1/2/other")
    record(each_inst, [Attempt(mine, clock.now(), 200, 0.1)])
    assert deliveries(each_inst)[0].status == "pending"
    record(each_inst, [Attempt(theirs, clock.now(), 200, 0.1)])
    assert attempts_of(deliveries(each_inst)[0]) == [(200, None)]


def test_a_lost_claim_of_a_paused_webhook_waits(each_inst: Installation) -> None:
    parser_id, webhook_id, _ = one_event(each_inst, "http://127.0.0.1:8181/")
    for is_active in (True, False):
        mine = claim(each_inst, {webhook_id: 1}, "host/ns/1/2/me")
        update_webhook(each_inst, each_inst.team_id, parser_id, webhook_id, {"is_active": is_active})
        release(each_inst, mine)
        (delivery,) = deliveries(each_inst)
        assert (delivery.status, delivery.claimed_by) == ("pending", None)
        assert bool(due_webhooks(each_inst)) == is_active


def test_deliveries_that_nobody_sends_are_noticed(lite: Installation) -> None:
    parser_id, webhook_id, _ = one_event(lite, "http://127.0.0.1:8181/")
    assert not is_neglected(lite, 5)
    late = clock.now() - dt.timedelta(seconds=6)
    with lite.catalog.transaction() as session:
        session.execute(update(WebhookDelivery).values(next_attempt_at=late))
    assert is_neglected(lite, 5)
    read_one(lite, get_parser(lite, lite.team_id, parser_id), "more")
    claim(lite, {webhook_id: 1}, f"elsewhere/ns/1/2/{new_id()}")
    with lite.catalog.transaction() as session:
        mine = WebhookDelivery.claimed_by.is_(None)
        session.execute(update(WebhookDelivery).where(mine).values(next_attempt_at=late))
    assert not is_neglected(lite, 5), "somebody sends"


def test_nothing_secret_is_logged(
    lite: Installation, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    parser_id, webhook_id, secret = one_event(lite, receiver.url(), headers={"X-Key": "s3cret-value"})
    second, _ = rotate_secret(lite, lite.team_id, parser_id, webhook_id)
    receiver.answer = lambda _: (500, {})
    deliver(lite)
    with lite.catalog.read_session() as session:
        stored = "".join(str(details) for _, details in audited(lite, webhook_id))
        webhook = session.get_one(Webhook, webhook_id)
        stored += f"{webhook.headers} {webhook.sealed_secret} {webhook.previous_secrets}"
    hidden: Sequence[str] = ("s3cret-value", secret, second, secret.removeprefix("whsec_"))
    assert [one for one in hidden if one in caplog.text or one in stored] == []


def test_forbidden_urls_are_refused_when_they_are_set(inst: Installation) -> None:
    parser = make_parser(inst)
    made, _ = create_webhook(inst, inst.team_id, parser.id, {"url": "https://example.org/"})
    for trick in TRICKS:
        url = trick.replace("{port}", "8443").replace("http://", "https://", 1)
        with pytest.raises(InputError, match="URL"):
            create_webhook(inst, inst.team_id, parser.id, {"url": url})
        with pytest.raises(InputError, match="URL"):
            update_webhook(inst, inst.team_id, parser.id, made.id, {"url": url})


def test_webhooks_need_https(inst: Installation) -> None:
    parser = make_parser(inst)
    for url in ("http://example.org/", "HTTP://example.org", "ftp://example.org/", "example.org", ""):
        with pytest.raises(InputError) as caught:
            create_webhook(inst, inst.team_id, parser.id, {"url": url})
        assert (caught.value.message, caught.value.path) == (NOT_HTTPS, "url")


def test_a_name_that_resolves_inward_is_not_sent_to(inst: Installation) -> None:
    parser = make_parser(inst)
    inward = [["127.0.0.1"], ["10.0.0.5"], ["169.254.169.254"], ["93.184.216.34", "::1"]]
    with running() as (_, canary):
        subscribe(inst, parser.id, f"https://hooks.example.org:{canary.port}/", ["document.exported"])
        for number, found in enumerate(inward):
            read_one(inst, parser, f"{number}")
            deliver_due(inst, 30, Connecting(Resolving({}, default=found)))
        assert canary.connections == 0
    for delivery in deliveries(inst):
        assert attempts_of(delivery) == [(None, "its address is not allowed")]
        assert delivery.status == "pending"


def test_only_what_is_not_delivered_is_told(lite: Installation, receiver: Receiver) -> None:
    parser = make_parser(lite)
    ways = {"/fine": 204, "/down": 500, "/gone": 410}
    receiver.answer = lambda one: (ways[one.path], {})
    ids = {path: subscribe(lite, parser.id, receiver.url(path), ["document.exported"])[0] for path in ways}
    assert troubled_webhooks(lite) == []
    read_one(lite, parser)
    deliver(lite)
    down, gone = sorted(troubled_webhooks(lite, lite.team_id), key=lambda one: one.url)
    assert (down.id, down.parser, down.status) == (ids["/down"], parser.slug, "active")
    assert (down.pending, down.failed, down.oldest is None) == (1, 0, False)
    assert down.failing_since is not None
    assert (gone.id, gone.status) == (ids["/gone"], "disabled")
    assert (gone.pending, gone.failed, gone.oldest) == (0, 1, None)
    assert {one.id for one in status(lite, lite.team_id).webhooks} == {down.id, gone.id}
    assert troubled_webhooks(lite, make_team(lite)) == []


def test_the_age_is_that_of_the_oldest_that_is_not_paused(
    each_inst: Installation, receiver: Receiver
) -> None:
    parser = make_parser(each_inst)
    for path in ("/active", "/paused"):
        webhook_id, _ = subscribe(each_inst, parser.id, receiver.url(path), ["document.exported"])
    for name in ("first", "second"):
        read_one(each_inst, parser, name)
    first = min(deliveries(each_inst), key=lambda one: one.created_at)
    with each_inst.catalog.transaction() as session:
        session.execute(
            update(WebhookDelivery)
            .where(WebhookDelivery.snapshot_id == first.snapshot_id)
            .values(created_at=clock.now() - dt.timedelta(hours=2))
        )
        session.execute(
            update(WebhookDelivery)
            .where(WebhookDelivery.webhook_id == webhook_id)
            .values(created_at=clock.now() - dt.timedelta(hours=9))
        )
    found = health.deliveries(each_inst)
    assert (found.pending, found.failed, found.disabled) == (4, 0, 0)
    assert 9 * 3600 <= found.oldest_seconds < 9 * 3600 + 60
    update_webhook(each_inst, each_inst.team_id, parser.id, webhook_id, {"is_active": False})
    found = health.deliveries(each_inst)
    assert found.pending == 2
    assert 2 * 3600 <= found.oldest_seconds < 2 * 3600 + 60
    deliver(each_inst)
    found = health.deliveries(each_inst)
    assert (found.pending, found.oldest_seconds) == (0, 0)


def test_open_deliveries_are_found_by_their_index(inst: Installation) -> None:
    sql = (
        "SELECT webhook_id, count(*) FROM webhook_deliveries WHERE status <> 'succeeded' GROUP BY webhook_id"
    )
    with inst.catalog.read_session() as session:
        plan = session.execute(text(f"EXPLAIN QUERY PLAN {sql}")).all()
    assert "ix_webhook_deliveries_open" in str(plan)
