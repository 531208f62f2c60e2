"""Intake in processes of its own: ended at any moment, or several at once, nothing is lost or doubled."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from docduck.service.installation import Installation
from docduck.service.intake import FolderSource, take_in
from tests.service.intake_world import assert_files_match, drop, invoices, ledger_of, rows

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]
NURSERY = """
import json, os, signal, sys, time
from pathlib import Path
from docduck.service import intake, ledger, taking
from docduck.service.installation import open_installation
from docduck.files import Batch
from docduck.settings import Settings

def dies_at(owner, name, count, before=False):
    real, calls = getattr(owner, name), []
    def wrapped(*args, **kwargs):
        calls.append(1)
        last = len(calls) == count
        if last and before:
            os._exit(9)
        result = real(*args, **kwargs)
        if last:
            os._exit(9)
        return result
    setattr(owner, name, wrapped)

POINTS = {
    "written aside": lambda count: dies_at(Batch, "add", count),
    "half in place": lambda count: dies_at(os, "rename", count, before=True),
    "stored": lambda count: dies_at(intake, "copy", count),
    "registered": lambda count: dies_at(taking, "register", count),
    "ledger written": lambda count: dies_at(ledger, "write", count),
    "committed": lambda count: dies_at(intake, "enter", count),
    "half disposed": lambda count: dies_at(taking, "_dispose", count),
    "disposed": lambda count: dies_at(ledger, "finish", count, before=True),
}

def child(order):
    try:
        if order["point"]:
            POINTS[order["point"]](order["count"])
        inst = open_installation(Settings(**order["settings"]))
        source = intake.FolderSource("scans", Path(order["scans"]), "invoices", after=order["after"])
        os._exit(100 + min(100, intake.take_in(inst, source).registered))
    except BaseException as error:
        print(repr(error), file=sys.stderr)
        os._exit(1)

print("ready", flush=True)
for line in sys.stdin:
    order = json.loads(line)
    pids = []
    while len(pids) < order["processes"]:
        pid = os.fork()
        if pid == 0:
            child(order)
        pids.append(pid)
    if order["kill_after"] is not None:
        time.sleep(order["kill_after"])
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
    print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]), flush=True)
"""


class Nursery:
    """A process that has everything imported and forks others, so that each begins at once."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", NURSERY],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._read() == "ready"

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
        """Take in, in processes of their own; gives their exit codes.

        All is well with 100 and more: the rest is what was registered. -9 is killed from outside, 9 died
        at the point asked for.
        """
        order = {
            "settings": {
                "home": str(inst.settings.home),
                "catalog_url": inst.settings.catalog_url,
                "settle_seconds": 0,
                "empty_settle_seconds": 0,
                "intake_batch": 8,
            },
            "scans": str(scans),
            "after": after,
            "point": dies_at[0],
            "count": dies_at[1],
            "kill_after": kill_after,
            "processes": processes,
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return cast(list[int], json.loads(self._read()))

    def close(self) -> None:
        self._process.communicate(timeout=60)

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
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
    inst: Installation, nursery: Nursery, tmp_path: Path, point: str, count: int, after: str
) -> None:
    invoices(inst)
    scans = tmp_path / "scans"
    contents = {b"file %d" % number for number in range(10)}
    for content in contents:
        drop(scans, content.decode() + ".txt", content)
    codes = nursery.take_in(inst, scans, after, dies_at=(point, count))
    assert codes == [9], "it was to end in the middle"
    source = FolderSource("scans", scans, "invoices", after=after)  # type: ignore[arg-type]
    take_in(inst, source)
    take_in(inst, source)
    assert_each_once(inst, scans, after, contents, 10)


def test_kills_at_random_moments_lose_and_double_nothing(
    any_inst: Installation, nursery: Nursery, tmp_path: Path
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
    take_in(any_inst, source)
    take_in(any_inst, source)
    assert_each_once(any_inst, scans, "move", contents, 400)


def test_several_processes_at_once_double_nothing(
    any_inst: Installation, nursery: Nursery, tmp_path: Path
) -> None:
    invoices(any_inst)
    scans = tmp_path / "scans"
    contents = {b"content %d" % number for number in range(60)}
    for number in range(120):
        drop(scans, f"{number:03}.txt", b"content %d" % (number % 60))
    codes = nursery.take_in(any_inst, scans, "move", processes=3)
    assert min(codes) >= 100 and sum(codes) - 300 == 60
    take_in(any_inst, FolderSource("scans", scans, "invoices", after="move"))
    assert_each_once(any_inst, scans, "move", contents, 120)
