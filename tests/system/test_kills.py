"""``kill -9`` of anything at any moment: every document ends in its right state, exactly once."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from sqlalchemy import select

from docduck.catalog.models import Document
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import NewParser, create_parser, list_parsers
from tests.system import truth
from tests.system.cluster import FAULTS, Cluster
from tests.system.conftest import MakeDocduck
from tests.system.docduck import Docduck
from tests.system.killing import FINISHED, SLUGS, STAGES, TWICE, Inbox, actual, await_stage, expected, strike
from tests.system.papers import FIELDS
from tests.waiting import wait_for

PRODUCT = (
    "docduck.service.processing",
    "docduck.service.runs",
    "docduck.service.sources",
    "docduck.service.outputs",
)
SEED = 20240815
KILLS = [
    *["run"] * 10,
    *["worker", "fork server", TWICE] * 2,
    *["daemon"] * 2,
    *["code server"] * 2,
    *["inner code server"] * 1,
    *["webserver"] * 1,
    *["supervisor"] * 1,
    *["everything"] * 3,
]
BACKSTOP_SECONDS = 30
REST_SECONDS = BACKSTOP_SECONDS + 60
"""After runs were killed, the service leaves dropped files to the sensor, whose tick may just have failed."""


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


@pytest.mark.extended
@pytest.mark.timeout(600)
def test_whatever_is_killed_nothing_is_lost_and_nothing_doubled(
    make_docduck: MakeDocduck, any_cluster: Cluster | None, tmp_path: Path
) -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    settings = {} if any_cluster is None else any_cluster.settings
    docduck = make_docduck(claim_batch=2, publish_seconds=0.2, backstop_seconds=BACKSTOP_SECONDS, **settings)
    inst = open_installation(docduck.settings)
    for slug in SLUGS:
        create_parser(inst, inst.team_id, NewParser(name=slug.title(), slug=slug, fields=FIELDS))
    inbox = Inbox(docduck.inbox, chance)
    docduck.start()
    kills = list(KILLS)
    if any_cluster is not None:
        any_cluster.add_host(tmp_path / "host", claim_batch=2)
        kills += FAULTS * 3
    begin = time.monotonic()
    chance.shuffle(kills)
    for kind in kills:
        inbox.wave()
        stage = chance.choice(STAGES[1:] if kind == "run" else STAGES)
        await_stage(docduck, inst, stage)
        time.sleep(chance.uniform(0, 0.5) * chance.random())
        done = len(truth.rows(inst, FINISHED))
        print(f"{time.monotonic() - begin:6.1f} s  {kind:18} {stage:16} {done} done, {truth.work_left(inst)}")
        strike(docduck, kind, chance, any_cluster)

    docduck.wait_until_ready()
    print(f"{time.monotonic() - begin:6.1f} s  the last kill is over")

    def at_rest() -> bool:
        known = len(truth.rows(inst, select(Document.id)))
        return known >= len(inbox.papers) and not truth.work_left(inst) and not docduck.live_runs()

    wait_for(at_rest, REST_SECONDS, lambda: f"{truth.work_left(inst)}, {docduck.live_runs()} runs live")
    print(f"{time.monotonic() - begin:6.1f} s  at rest, {len(inbox.papers)} documents")
    if any_cluster is not None:
        any_cluster.stop_hosts()
    docduck.stop()

    assert_documents(inst, docduck, inbox)
    assert actual(docduck) == expected(inbox.papers)
    truth.assert_ledger_matches(inst, inbox.files)
    truth.assert_history_is_legal(inst)
    truth.assert_nothing_is_held(inst)
    truth.assert_files_match(inst)
    before = truth.tables(docduck)
    docduck.command("warehouse", "rebuild")
    assert truth.tables(docduck) == before
    inst.close()
