"""Runs that take long to start: one at a time, and what waits is read by the first."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.system.conftest import MakeDocduck
from tests.system.papers import order
from tests.waiting import wait_for

START_SECONDS = 90

SLOW = """import sys, time
if "spawn_main" in " ".join(sys.orig_argv):
    time.sleep({seconds})
"""
"""Python runs it at its start; the code server starts the process of a run so."""


@pytest.mark.extended
@pytest.mark.timeout(400)
def test_a_run_that_takes_long_to_start_is_waited_for(
    make_docduck: MakeDocduck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "slow"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(SLOW.format(seconds=START_SECONDS))
    monkeypatch.setenv("PYTHONPATH", str(folder))
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
