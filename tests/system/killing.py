"""Kills of docduck's processes, and what was dropped into its inbox meanwhile."""

from __future__ import annotations

import hashlib
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportlab.lib.pdfencrypt import StandardEncryption
from sqlalchemy import select

from docduck.catalog.models import Document
from docduck.owner import is_dead
from docduck.service.core.installation import Installation
from tests.system import truth
from tests.system.cluster import FAULTS, PAUSE, Cluster
from tests.system.docduck import Docduck, kill
from tests.system.papers import Order, order
from tests.waiting import wait_for

STAGES = ("whenever", "a run is there", "being read", "being read", "being written")
STAGE_SECONDS = 15
TWICE = "fork servers twice"
"""All fork servers, and those that replace them, with their workers: no task survives that in one run."""
_TWICE_SECONDS = 4.0

_OWNERS = select(Document.claimed_by).where(Document.claimed_by.is_not(None)).distinct()
FINISHED = select(Document.id).where(Document.processed_at.is_not(None))
ORDERS_A_WAVE = 6
SLUGS = ("orders", "offers")


@dataclass
class Inbox:
    """What was dropped: ``files`` as they lie there, and what must come of each content."""

    folder: Path
    chance: random.Random
    files: dict[str, bytes] = field(default_factory=dict)
    papers: dict[tuple[str, str], Order | str] = field(default_factory=dict)
    """By parser and SHA-256: the order that is read, or the error it ends with."""
    _number: int = 0

    def wave(self) -> None:
        """Drop some orders and one bad file; rename, copy, or replace earlier ones."""
        earlier = sorted(self.files)
        for _ in range(ORDERS_A_WAVE):
            self._number += 1
            paper = order(self._number)
            self._drop(f"{paper.number}.pdf", paper.pdf(), paper)
        self._number += 1
        self._drop(*self._bad())
        if earlier:
            self._rename(self.chance.choice(earlier))
            self._copy(self.chance.choice(sorted(self.files)))

    def _drop(self, name: str, content: bytes, outcome: Order | str) -> None:
        self.drop(self.chance.choice(SLUGS), name, content, outcome)

    def drop(self, slug: str, name: str, content: bytes, outcome: Order | str) -> None:
        """Drop one file into a parser's folder; ``outcome`` is what must come of it, "" anything."""
        self._write(f"{slug}/{name}", content)
        self.papers[slug, hashlib.sha256(content).hexdigest()] = outcome

    def _bad(self) -> tuple[str, bytes, str]:
        number = self._number
        return self.chance.choice(
            [
                (
                    f"damaged {number}.pdf",
                    b"%PDF-1.7\n" + self.chance.randbytes(500),
                    "File is damaged or not readable",
                ),
                (
                    f"secret {number}.pdf",
                    order(number).pdf(encrypt=StandardEncryption(f"user {number}", "owner")),
                    "File is password protected",
                ),
                (
                    f"program {number}.exe",
                    b"MZ\x90\x00" + self.chance.randbytes(500),
                    "Unsupported file type",
                ),
            ]
        )

    def _rename(self, item: str) -> None:
        """The same content under a new name is no new document, whether it was taken already or not."""
        new = f"{item.split('/')[0]}/renamed {len(self.files)} {Path(item).name}"
        (self.folder / item).rename(self.folder / new)
        self.files[new] = self.files.pop(item)

    def _copy(self, item: str) -> None:
        self._write(f"{item.split('/')[0]}/copy {len(self.files)} {Path(item).name}", self.files[item])

    def _write(self, item: str, content: bytes) -> None:
        (self.folder / item).write_bytes(content)
        self.files[item] = content


def await_stage(docduck: Docduck, inst: Installation, stage: str) -> None:
    """Wait until the pipeline is seen at a stage, but not for ever: some last for milliseconds only."""
    finished = len(truth.rows(inst, FINISHED))
    reached: dict[str, Callable[[], object]] = {
        "whenever": lambda: True,
        "a run is there": lambda: docduck.processes("run"),
        "being read": lambda: any(not is_dead(owner or "") for owner in truth.rows(inst, _OWNERS)),
        "being written": lambda: len(truth.rows(inst, FINISHED)) > finished,
    }
    deadline = time.monotonic() + STAGE_SECONDS
    while not reached[stage]() and time.monotonic() < deadline:
        time.sleep(0.01)


def strike(docduck: Docduck, kind: str, chance: random.Random, cluster: Cluster | None = None) -> int:
    """Kill one kind of process, one worker or fork server of any host, or everything; or let a part of the
    cluster fail.

    What is to be started again by hand is. Return how many processes were hit.
    """
    if cluster is not None and kind in (*FAULTS, PAUSE):
        return cluster.strike(kind, chance)
    hosts = [docduck, *(() if cluster is None else cluster.hosts)]
    if kind in ("worker", "fork server"):
        named = Docduck.workers if kind == "worker" else Docduck.fork_servers
        found = [process for host in hosts for process in named(host)]
        hit = [chance.choice(found)] if found else []
    elif kind == TWICE:
        hit = [process for host in hosts for process in host.fork_servers()]
        for process in hit:
            kill(process)
        time.sleep(chance.uniform(0, _TWICE_SECONDS))
        hit += [process for host in hosts for process in host.fork_servers()]
    else:
        hit = docduck.processes(None if kind == "everything" else kind)
    for process in hit:
        kill(process)
    if kind == "everything":
        docduck.kill()
    if kind in ("supervisor", "everything"):
        docduck.reap()
        wait_for(lambda: not docduck.processes(), 15, lambda: docduck.processes())
        docduck.launch()
        if chance.random() < 0.5:
            docduck.wait_until_ready()
    return len(hit)


def expected(papers: Mapping[tuple[str, str], Order | str]) -> dict[str, Any]:
    """Return the values that tables must have, by parser and number: date, total and items."""
    found: dict[str, Any] = {}
    for (slug, _), paper in papers.items():
        if isinstance(paper, Order):
            found[f"{slug} {paper.number}"] = (
                paper.date,
                paper.total,
                [(article, quantity, amount) for article, quantity, amount in paper.items],
            )
    return found


def actual(docduck: Docduck, slugs: Iterable[str] = SLUGS) -> dict[str, Any]:
    """Return the same as the published tables have it; fail where they have anything twice."""
    found: dict[str, Any] = {}
    for slug in slugs:
        items: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        for document_id, *item in docduck.query(
            f"SELECT document_id, article, quantity, amount FROM {slug}.items"
            " ORDER BY document_id, row_number"
        ):
            items[document_id].append(tuple(item))
        for document_id, number, date, total in docduck.query(
            f"SELECT document_id, order_number, date, total FROM {slug}.documents WHERE status = 'processed'"
        ):
            assert f"{slug} {number}" not in found, "twice in the table"
            found[f"{slug} {number}"] = (date, total, items.pop(document_id))
        assert not items, "rows of no document"
    return found
