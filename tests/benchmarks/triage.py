"""Triage: batches that are split, routed and reviewed while everything is killed lose and double nothing."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import httpx
from sqlalchemy import select

from docduck.catalog.models import Document, DocumentStage
from docduck.service.accounts.keys import create_key
from docduck.service.classifiers.classifiers import create_classifier
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.reviews.stage_changes import create_stage
from docduck.settings import Settings
from tests.benchmarks.figures import Figure
from tests.benchmarks.losses import changed_by_a_rebuild, rows_off
from tests.benchmarks.repeating import repeating
from tests.documents.formats.files import lines_page, pdf
from tests.service.core.people import make_member
from tests.system import truth
from tests.system.docduck import Docduck
from tests.waiting import wait_for

KILLS, FULL_DOCUMENTS, FEWEST_KILLS = 20, 5000, 3
PAGES = 6
SEED = 20261122
_LONGEST_PAUSE = 6.0
_UPLOAD_SECONDS, _DECISION_SECONDS = 0.7, 0.1
_REST_SECONDS = 600.0
_STAGES = ("Books", "Payment")
_AWAY = (httpx.HTTPError, FileNotFoundError)
_DECIDED = {"approve": "approved", "reject": "rejected"}


@dataclass
class Batches:
    """External ids of batches: those accepted, and those without a clear answer."""

    accepted: set[str] = field(default_factory=set)
    unclear: set[str] = field(default_factory=set)


@dataclass
class Decisions:
    """The decisions that were answered with success, by document."""

    answered: dict[str, list[str]] = field(default_factory=dict)


def triage(folder: Path, documents: int) -> Iterator[Figure]:
    """Kill everything in ``folder``, 20 times for 5,000 documents or more, less often for fewer."""
    kills = max(FEWEST_KILLS, min(KILLS, KILLS * documents // FULL_DOCUMENTS))
    chance = random.Random(SEED)
    docduck = Docduck(folder / "home", rate_limit_minute=0, rate_limit_day=0, max_lost_leases=kills + 1)
    inst = open_installation(Settings(home=docduck.home))
    reviewer = make_member(inst)
    key = create_key(inst, inst.team_id, "benchmark").text
    invoices, leases = (create_parser(inst, inst.team_id, NewParser(n)).id for n in ("Invoices", "Leases"))
    for name in _STAGES:
        create_stage(inst, inst.team_id, invoices, {"name": name, "reviewer_id": reviewer})
    classifier = create_classifier(
        inst,
        inst.team_id,
        {
            "name": "Post",
            "routing": {
                "rules": [
                    {"label": "Invoice", "targetParserId": invoices},
                    {"label": "Lease agreement", "targetParserId": leases},
                ]
            },
            "split_documents": {"enabled": True, "mode": "everyXPages", "everyXPages": 1},
        },
    ).id
    try:
        docduck.start()
        with (
            _uploading(docduck, key, classifier) as batches,
            _deciding(docduck, key, inst, invoices, reviewer) as decisions,
        ):
            for _ in range(kills):
                time.sleep(chance.uniform(0.5, _LONGEST_PAUSE))
                docduck.kill()
                docduck.launch()
                docduck.wait_until_ready()
        rest = wait_for(
            lambda: not truth.work_left(inst) and not docduck.live_runs(),
            _REST_SECONDS,
            lambda: truth.work_left(inst),
        )
        docduck.stop()
        yield Figure("kills of everything", kills, "")
        yield Figure("at rest after", rest, "s")
        yield from _losses(docduck, inst, batches, decisions, {"invoices": invoices, "leases": leases})
        truth.assert_history_is_legal(inst)
        truth.assert_nothing_is_held(inst)
        yield changed_by_a_rebuild(docduck)
    finally:
        docduck.kill()
        inst.close()


def _batch(batch: int) -> bytes:
    invoice = (
        "INVOICE",
        f"Number: {batch}",
        "Invoice date: 2026-01-02",
        "Due date: 2026-02-02",
        "Total: 119.00",
    )
    lease = (
        "LEASE AGREEMENT",
        f"This lease agreement, number {batch}, is made between the landlord and the tenant.",
        "The tenant shall pay rent of 900 monthly. The landlord shall maintain the premises.",
    )
    return pdf(*(lines_page(lease if number % 2 else invoice) for number in range(PAGES)))


@contextmanager
def _uploading(docduck: Docduck, key: str, classifier_id: str) -> Iterator[Batches]:
    """Upload one batch of invoices and leases after the other while the block runs."""
    batches, numbers = Batches(), count()

    def upload() -> None:
        number = next(numbers)
        name = f"batch-{number}"
        batches.unclear.add(name)
        with suppress(*_AWAY):
            answer = client.post(
                f"{docduck.api_address}/api/v1/process/files",
                files={"file": (f"{name}.pdf", _batch(number), "application/pdf")},
                data={"classifierId": classifier_id},
            )
            if answer.status_code == 200:
                batches.unclear.discard(name)
                batches.accepted.add(name)

    with _client(key) as client, repeating(upload, _UPLOAD_SECONDS):
        yield batches


@contextmanager
def _deciding(
    docduck: Docduck, key: str, inst: Installation, parser_id: str, reviewer: str
) -> Iterator[Decisions]:
    """Approve or reject one document in review after the other while the block runs."""
    decisions, chance = Decisions(), random.Random(SEED)
    waiting = select(Document.id).where(Document.parser_id == parser_id, Document.status == "in_review")

    def decide() -> None:
        ids = sorted(truth.rows(inst, waiting))
        if not ids:
            return
        document_id, verb = chance.choice(ids), chance.choice(("approve", "approve", "approve", "reject"))
        with suppress(*_AWAY):
            url = f"{docduck.api_address}/api/v1/parsers/{parser_id}/documents/{document_id}/review/{verb}"
            if client.post(url, json={"reviewerId": reviewer}).status_code == 200:
                decisions.answered.setdefault(document_id, []).append(_DECIDED[verb])

    with _client(key) as client, repeating(decide, _DECISION_SECONDS):
        yield decisions


def _client(key: str) -> httpx.Client:
    return httpx.Client(headers={"Authorization": f"Bearer {key}"}, timeout=60, trust_env=False)


def _losses(
    docduck: Docduck, inst: Installation, batches: Batches, decisions: Decisions, parsers: dict[str, str]
) -> Iterator[Figure]:
    """Compare what was accepted and decided with the catalog, and that with the published tables."""
    documents = {row.id: row for row in truth.rows(inst, select(Document))}
    pages: Counter[tuple[str, int]] = Counter()
    misrouted = 0
    for row in documents.values():
        split = row.split or {}
        number = int(split.get("index", 0))
        pages[str(split.get("sourceName", row.name)).removesuffix(".pdf"), number] += 1
        misrouted += row.parser_id != parsers["leases" if number % 2 == 0 else "invoices"]
    known = batches.accepted | batches.unclear
    note = f"{len(batches.accepted)} batches accepted, {len(batches.unclear)} unclear"
    yield Figure("documents", len(documents), "", note=note)
    wanted = {(batch, number) for batch in batches.accepted for number in range(1, PAGES + 1)}
    lost = sorted(wanted - pages.keys())
    yield Figure("pages lost", len(lost), "", 0, note=str(lost[:3] or ""))
    doubled = [one for one, times in pages.items() if times > 1 or one[0] not in known]
    yield Figure("pages doubled", len(doubled), "", 0, note=str(doubled[:3] or ""))
    yield Figure("pages routed wrong", misrouted, "", 0)
    stages = Counter(row.document_id for row in truth.rows(inst, select(DocumentStage)))
    reviewed = {one for one, row in documents.items() if row.parser_id == parsers["invoices"]}
    off = [one for one in reviewed | stages.keys() if stages[one] != (len(_STAGES) if one in reviewed else 0)]
    yield Figure("reviews with stages missing or doubled", len(off), "", 0)
    forgotten = [one for one, done in decisions.answered.items() if not _shows(documents[one], done)]
    answered = sum(map(len, decisions.answered.values()))
    yield Figure("decisions lost", len(forgotten), "", 0, note=f"of {answered} that were answered")
    yield rows_off(docduck, parsers, documents.values())


def _shows(document: Document, answered: list[str]) -> bool:
    """Return whether the document's status may follow the answered decisions; others may be unanswered."""
    if "rejected" in answered:
        return document.status == "rejected"
    if len(answered) == len(_STAGES):
        return document.status == "approved"
    return document.status in ("in_review", "approved", "rejected")
