"""Fork servers: what workers share, and when they end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Collection, Sequence
from pathlib import Path

import psutil
import pytest

from docduck.errors import Defect
from docduck.extraction.jobs.heavy_imports import HEAVY
from docduck.workers import process
from docduck.workers.fork_server import ForkServer, ServerLost, fork_server, fork_worker
from docduck.workers.limits import Limits
from tests.waiting import wait_for
from tests.workers.test_pool import finish, gone, pool, result

MIB = 1 << 20


def test_siblings_and_pools_share_the_server_and_nothing_else() -> None:
    places = []
    for numbers in ("01", "2"):
        with pool(workers=1, tasks_per_worker=1) as running:
            for number in numbers:
                running.submit(number, ("places",))
                places.append(result(finish(running)[number]))
    assert len({place["server"] for place in places}) == 1
    assert len({place["random"] for place in places}) == 3
    assert [place["served"] for place in places] == [1, 1, 1]
    assert all(len(place["folders"]) == 1 for place in places), "its scratch folder"
    assert len({folder for place in places for folder in place["folders"]}) == 3


def test_modules_are_imported_in_advance() -> None:
    server = ForkServer({**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    try:
        server.prepare(["tests.workers.told_import"])
        assert server.alive
        own, theirs = socket.socketpair()
        with own, theirs, tempfile.TemporaryFile() as noise:
            server.fork(["os"], [theirs.fileno(), theirs.fileno(), noise.fileno()])
    finally:
        said = server.close()
    assert said.count("imported") == 1


def test_a_lost_server_is_replaced_and_its_tasks_are_done() -> None:
    with pool(workers=2) as running:
        running.submit("first", ("places",))
        server = result(finish(running)["first"])["server"]
        running.submit("begun", ("sleep", 0.5, "done"))
        with gone(running.pids):
            psutil.Process(server).kill()
        running.submit("second", ("places",))
        outcomes = finish(running)
    assert outcomes["begun"].result == "done"
    assert result(outcomes["second"])["server"] != server


def test_a_worker_that_leaves_its_group_is_ended_too() -> None:
    with pool(limits=Limits(seconds=1, memory_bytes=400 * MIB)) as running:
        running.submit("pid", ("pid",))
        pid = result(finish(running)["pid"])
        with gone([pid]):
            running.submit("leaves", ("regroup", psutil.Process(pid).ppid()))
            assert finish(running, 10)["leaves"].error is not None


def test_a_server_that_does_not_start_is_told_with_its_last_words() -> None:
    server = ForkServer({"PYTHONHOME": "/nowhere"})
    with pytest.raises(ServerLost, match="No module named 'encodings'"):
        server.fork([], [0, 1, 2])
    assert not server.alive


def test_what_is_imported_before_the_fork_starts_no_threads_and_loads_no_models() -> None:
    script = f"""
import importlib, os, sys
for name in {(*HEAVY, "docduck.documents.render", "docduck.extraction.jobs.expansion_job")!r}:
    importlib.import_module(name)
print(len(os.listdir("/proc/self/task")), *{{"onnxruntime", "rapidocr", "cv2"}} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "1"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_server_ends_with_its_parent_though_another_process_holds_its_socket(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        textwrap.dedent(
            """
            import os, time
            from typing import Any
            import psutil
            from docduck.workers.limits import Limits
            from docduck.workers.pool import Job, WorkerPool
            from tests.workers import jobs

            with WorkerPool(Job(jobs.perform, Any), 1, Limits(60, 400 << 20)) as pool:
                pool.submit("it", ("pid",))
                (outcome,) = pool.wait()
                holder = os.fork()
                if holder == 0:
                    time.sleep(60)
                print(holder, outcome.result, psutil.Process(outcome.result).ppid(), flush=True)
                os._exit(0)
            """
        )
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment) as it:
        assert it.stdout is not None
        holder, worker, server = (int(word) for word in it.stdout.readline().split())
        with gone([worker, server]):
            it.wait()
        assert psutil.pid_exists(holder)
        psutil.Process(holder).kill()


def test_forking_is_tried_with_three_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ForkServer] = []

    def lost(server: ForkServer, *_: object) -> int:
        asked.append(server)
        server.close()
        raise ServerLost(f"{len(asked)} lost")

    monkeypatch.setattr(ForkServer, "fork", lost)
    with pytest.raises(Defect, match="Worker processes do not start: 3 lost"):
        fork_worker([], [0, 1, 2])
    assert len(set(asked)) == 3


def test_a_server_that_does_not_answer_is_replaced() -> None:
    server = fork_server()
    server._socket.settimeout(0.2)
    psutil.Process(server._process.pid).suspend()
    with pool() as running:
        running.submit("it", ("places",))
        assert result(finish(running)["it"])["server"] != server._process.pid
    assert not server.alive


def test_a_server_that_is_lost_with_all_workers_that_it_starts_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers, forked = 4, list[int]()

    def losing(modules: Collection[str], descriptors: Sequence[int]) -> tuple[ForkServer, int]:
        server, pid = fork_worker(modules, descriptors)
        forked.append(pid)
        if len(forked) == workers:
            server._process.kill()
            server._process.wait()
        return server, pid

    monkeypatch.setattr(process, "fork_worker", losing)
    with pool(workers=workers) as running:
        running.expect(workers)
        wait_for(lambda: len(forked) >= workers)
        for number in range(workers):
            running.submit(str(number), ("echo", number))
        outcomes = finish(running)
    assert sorted(result(outcome) for outcome in outcomes.values()) == list(range(workers))
