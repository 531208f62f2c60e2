"""Events: webhooks of documents that are read while processes are killed lose none and invent none."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import func, select
from standardwebhooks.webhooks import WebhookVerificationError

from docduck.catalog.models import Document, WebhookDelivery
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.webhooks.secrets import rotate_secret
from docduck.settings import Settings
from tests.benchmarks.figures import Figure
from tests.service.webhooks.receiver import Answer, Received, Receiver, receiving, subscribe
from tests.system import truth
from tests.system.docduck import Docduck
from tests.system.killing import SLUGS, STAGES, Inbox, await_stage, strike
from tests.system.papers import FIELDS
from tests.waiting import wait_for

KILLS = ("service", "everything", "run", "service", "daemon", "supervisor") * 4
"""What is killed; a short measurement ends after some."""
FULL_DOCUMENTS, FEWEST_KILLS = 5000, 12
SEED = 20261123
_ARRIVAL = "an event arrives"
_ARRIVAL_SECONDS, _LONGEST_PAUSE = 15.0, 3.0
_KILLS_A_ROTATION = 4
_REFUSED_SHARE, _SLOWEST_ANSWER = 0.1, 0.3
_REST_SECONDS = 600.0
_EVENTS = {
    "processed": {"document.processed", "document.exported"},
    "failed": {"document.failed"},
}
"""The events of a document that has this status at the end."""


@dataclass
class Arrivals:
    """What arrived at the endpoints of parsers, and whether its signature was right."""

    chance: random.Random
    secrets: dict[str, list[str]] = field(default_factory=dict)
    """By path, the secrets in the order in which they were made."""
    accepted: list[Received] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    forged: list[Received] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, one: Received) -> Answer:
        """Verify a message; accept it, slowly, or refuse it the first time."""
        with self.lock:
            # Also right for a message that was composed before a rotation, and for a receiver that has not
            # learned of it.
            known = self.secrets[one.path][-2:][0]
            wait, refuses = self.chance.uniform(0, _SLOWEST_ANSWER), self.chance.random() < _REFUSED_SHARE
        try:
            one.verify(known)
        except WebhookVerificationError:
            self.forged.append(one)
        time.sleep(wait)
        message_id = one.headers["webhook-id"]
        with self.lock:
            if refuses and message_id not in self.refused:
                self.refused.add(message_id)
                return 503, {}
            self.accepted.append(one)
            return 204, {}


def events(folder: Path, documents: int) -> Iterator[Figure]:
    """Kill in ``folder``, 24 times for 5,000 documents or more, less often for fewer."""
    kinds = KILLS[: max(FEWEST_KILLS, len(KILLS) * documents // FULL_DOCUMENTS)]
    chance = random.Random(SEED)
    arrivals = Arrivals(random.Random(SEED))
    docduck = Docduck(
        folder / "home", allow_insecure_webhooks=True, max_lost_leases=len(KILLS) + 1, worker_seconds=600
    )
    inst = open_installation(Settings(home=docduck.home, allow_insecure_webhooks=True))
    inbox = Inbox(docduck.inbox, chance)
    hit: Counter[str] = Counter()
    try:
        with receiving() as receiver:
            receiver.answer = arrivals.answer
            hooks: dict[str, tuple[str, str]] = {}
            for slug in SLUGS:
                parser = create_parser(inst, inst.team_id, NewParser(slug.title(), slug=slug, fields=FIELDS))
                webhook_id, secret = subscribe(inst, parser.id, receiver.url(f"/{slug}"))
                hooks[slug] = parser.id, webhook_id
                arrivals.secrets[f"/{slug}"] = [secret]
            docduck.start()
            begin = time.monotonic()
            for number, kind in enumerate(kinds):
                inbox.wave()
                if number % _KILLS_A_ROTATION == _KILLS_A_ROTATION - 1:
                    _rotate(inst, hooks, arrivals)
                stage = chance.choice((_ARRIVAL, _ARRIVAL, *STAGES))
                if stage == _ARRIVAL:
                    _await_arrival(receiver)
                    time.sleep(chance.uniform(0, _SLOWEST_ANSWER))
                else:
                    await_stage(docduck, inst, stage)
                    time.sleep(chance.uniform(0, _LONGEST_PAUSE))
                hit += Counter({kind: strike(docduck, kind, chance)})
            docduck.wait_until_ready()
            killed = time.monotonic() - begin
            rest = wait_for(
                lambda: _is_at_rest(docduck, inst, len(inbox.papers)), _REST_SECONDS, lambda: _left(inst)
            )
            docduck.stop()
        yield Figure("kills", len(kinds), "", note=f"in {killed:.0f} s")
        yield Figure("kinds of processes never hit", len(set(kinds) - hit.keys()), "", 0, note=str(dict(hit)))
        yield Figure("at rest after", rest, "s")
        yield from _losses(inst, inbox, arrivals)
        truth.assert_history_is_legal(inst)
    finally:
        docduck.kill()
        inst.close()


def _rotate(inst: Installation, hooks: dict[str, tuple[str, str]], arrivals: Arrivals) -> None:
    for slug, (parser_id, webhook_id) in hooks.items():
        with arrivals.lock:
            secret, _ = rotate_secret(inst, inst.team_id, parser_id, webhook_id)
            arrivals.secrets[f"/{slug}"].append(secret)


def _await_arrival(receiver: Receiver) -> None:
    """Wait until another event arrives, but not for ever."""
    before, deadline = len(receiver.received), time.monotonic() + _ARRIVAL_SECONDS
    while len(receiver.received) == before and time.monotonic() < deadline:
        time.sleep(0.01)


def _left(inst: Installation) -> dict[str, int]:
    pending = truth.rows(inst, select(WebhookDelivery.id).where(WebhookDelivery.status == "pending"))
    return truth.work_left(inst) | ({"deliveries": len(pending)} if pending else {})


def _is_at_rest(docduck: Docduck, inst: Installation, least: int) -> bool:
    (known,) = truth.rows(inst, select(func.count(Document.id)))
    return known >= least and not _left(inst) and not docduck.live_runs()


def _losses(inst: Installation, inbox: Inbox, arrivals: Arrivals) -> Iterator[Figure]:
    """Compare what arrived with what became of the documents."""
    documents = truth.rows(inst, select(Document))
    wanted = {(row.id, event) for row in documents for event in _EVENTS.get(row.status, ())}
    messages: dict[str, set[tuple[str, str, bytes]]] = {}
    for one in arrivals.accepted:
        found = (one.payload["metadata"]["id"], one.event, one.body)
        messages.setdefault(one.headers["webhook-id"], set()).add(found)
    arrived = Counter((id_, event) for found in messages.values() for id_, event, _ in found)
    note = f"{len(inbox.papers)} were dropped"
    yield Figure("documents", len(documents), "", note=note)
    yield Figure("documents lost or doubled", abs(len(documents) - len(inbox.papers)), "", 0)
    again = len(arrivals.accepted) - len(messages)
    note = f"{again} arrived more than once, {len(arrivals.refused)} were refused at first"
    yield Figure("events", len(wanted), "", note=note)
    yield Figure("events lost", len(wanted - arrived.keys()), "", 0)
    invented = sorted(arrived.keys() - wanted)
    yield Figure("events invented", len(invented), "", 0, note=str(invented[:3] or ""))
    yield Figure("events under two ids", sum(times > 1 for times in arrived.values()), "", 0)
    changed = sum(len(found) > 1 for found in messages.values())
    yield Figure("messages changed when repeated", changed, "", 0)
    rotations = len(arrivals.secrets[f"/{SLUGS[0]}"]) - 1
    yield Figure("wrong signatures", len(arrivals.forged), "", 0, note=f"{rotations} rotations of secrets")
