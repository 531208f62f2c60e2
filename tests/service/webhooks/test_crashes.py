"""Processes that are killed between the change of a document and the delivery of its events."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import Document
from docduck.service.core.installation import Installation
from docduck.service.webhooks.secrets import rotate_secret
from tests.service.core.documents import add, make_parser
from tests.service.core.nursery import Nursery
from tests.service.webhooks.receiver import (
    INSECURE,
    Receiver,
    attempts_of,
    deliver,
    deliveries,
    make_due,
    subscribe,
)

DOCUMENTS = 40
EVENTS = ["document.processed", "document.exported"]

SCRIPT = """
from docduck.service.documents import webhook_outbox
from docduck.service.processing import results
from docduck.service.webhooks import delivery, delivery_queue
from tests.service.core.documents import ClaimRequest, ExtractionOutcome, claim, extraction, get_parser

POINTS = {
    "events fired": lambda count: dies_at(results, "apply_transitions", count),
    "snapshots written": lambda count: dies_at(webhook_outbox, "insert_snapshots", count),
    "deliveries written": lambda count: dies_at(webhook_outbox, "_write", count),
    "committed": lambda count: dies_at(results, "_write", count),
    "claimed": lambda count: dies_at(delivery, "claim", count),
    "composed": lambda count: dies_at(delivery, "load_messages", count),
    "half recorded": lambda count: dies_at(delivery_queue, "_end_attempt", count),
    "sent": lambda count: dies_at(delivery, "record", count, before=True),
    "recorded": lambda count: dies_at(delivery, "record", count),
}

def work(inst, order):
    time.sleep(order["waits"])
    if order["does"] == "process":
        owner = f"process-{os.getpid()}"
        parser = get_parser(inst, inst.team_id, order["parser"])
        while claims := claim(inst, [ClaimRequest(parser.id, 2)], owner):
            outcomes = [ExtractionOutcome(one, parser, extraction(one.document_id)) for one in claims]
            results.store_outcomes(inst, outcomes, owner)
    else:
        delivery.deliver_due(inst, 60)
    return 0
"""


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery(SCRIPT)
    yield made
    made.close()


class World:
    """A parser with documents and a webhook for two of their events."""

    def __init__(self, inst: Installation, nursery: Nursery, receiver: Receiver, documents: int) -> None:
        self.inst, self.nursery, self.receiver = inst, nursery, receiver
        self.parser = make_parser(inst)
        self.webhook_id, secret = subscribe(inst, self.parser.id, receiver.url(), EVENTS)
        self.secrets = [(0.0, secret)]
        self.documents = add(inst, self.parser, documents)

    def run(self, does: str, **how: Any) -> list[int]:
        order = {"does": does, "parser": self.parser.id, "waits": 0}
        return self.nursery.run(self.inst, {**INSECURE, "lease_seconds": 1}, order, **how)

    def queue_again(self) -> None:
        """Queue what killed processes have claimed, as the next run does."""
        with self.inst.catalog.transaction() as session:
            for row in session.scalars(select(Document).where(Document.status == "processing")):
                row.status, row.claimed_by, row.lease_expires_at = "queued", None, None

    def rotate(self) -> None:
        secret, _ = rotate_secret(self.inst, self.inst.team_id, self.parser.id, self.webhook_id)
        self.secrets.append((time.time(), secret))

    def finish(self) -> None:
        """Do what is left, without kills."""
        self.queue_again()
        assert self.run("process") == [0]
        deadline = time.monotonic() + 30
        while any(one.status == "pending" for one in deliveries(self.inst)):
            assert time.monotonic() < deadline, list(map(attempts_of, deliveries(self.inst)))
            make_due(self.inst)
            deliver(self.inst)

    def check(self) -> None:
        """Each event of each document arrived, none was invented, and all are signed rightly."""
        written = Counter((one.document_id, one.event) for one in deliveries(self.inst))
        expected = Counter((one, event) for one in self.documents for event in EVENTS)
        assert written == expected
        assert [attempts_of(one) for one in deliveries(self.inst) if one.status != "succeeded"] == []
        got: dict[str, set[tuple[str, str, bytes]]] = {}
        for one in self.receiver.received:
            metadata = one.payload["metadata"]
            assert one.payload["extracted_data"]["Number"] == metadata["id"]
            one.verify(self.secret_at(one.at))
            got.setdefault(one.headers["webhook-id"], set()).add(
                (metadata["id"], metadata["event"], one.body)
            )
        assert all(len(bodies) == 1 for bodies in got.values()), "a repeated message is the same"
        arrived = Counter((document_id, event) for ((document_id, event, _),) in got.values())
        assert arrived == expected

    def secret_at(self, moment: float) -> str:
        """A secret that is valid then: the one before the last rotation, as a receiver may still have it."""
        known = [secret for since, secret in self.secrets if since <= moment]
        return known[-2] if len(known) > 1 else known[-1]


@pytest.mark.extended
@pytest.mark.parametrize("point", ["events fired", "snapshots written", "deliveries written", "committed"])
def test_an_end_while_a_document_is_stored_loses_no_event(
    each_inst: Installation, nursery: Nursery, receiver: Receiver, point: str
) -> None:
    world = World(each_inst, nursery, receiver, 3)
    assert world.run("process", dies_at=(point, 1)) == [9], "it was to end in the middle"
    world.finish()
    world.check()


@pytest.mark.extended
@pytest.mark.parametrize("point", ["claimed", "composed", "sent", "half recorded", "recorded"])
def test_an_end_while_events_are_delivered_loses_none(
    each_inst: Installation, nursery: Nursery, receiver: Receiver, point: str
) -> None:
    world = World(each_inst, nursery, receiver, 3)
    assert world.run("process") == [0]
    assert world.run("deliver", dies_at=(point, 1)) == [9], "it was to end in the middle"
    world.finish()
    world.check()


@pytest.mark.extended
def test_kills_at_random_moments_lose_no_event(
    each_inst: Installation, nursery: Nursery, receiver: Receiver
) -> None:
    world = World(each_inst, nursery, receiver, DOCUMENTS)
    chance, killed = random.Random(16), 0
    for number in range(12):
        does = "deliver" if number % 2 else "process"
        codes = world.run(does, kill_after=chance.uniform(0.02, 0.4), processes=2)
        killed += codes.count(-signal.SIGKILL)
        world.queue_again()
        if number % 4 == 3:
            world.rotate()
    assert killed >= 6, "some were to be killed at work"
    world.finish()
    world.check()
