"""Two machines that read beside ``docduck up``: homes of their own, on one PostgreSQL and one bucket."""

from __future__ import annotations

import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from docduck.catalog.models import Document, DocumentEvent
from docduck.owner import LEASE_SECONDS
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.reading_homes import reading_homes
from docduck.settings import Settings
from tests.service.core.documents import upload
from tests.system.cluster import Cluster, paused
from tests.system.conftest import MakeDocduck
from tests.system.papers import FIELDS, order
from tests.waiting import wait_for

PRODUCT = ("docduck.service.processing", "docduck.files")

pytestmark = pytest.mark.extended

PAPERS = 500
ANOTHER_MACHINE = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")
"""Has processes of its own, so that others can't see whether they live: only their leases tell."""


def in_work(inst: Installation) -> dict[str, int]:
    """The documents in the work of each home that reads, by the name of its folder."""
    return {Path(home.place.partition(" on ")[0]).name: home.documents for home in reading_homes(inst)}


@pytest.mark.timeout(600)
def test_a_machine_is_lost_and_nothing_is_lost_or_doubled(
    make_docduck: MakeDocduck, cluster: Cluster, tmp_path: Path
) -> None:
    variables: dict[str, Any] = {"workers": 1, "claim_batch": 2}
    main = make_docduck(**cluster.settings, **variables)
    inst = open_installation(main.settings)
    create_parser(inst, inst.team_id, NewParser(name="Orders", fields=FIELDS))
    main.start()
    apart = subprocess.run([*ANOTHER_MACHINE, "true"], capture_output=True).returncode == 0
    first = cluster.add_host(tmp_path / "first", ANOTHER_MACHINE if apart else (), **variables)
    second = cluster.add_host(tmp_path / "second", **variables)
    wait_for(lambda: {"first", "second"} <= set(in_work(inst)), 60, lambda: first.output)
    for number in range(PAPERS):
        (main.inbox / "orders" / f"{number}.pdf").write_bytes(order(number).pdf())

    def readings() -> Counter[str]:
        """How many documents each process has claimed."""
        claimed = select(DocumentEvent.actor).where(DocumentEvent.to_status == "processing")
        with inst.catalog.read_session() as session:
            return Counter(session.scalars(claimed))

    wait_for(lambda: in_work(inst)["first"], 90, lambda: str(readings()))
    first.kill()
    killed = time.monotonic()

    def is_read() -> bool:
        with inst.catalog.read_session() as session:
            statuses = Counter(session.scalars(select(Document.status)))
        return statuses == {"processed": PAPERS}

    wait_for(is_read, 4 * LEASE_SECONDS, lambda: str(in_work(inst)))
    print(f"all was read {time.monotonic() - killed:.0f} s after a machine was lost")
    rows = "SELECT order_number, count(*) FROM orders.documents GROUP BY 1"
    wait_for(lambda: len(main.query(rows)) == PAPERS, 60)
    with cluster.analyst() as analyst:
        assert dict(analyst.execute(rows).fetchall()) == {order(number).number: 1 for number in range(PAPERS)}
        items = "FROM orders.items ORDER BY ALL"
        assert analyst.execute(items).fetchall() == main.query(items)
    assert len(readings()) >= 3, "all three have read"

    second.stop(signal.SIGTERM)
    assert "documents read" in second.output
    assert not [*second.home.glob("*.duckdb"), *second.home.glob("*.ducklake")]
    main.stop()
    inst.close()


@pytest.mark.timeout(300)
def test_a_paused_machine_goes_on_and_what_it_held_is_read_once(cluster: Cluster, tmp_path: Path) -> None:
    variables: dict[str, Any] = {"workers": 1, "lease_seconds": 5, "heartbeat_seconds": 1}
    inst = open_installation(Settings(home=tmp_path / "home", **cluster.settings))
    parser = create_parser(inst, inst.team_id, NewParser(name="Orders", fields=FIELDS))

    def add(numbers: Iterable[int]) -> None:
        for number in numbers:
            upload(inst, inst.team_id, parser.slug, order(number).pdf(), f"{number}.pdf")

    def is_read(count: int) -> bool:
        with inst.catalog.read_session() as session:
            return Counter(session.scalars(select(Document.status))) == {"processed": count}

    def is_in_transaction() -> bool:
        idle = text("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'")
        with inst.catalog.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            return bool(connection.scalar(idle))

    add(range(count := 100))
    first = cluster.add_host(tmp_path / "first", **variables)
    for _ in range(20):
        wait_for(lambda: in_work(inst).get("first"), 60, lambda: first.output)
        with paused([*first.processes(), *first.fork_servers(), *first.workers()]):
            # In a transaction, it would keep the documents locked.
            if is_in_transaction() or not (held := in_work(inst)["first"]):
                continue
            cluster.add_host(tmp_path / "second", **variables)
            wait_for(lambda: is_read(count), 120, lambda: cluster.hosts[-1].output)
        break
    else:
        pytest.fail("it was never paused with claims in hand")
    add(range(count, count + 20))
    wait_for(lambda: is_read(count + 20), 60, lambda: first.output)
    with inst.catalog.read_session() as session:
        events = Counter(session.scalars(select(DocumentEvent.event)))
    assert events["extracted"] == count + 20
    assert events["lease_lost"] >= held
    cluster.stop_hosts()
    assert "defect" not in first.output
    inst.close()
