"""How long a single document takes from the inbox to the analysts' copy."""

from __future__ import annotations

import pytest

from tests.system.docduck import Docduck
from tests.system.papers import order
from tests.waiting import wait_for

PRODUCT = ("docduck.service.runs", "docduck.service.outputs")


def seconds_until_published(docduck: Docduck, number: int) -> float:
    paper = order(number)
    (docduck.inbox / "purchase_orders" / f"{paper.number}.pdf").write_bytes(paper.pdf())
    question = f"SELECT count(*) FROM purchase_orders.documents WHERE order_number = '{paper.number}'"
    return wait_for(lambda: docduck.query(question) == [(1,)], 60)


@pytest.mark.extended
def test_a_single_document_is_soon_published(running: Docduck) -> None:
    wait_for(lambda: running.processes("run"), 30)
    wait_for(lambda: not running.processes("run"), 60)
    idle = seconds_until_published(running, 1)
    live = []
    for number in (2, 3, 4):
        assert running.processes("run"), "the run ended too soon for this test"
        live.append(seconds_until_published(running, number))
    # How fast is measured by the benchmarks; here, that a live run needs no launch.
    assert min(live) < idle
