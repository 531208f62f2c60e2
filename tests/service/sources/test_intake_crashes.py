"""Intake in processes of its own: ended at any moment, or several at once, nothing is lost or doubled."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from docduck.service.core.installation import Installation
from docduck.service.sources import ledger
from docduck.service.sources.intake import ingest
from docduck.service.sources.sources import FolderSource
from tests.service.core.nursery import Nursery
from tests.service.sources.intake_world import assert_files_match, drop, invoices, ledger_of, rows

pytestmark = pytest.mark.slow

SCRIPT = """
from pathlib import Path
from docduck.service.sources import folder_files, folder_intake, intake, ledger, registration
from docduck.service.sources.sources import FolderSource
from docduck.files import Batch

POINTS = {
    "written aside": lambda count: dies_at(Batch, "add", count),
    "half in place": lambda count: dies_at(os, "rename", count, before=True),
    "stored": lambda count: dies_at(folder_intake, "copy_to_store", count),
    "registered": lambda count: dies_at(registration, "register", count),
    "ledger written": lambda count: dies_at(ledger, "write", count),
    "committed": lambda count: dies_at(folder_intake, "register_items", count),
    "half disposed": lambda count: dies_at(folder_files, "_dispose", count),
    "disposed": lambda count: dies_at(ledger, "mark_finished", count, before=True),
}

def work(inst, order):
    source = FolderSource("scans", Path(order["scans"]), "invoices", after=order["after"])
    return 100 + min(100, intake.ingest(inst, source).registered)
"""


class Intakes(Nursery):
    """Intakes in processes of their own."""

    def take_in(
        self,
        inst: Installation,
        scans: Path,
        after: str,
        *,
        dies_at: tuple[str, int] = ("", 0),
        kill_after: float | None = None,
        processes: int = 1,
    ) -> list[int]:
        """Gives the processes' exit codes: with 100 and more all is well, the rest is what was registered."""
        return self.run(
            inst,
            {"settle_seconds": 0, "empty_settle_seconds": 0, "intake_batch": 8},
            {"scans": str(scans), "after": after},
            dies_at=dies_at,
            kill_after=kill_after,
            processes=processes,
        )


@pytest.fixture(scope="module")
def nursery() -> Iterator[Intakes]:
    made = Intakes(SCRIPT)
    yield made
    made.close()


def assert_each_once(inst: Installation, scans: Path, after: str, contents: set[bytes], files: int) -> None:
    found = rows(inst)
    assert len(found) == len({row.sha256 for row in found}) == len(contents)
    assert {inst.files.path(row.sha256).read_bytes() for row in found} == contents
    assert {row.status for row in found} == {"queued"}
    known = ledger_of(inst)
    assert len(known) == files
    assert {entry.outcome for entry in known.values()} <= {"registered", "duplicate"}
    assert {item: entry for item, entry in known.items() if not entry.finished} == {}
    lying = [path for path in scans.iterdir() if path.is_file()]
    moved = [path for path in (scans / ".taken").glob("*") if path.stat().st_size]
    assert len(lying) == (files if after == "keep" else 0)
    assert len(moved) == (files if after == "move" else 0)
    assert_files_match(inst)


_POINTS = [
    ("written aside", 1),
    ("written aside", 8),
    ("half in place", 1),
    ("half in place", 6),
    ("stored", 2),
    ("stored", 6),
    ("registered", 2),
    ("ledger written", 2),
    ("committed", 1),
    ("half disposed", 6),
    ("disposed", 2),
]


@pytest.mark.extended
@pytest.mark.parametrize(
    ("point", "count", "after"),
    [
        (point, count, after)
        for point, count in _POINTS
        for after in ("keep", "move", "delete")
        if after != "keep" or "disposed" not in point
    ],
)
def test_an_end_at_any_point_loses_and_doubles_nothing(
    inst: Installation, nursery: Intakes, tmp_path: Path, point: str, count: int, after: str
) -> None:
    invoices(inst)
    scans = tmp_path / "scans"
    contents = {b"file %d" % number for number in range(10)}
    for content in contents:
        drop(scans, content.decode() + ".txt", content)
    codes = nursery.take_in(inst, scans, after, dies_at=(point, count))
    assert codes == [9], "it was to end in the middle"
    source = FolderSource("scans", scans, "invoices", after=after)  # type: ignore[arg-type]
    ingest(inst, source)
    ingest(inst, source)
    assert_each_once(inst, scans, after, contents, 10)


@pytest.mark.extended
def test_kills_at_random_moments_lose_and_double_nothing(
    any_inst: Installation, nursery: Intakes, tmp_path: Path
) -> None:
    invoices(any_inst)
    scans = tmp_path / "scans"
    contents = {b"file %d" % number for number in range(400)}
    for content in contents:
        drop(scans, content.decode() + ".txt", content)
    dice, killed = random.Random(7), 0
    for _ in range(20):
        codes = nursery.take_in(any_inst, scans, "move", kill_after=dice.uniform(0, 0.2))
        killed += codes == [-signal.SIGKILL]
    assert killed >= 10, "most were to be killed at work"
    source = FolderSource("scans", scans, "invoices", after="move")
    ingest(any_inst, source)
    ingest(any_inst, source)
    assert_each_once(any_inst, scans, "move", contents, 400)


@pytest.mark.parametrize("step", ["write_unregistered", "mark_finished"])
def test_a_transaction_that_others_deadlock_is_repeated(
    inst: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Processes that take in the same files lock the ledger's entries in different orders."""
    invoices(inst)
    scans = tmp_path / "scans"
    drop(scans, "a.txt", b"a")
    original, calls = getattr(ledger, step), count(1)

    def deadlocked(*arguments: Any) -> Any:
        if next(calls) == 1:
            raise OperationalError("UPDATE", None, Exception("deadlock detected"))
        return original(*arguments)

    monkeypatch.setattr(ledger, step, deadlocked)
    ingest(inst, FolderSource("scans", scans, "invoices", after="move"))
    assert next(calls) > 2
    assert_each_once(inst, scans, "move", {b"a"}, 1)


def test_several_processes_at_once_double_nothing(
    any_inst: Installation, nursery: Intakes, tmp_path: Path
) -> None:
    invoices(any_inst)
    scans = tmp_path / "scans"
    contents = {b"content %d" % number for number in range(30)}
    for number in range(60):
        drop(scans, f"{number:03}.txt", b"content %d" % (number % 30))
    codes = nursery.take_in(any_inst, scans, "move", processes=3)
    assert min(codes) >= 100 and sum(codes) - 300 == 30
    ingest(any_inst, FolderSource("scans", scans, "invoices", after="move"))
    assert_each_once(any_inst, scans, "move", contents, 60)
