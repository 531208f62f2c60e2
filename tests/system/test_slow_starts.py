"""Runs that take long to start: one at a time, and what waits is read by the first."""

from __future__ import annotations

import time

import pytest

from tests.system.conftest import MakeDocduck
from tests.system.papers import order
from tests.waiting import wait_for

PRODUCT = ("docduck.service.runs", "dagster_docduck.orchestration")
START_SECONDS = 70
"""More than the minute that Dagster waits by default."""


@pytest.mark.extended
@pytest.mark.timeout(400)
def test_a_run_that_takes_long_to_start_is_waited_for(
    make_docduck: MakeDocduck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_RUN_START_SECONDS", str(START_SECONDS))
    docduck = make_docduck()
    docduck.start("--samples")
    wait_for(docduck.live_runs, 60)
    begin = time.monotonic()
    while not docduck.analytics.exists() or not docduck.query(
        "SELECT count(*) FROM information_schema.tables WHERE table_name = 'documents'"
    ):
        assert docduck.live_runs() == 1, "the run failed, or a second one was started"
        assert time.monotonic() - begin < 3 * START_SECONDS
        time.sleep(2)
    assert time.monotonic() - begin > START_SECONDS / 2, "the start was not slow: this test shows nothing"
    paper = order(1)
    (docduck.inbox / "purchase_orders" / f"{paper.number}.pdf").write_bytes(paper.pdf())
    question = f"SELECT count(*) FROM purchase_orders.documents WHERE order_number = '{paper.number}'"
    wait_for(lambda: docduck.query(question) == [(1,)], 60)
