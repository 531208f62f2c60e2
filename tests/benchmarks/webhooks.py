"""Webhooks: how many deliveries a second, and how soon an event arrives."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import quantiles

from docduck.catalog.models import WebhookDelivery
from docduck.service.core.installation import open_installation
from docduck.service.webhooks.delivery import deliver_due
from docduck.settings import Settings
from tests.benchmarks.documents import write_documents
from tests.benchmarks.figures import Figure
from tests.benchmarks.running import running
from tests.service.core.documents import add, complete, make_parser
from tests.service.webhooks.receiver import Receiver, receiving, subscribe

DELIVERIES = 1000
DELIVERY_SECONDS = 10.0
ARRIVAL_SECONDS = 2.0
_EVENTS = ["document.exported"]
_DOCUMENTS = 60
_PATIENCE_SECONDS = 180.0
_INSECURE: Mapping[str, str] = {"DOCDUCK_ALLOW_INSECURE_WEBHOOKS": "true"}


def webhooks(folder: Path, documents: int) -> Iterator[Figure]:
    """Measure in ``folder``; ``documents`` changes nothing."""
    with receiving() as receiver:
        yield from _throughput(folder / "throughput", receiver)
    with receiving() as receiver:
        yield from _arrival(folder, receiver)


def _throughput(home: Path, receiver: Receiver) -> Iterator[Figure]:
    """Send many events to one receiver, which is in this process."""
    inst = open_installation(Settings(home=home, allow_insecure_webhooks=True))
    try:
        parser = make_parser(inst)
        subscribe(inst, parser.id, receiver.url(), _EVENTS)
        add(inst, parser, DELIVERIES)
        complete(inst, parser)
        begin = time.monotonic()
        deliver_due(inst, _PATIENCE_SECONDS)
        seconds = time.monotonic() - begin
    finally:
        inst.close()
    assert len(receiver.received) == DELIVERIES
    yield Figure(f"{DELIVERIES:,} deliveries to a local receiver", seconds, "s", DELIVERY_SECONDS)


def _arrival(folder: Path, receiver: Receiver) -> Iterator[Figure]:
    """The time from a document's change to the event's arrival, while docduck reads a batch."""
    home = folder / "home"
    home.mkdir()
    files = write_documents(folder / "documents", _DOCUMENTS)
    with running(home, 2, _INSECURE) as up:
        inst = open_installation(Settings(home=home, allow_insecure_webhooks=True))
        try:
            subscribe(inst, up.parser.id, receiver.url(), _EVENTS)
            up.drop(files)
            receiver.wait(_DOCUMENTS, _PATIENCE_SECONDS)
            with inst.catalog.read_session() as session:
                happened = {f"msg_{one.id}": one.created_at for one in session.query(WebhookDelivery)}
        finally:
            inst.close()
    waits = [one.at - happened[one.headers["webhook-id"]].timestamp() for one in receiver.received]
    note = f"of {len(waits)}; the longest {max(waits):.2f} s"
    yield Figure("event at its receiver, p95", quantiles(waits, n=20)[-1], "s", ARRIVAL_SECONDS, note=note)
