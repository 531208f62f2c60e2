"""``kill -9`` of anything at any moment: every document ends in its right state, exactly once."""

from __future__ import annotations

import hashlib
import random
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from sqlalchemy import select

from docduck.catalog.models import Document
from docduck.owner import is_dead
from docduck.service.installation import Installation, open_installation
from docduck.service.parsers import NewParser, create_parser, list_parsers
from docduck.settings import Settings
from tests.system import truth
from tests.system.conftest import MakeDocduck
from tests.system.docduck import Docduck, kill, wait_for
from tests.system.papers import FIELDS, Order, order

SEED = 20240815
KILLS = [
    *["run"] * 10,
    *["daemon"] * 2,
    *["code server"] * 2,
    *["inner code server"] * 1,
    *["webserver"] * 1,
    *["supervisor"] * 1,
    *["everything"] * 3,
]
STAGES = ("whenever", "a run is there", "being read", "being read", "being written")
STAGE_SECONDS = 15

_OWNERS = select(Document.claimed_by).where(Document.claimed_by.is_not(None)).distinct()
_FINISHED = select(Document.id).where(Document.processed_at.is_not(None))
ORDERS_A_WAVE = 6
SLUGS = ("orders", "offers")
REST_SECONDS = 90


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
        slug = self.chance.choice(SLUGS)
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
    finished = len(truth.rows(inst, _FINISHED))
    reached: dict[str, Callable[[], object]] = {
        "whenever": lambda: True,
        "a run is there": lambda: docduck.processes("run"),
        "being read": lambda: any(not is_dead(owner or "") for owner in truth.rows(inst, _OWNERS)),
        "being written": lambda: len(truth.rows(inst, _FINISHED)) > finished,
    }
    deadline = time.monotonic() + STAGE_SECONDS
    while not reached[stage]() and time.monotonic() < deadline:
        time.sleep(0.01)


def strike(docduck: Docduck, kind: str, chance: random.Random) -> None:
    """Kill one kind of process, or everything; what is to be started again by hand is."""
    if kind == "everything":
        docduck.kill()
    else:
        for process in docduck.processes(kind):
            kill(process)
    if kind in ("supervisor", "everything"):
        docduck.reap()
        wait_for(lambda: not docduck.processes(), 15, lambda: docduck.processes())
        docduck.launch()
        if chance.random() < 0.5:
            docduck.wait_until_ready()


def expected(inbox: Inbox) -> dict[str, Any]:
    """The tables' values by parser: orders and their items by number."""
    found: dict[str, Any] = {}
    for (slug, _), paper in inbox.papers.items():
        if isinstance(paper, Order):
            found[f"{slug} {paper.number}"] = (
                paper.date,
                paper.total,
                [(article, quantity, amount) for article, quantity, amount in paper.items],
            )
    return found


def actual(docduck: Docduck) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for slug in SLUGS:
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


def assert_documents(inst: Installation, docduck: Docduck, inbox: Inbox) -> None:
    """Each content is one document, in its state, with its error, and so it stands in the table."""
    slugs = {parser.id: parser.slug for parser in list_parsers(inst, inst.team_id)}
    rows = truth.rows(inst, select(Document))
    assert len(rows) == len(inbox.papers)
    assert {(slugs[str(row.parser_id)], row.sha256): row.error or "" for row in rows} == {
        key: paper if isinstance(paper, str) else "" for key, paper in inbox.papers.items()
    }
    assert all(row.status == ("failed" if row.error else "processed") for row in rows)
    shown = [
        row for slug in SLUGS for row in docduck.query(f"SELECT document_id, status FROM {slug}.documents")
    ]
    assert sorted(shown) == sorted((row.id, row.status) for row in rows)


@pytest.mark.slow
@pytest.mark.timeout(420)
def test_whatever_is_killed_nothing_is_lost_and_nothing_doubled(make_docduck: MakeDocduck) -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    docduck = make_docduck(claim_batch=2, publish_seconds=0.2)
    inst = open_installation(Settings(home=docduck.home))
    for slug in SLUGS:
        create_parser(inst, inst.team_id, NewParser(name=slug.title(), slug=slug, fields=FIELDS))
    inbox = Inbox(docduck.inbox, chance)
    docduck.start()
    begin = time.monotonic()
    kills = list(KILLS)
    chance.shuffle(kills)
    for kind in kills:
        inbox.wave()
        stage = chance.choice(STAGES[1:] if kind == "run" else STAGES)
        await_stage(docduck, inst, stage)
        time.sleep(chance.uniform(0, 0.5) * chance.random())
        done = len(truth.rows(inst, _FINISHED))
        print(f"{time.monotonic() - begin:6.1f} s  {kind:18} {stage:16} {done} done, {truth.work_left(inst)}")
        strike(docduck, kind, chance)

    docduck.wait_until_ready()
    print(f"{time.monotonic() - begin:6.1f} s  the last kill is over")

    def at_rest() -> bool:
        known = len(truth.rows(inst, select(Document.id)))
        return known >= len(inbox.papers) and not truth.work_left(inst) and not docduck.live_runs()

    wait_for(at_rest, REST_SECONDS, lambda: f"{truth.work_left(inst)}, {docduck.live_runs()} runs live")
    print(f"{time.monotonic() - begin:6.1f} s  at rest, {len(inbox.papers)} documents")
    docduck.stop()

    assert_documents(inst, docduck, inbox)
    assert actual(docduck) == expected(inbox)
    truth.assert_ledger_matches(inst, inbox.files)
    truth.assert_history_is_legal(inst)
    truth.assert_nothing_is_held(inst)
    truth.assert_files_match(inst)
    before = truth.tables(docduck.analytics)
    docduck.command("warehouse", "rebuild")
    assert truth.tables(docduck.analytics) == before
    inst.close()
