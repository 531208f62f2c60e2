"""Several processes at one warehouse: readers, writers, and writers that are killed."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from docduck.errors import Transient
from docduck.warehouse.lock import WriterLock
from docduck.warehouse.warehouse import WarehouseOptions
from docduck.warehouse.warehouse_file import WarehouseFile
from tests.warehouse.samples import INVOICES, contents, invoice

ROOT = Path(__file__).parents[2]

READER = """
import sys, time
import duckdb

path = sys.argv[1]
shell = duckdb.connect(path, read_only=True)
was = shell.execute("SELECT count(*) FROM invoices.documents").fetchone()
torn = "SELECT count(*) FROM {0}.documents ANTI JOIN {0}.line_items USING (document_id)"
asked = 0
print("ready", flush=True)
while True:
    assert shell.execute("SELECT count(*) FROM invoices.documents").fetchone() == was
    fresh = duckdb.connect()
    fresh.execute(f"ATTACH '{path}' AS now (READ_ONLY)")
    assert fresh.execute(torn.format("now.invoices")).fetchone() == (0,)
    fresh.close()
    asked += 1
    print(asked, flush=True)
"""

WRITER = """
import sys
from pathlib import Path

from docduck.warehouse.warehouse_file import WarehouseFile
from tests.warehouse.samples import INVOICES, invoice

home, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
warehouse = WarehouseFile(home)
print("ready", flush=True)
for number in range(first, first + count):
    warehouse.apply(INVOICES, [invoice(number)])
    print(number, flush=True)
    warehouse.publish(force=True)
"""


@contextlib.contextmanager
def running(script: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def told(process: subprocess.Popen[str]) -> list[int]:
    """The whole numbers a killed process had printed."""
    assert process.stdout is not None
    return [int(line) for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")]


@pytest.mark.slow
def test_a_shell_that_stays_open_disturbs_nobody_and_is_not_disturbed(tmp_path: Path) -> None:
    warehouse = WarehouseFile(tmp_path)
    warehouse.apply(INVOICES, [invoice(0)])
    warehouse.publish()
    with running(READER, warehouse.published) as reader:
        for number in range(1, 16):
            warehouse.apply(INVOICES, [invoice(number)])
            assert warehouse.publish(force=True) is not None
        assert reader.poll() is None, "a query failed"
        reader.send_signal(signal.SIGKILL)
        assert len(told(reader)) > 1
    assert warehouse.counts()["invoices"]["documents"] == 16


@pytest.mark.slow
def test_writers_take_turns(tmp_path: Path) -> None:
    with running(WRITER, tmp_path, 0, 8) as one, running(WRITER, tmp_path, 100, 8) as other:
        assert (one.wait(60), other.wait(60)) == (0, 0)
    warehouse = WarehouseFile(tmp_path)
    assert warehouse.counts(published=False)["invoices"] == {
        "documents": 16,
        "line_items": 32,
        "_evidence": 48,
    }
    assert contents(warehouse.published) == contents(warehouse.path)


@pytest.mark.slow
def test_a_killed_writer_leaves_whole_documents_and_a_whole_copy(tmp_path: Path) -> None:
    warehouse = WarehouseFile(tmp_path)
    chance = random.Random(1)
    done: set[int] = set()
    for kill in range(8):
        with running(WRITER, tmp_path, 1000 * kill, 1000) as writer:
            if kill == 0:
                done.add(_number(writer))
            time.sleep(chance.uniform(0.02, 0.6))
            writer.send_signal(signal.SIGKILL)
            done |= {*told(writer)}
        copied = warehouse.counts().get("invoices", {})
        assert copied.get("line_items", 0) == 2 * copied.get("documents", 0)
        tables = contents_of(warehouse)
        documents = {row[0] for row in tables["invoices.documents"][2]} if tables else set()
        assert documents >= {f"doc-{number}" for number in done}
    expected = WarehouseFile(tmp_path / "expected")
    numbers = sorted(int(document.removeprefix("doc-")) for document in documents)
    assert numbers
    expected.rebuild([(INVOICES, [[invoice(number) for number in numbers]])])
    assert contents_of(warehouse) == contents(expected.path)
    warehouse.publish(force=True)
    assert contents(warehouse.published) == contents(expected.path)
    assert not [*tmp_path.glob("*.new")]


def _number(writer: subprocess.Popen[str]) -> int:
    assert writer.stdout is not None
    return int(writer.stdout.readline())


def contents_of(warehouse: WarehouseFile) -> dict[str, Any]:
    warehouse.counts(published=False)
    return contents(warehouse.path) if warehouse.path.exists() else {}


def test_a_busy_warehouse_is_transient(tmp_path: Path) -> None:
    warehouse = WarehouseFile(tmp_path, WarehouseOptions(timeout=0.2))
    script = (
        "import sys, time; from pathlib import Path\n"
        "from docduck.warehouse.warehouse_file import WarehouseFile\n"
        "with WarehouseFile(Path(sys.argv[1])).exclusive(): print('ready', flush=True); time.sleep(60)"
    )
    with running(script, tmp_path):
        with pytest.raises(Transient, match=r"locked by another writer for 0\.2 s"):
            warehouse.apply(INVOICES, [invoice(1)])
        with pytest.raises(Transient):
            warehouse.apply(INVOICES, [invoice(1)])
    assert warehouse.apply(INVOICES, [invoice(1)]).documents == 1


def test_a_private_file_opened_by_hand_is_transient(tmp_path: Path) -> None:
    warehouse = WarehouseFile(tmp_path, WarehouseOptions(timeout=0.2))
    warehouse.apply(INVOICES, [invoice(1)])
    script = (
        "import sys, time, duckdb; held = duckdb.connect(sys.argv[1], read_only=True);"
        "print('ready', flush=True); time.sleep(60)"
    )
    told_so = r"held open by another program: close it, and query analytics\.duckdb"
    with running(script, warehouse.path), pytest.raises(Transient, match=told_so):
        warehouse.apply(INVOICES, [invoice(2)])
    assert warehouse.apply(INVOICES, [invoice(2)]).documents == 1


@pytest.mark.slow
def test_threads_take_turns(tmp_path: Path) -> None:
    errors: list[BaseException] = []

    def write(first: int) -> None:
        try:
            for number in range(first, first + 3):
                WarehouseFile(tmp_path).apply(INVOICES, [invoice(number)])
        except (Transient, duckdb.Error) as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(10 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert WarehouseFile(tmp_path).counts(published=False)["invoices"]["documents"] == 12


def test_the_lock_is_reentrant_and_free_afterwards(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path / "home" / "lock", 0.1)
    with lock.held(), lock.held():
        pass
    with pytest.raises(RuntimeError), lock.held():
        raise RuntimeError
    taken: list[bool] = []

    def other() -> None:
        with lock.held():
            taken.append(True)

    with lock.held():
        thread = threading.Thread(target=_quietly, args=(other,))
        thread.start()
        thread.join()
    assert taken == []
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert taken == [True]


def _quietly(action: object) -> None:
    with contextlib.suppress(Transient):
        assert callable(action)
        action()


def test_a_forked_child_does_not_keep_the_lock(tmp_path: Path) -> None:
    script = (
        "import os, sys, time; from pathlib import Path; from docduck.warehouse.lock import WriterLock\n"
        "with WriterLock(Path(sys.argv[1]), 1).held():\n"
        "    child = os.fork() or time.sleep(60)\n"
        "    print('ready', child, sep='\\n', flush=True)\n"
        "    time.sleep(60)"
    )
    with running(script, tmp_path / "lock") as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        try:
            parent.send_signal(signal.SIGKILL)
            parent.wait()
            os.kill(child, 0)
            with WriterLock(tmp_path / "lock", 1).held():
                pass
        finally:
            os.kill(child, signal.SIGKILL)
