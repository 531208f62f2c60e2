"""Two machines that read beside ``docduck up``: homes of their own, on one PostgreSQL and one bucket."""

from __future__ import annotations

import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import Document, DocumentEvent
from docduck.owner import LEASE_SECONDS
from docduck.service.core.installation import Installation, open_installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.reading_homes import reading_homes
from tests.system.cluster import Cluster
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
