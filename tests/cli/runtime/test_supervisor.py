"""The supervisor on real, tiny processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from docduck.cli.runtime import supervisor as module
from docduck.cli.runtime.supervisor import Process, Supervisor, end_leftover, group_members, shorten_log
from docduck.errors import Conflict
from tests.waiting import wait_for

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux's")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_BACK_OFF_SECONDS", 0.05)
    monkeypatch.setattr(module, "CHECK_SECONDS", 0.05)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervisor(tmp_path: Path, said: list[str]) -> Iterator[Supervisor]:
    with Supervisor(tmp_path, 2, said.append) as running:
        yield running


def shell(name: str, script: str, **options: object) -> Process:
    return Process(name, ["/bin/sh", "-c", script], {"PATH": os.environ["PATH"]}, **options)  # type: ignore[arg-type]


def polled(supervisor: Supervisor, condition: Callable[[], object]) -> Callable[[], object]:
    """Return a condition that polls the supervisor whenever it is asked."""

    def asked() -> object:
        supervisor.poll()
        return condition()

    return asked


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def numbers(path: Path, count: int) -> list[int]:
    """The first ``count`` numbers written to ``path``, once they are there."""
    wait_for(lambda: path.exists() and len(path.read_text().splitlines()) >= count)
    return [int(line) for line in path.read_text().splitlines()][:count]


def test_output_goes_to_the_log(supervisor: Supervisor) -> None:
    supervisor.start(shell("speaker", "echo out; echo err >&2; sleep 100"))
    wait_for(lambda: supervisor.log_path("speaker").read_text() == "out\nerr\n")


def test_a_dead_process_is_started_again(supervisor: Supervisor, said: list[str]) -> None:
    supervisor.start(shell("worker", "sleep 100"))
    first = supervisor.pid("worker")
    assert first is not None
    os.kill(first, signal.SIGKILL)
    wait_for(polled(supervisor, lambda: supervisor.pid("worker") not in (None, first)))
    log = supervisor.log_path("worker")
    assert said == [f"worker ended by SIGKILL; starting again in 0.05 s (see {log})"]


def test_the_wait_doubles_while_a_process_keeps_dying(supervisor: Supervisor, said: list[str]) -> None:
    supervisor.start(shell("broken", "exit 3"))
    wait_for(polled(supervisor, lambda: len(said) == 4))
    assert all("broken ended with exit code 3" in sentence for sentence in said)
    assert [sentence.split(" in ")[1].split(" s ")[0] for sentence in said] == ["0.05", "0.1", "0.2", "0.4"]


def test_the_rest_of_a_dead_process_s_group_is_ended(supervisor: Supervisor, tmp_path: Path) -> None:
    supervisor.start(shell("parent", f"sleep 100 & echo $! >> {tmp_path}/pids; wait"))
    child = numbers(tmp_path / "pids", 1)[0]
    os.kill(supervisor.pid("parent") or 0, signal.SIGKILL)
    wait_for(polled(supervisor, lambda: gone(child)))


def test_an_unhealthy_process_is_started_again_after_its_preparation(
    supervisor: Supervisor, said: list[str], tmp_path: Path
) -> None:
    asked: list[int] = []

    def healthy(pid: int) -> bool:
        asked.append(pid)
        return len(asked) != 2

    prepare = ["/bin/sh", "-c", f"echo prepared >> {tmp_path}/prepared"]
    supervisor.start(shell("sick", "sleep 100", healthy=healthy, before_restart=prepare))
    first = supervisor.pid("sick")
    wait_for(polled(supervisor, lambda: len(asked) > 2))
    assert asked[0] == asked[1] == first != asked[2]
    assert "sick is no longer healthy" in said[0]
    assert (tmp_path / "prepared").read_text() == "prepared\n"


def test_stopping_is_gentle(tmp_path: Path) -> None:
    with Supervisor(tmp_path, 5, print) as supervisor:
        supervisor.start(shell("gentle", "trap 'echo bye; exit' TERM; echo up; while :; do sleep 0.05; done"))
        wait_for(lambda: supervisor.log_path("gentle").read_text() == "up\n")
    assert supervisor.log_path("gentle").read_text().splitlines()[-1] == "bye"
    assert list((tmp_path / "run").glob("*.pid")) == []


def test_stopping_kills_what_does_not_listen(tmp_path: Path) -> None:
    script = f"trap '' TERM; (sleep 100) & echo $$ >> {tmp_path}/pids; echo $! >> {tmp_path}/pids; wait"
    with Supervisor(tmp_path, 0.3, print) as supervisor:
        supervisor.start(shell("deaf", script))
        pids = numbers(tmp_path / "pids", 2)
        begun = time.monotonic()
    assert 0.3 <= time.monotonic() - begun < 60
    assert all(gone(pid) for pid in pids)


def test_an_ignored_interrupt_is_not_inherited(supervisor: Supervisor) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        code = (
            "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, flush=True)"
        )
        supervisor.start(Process("plain", [sys.executable, "-c", f"{code}; signal.pause()"], {}))
        wait_for(lambda: supervisor.log_path("plain").read_text() == "True\n")
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_second_supervisor_is_refused(supervisor: Supervisor, tmp_path: Path) -> None:
    supervisor.start(shell("worker", "sleep 100"))
    message = rf"docduck is already running on {tmp_path} \(process {os.getpid()}\)"
    with pytest.raises(Conflict, match=message), Supervisor(tmp_path, 1, print):
        pass
    assert supervisor.pid("worker") is not None


def test_a_stopped_supervisor_makes_room(tmp_path: Path) -> None:
    for _ in range(2):
        with Supervisor(tmp_path, 1, print):
            pass


def run_supervisor(home: Path, program: str = "") -> tuple[subprocess.Popen[bytes], list[int]]:
    """Start a supervisor in a process of its own; return it, and the ids of its process and that one's child.

    The child runs ``program``, or sleeps.
    """
    (home / "program.py").write_text(program)
    child = f"{sys.executable} {home}/program.py" if program else "sleep 100"
    script = f"""
import time
from pathlib import Path
from docduck.cli.runtime.supervisor import Process, Supervisor
command = "{child} & echo $$ >> {home}/pids; echo $! >> {home}/pids; wait"
with Supervisor(Path({str(home)!r}), 1, print) as supervisor:
    supervisor.start(Process("worker", ["/bin/sh", "-c", command], {{"PATH": "/usr/bin:/bin"}}))
    while True:
        supervisor.poll()
        time.sleep(0.02)
"""
    popen = subprocess.Popen([sys.executable, "-c", script], start_new_session=True)
    return popen, numbers(home / "pids", 2)


def guard_of(popen: subprocess.Popen[bytes]) -> psutil.Process:
    """The process that ends what a supervisor has started if the supervisor is killed."""
    children = psutil.Process(popen.pid).children()
    return next(child for child in children if child.cmdline()[-1] == "watch")


def kill_with_guard(popen: subprocess.Popen[bytes]) -> None:
    """Kill a supervisor and its guard before either can do anything about it."""
    guard = guard_of(popen)
    popen.send_signal(signal.SIGSTOP)
    guard.kill()
    popen.kill()
    popen.wait()


def test_a_killed_supervisor_leaves_nothing(tmp_path: Path) -> None:
    popen, pids = run_supervisor(tmp_path)
    assert not any(gone(pid) for pid in pids)
    popen.kill()
    popen.wait()
    wait_for(lambda: all(gone(pid) for pid in pids))


@LINUX
def test_a_supervisor_killed_with_its_guard_leaves_only_what_the_next_one_ends(tmp_path: Path) -> None:
    popen, (leader, child) = run_supervisor(tmp_path)
    kill_with_guard(popen)
    wait_for(lambda: gone(leader))
    assert not gone(child)
    said: list[str] = []
    with Supervisor(tmp_path, 1, said.append):
        assert said == ["Ended worker, left over from an earlier start"]
        assert gone(child)


@LINUX
def test_what_the_leaders_have_started_ends_itself_when_supervisor_and_guard_are_killed(
    tmp_path: Path,
) -> None:
    lifeline = f"""
import time
from pathlib import Path
from docduck import supervisor_watch
supervisor_watch.CHECK_SECONDS = 0.05
supervisor_watch.end_with_supervisor()
Path({str(tmp_path / "ready")!r}).touch()
time.sleep(100)
"""
    popen, (leader, child) = run_supervisor(tmp_path, lifeline)
    wait_for((tmp_path / "ready").exists)
    assert not gone(child)
    kill_with_guard(popen)
    wait_for(lambda: gone(leader) and gone(child))


def test_a_dead_guard_is_replaced(tmp_path: Path) -> None:
    popen, pids = run_supervisor(tmp_path)
    guard = guard_of(popen)
    guard.kill()

    def replaced() -> bool:
        return any(
            child.cmdline()[-1:] == ["watch"] and child.pid != guard.pid
            for child in psutil.Process(popen.pid).children()
            if child.status() != psutil.STATUS_ZOMBIE
        )

    wait_for(replaced)
    popen.kill()
    popen.wait()
    wait_for(lambda: all(gone(pid) for pid in pids))


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    popen = subprocess.Popen(["/bin/sleep", "100"], start_new_session=True)
    yield popen
    popen.kill()
    popen.wait()


def test_a_leftover_is_ended(tmp_path: Path, stranger: subprocess.Popen[bytes]) -> None:
    path = tmp_path / "old.pid"
    path.write_text(f"{stranger.pid} {psutil.Process(stranger.pid).create_time()}\n")
    assert end_leftover(path)
    assert stranger.wait(5) == -signal.SIGKILL
    assert not path.exists()


def test_a_process_that_only_has_the_number_of_a_leftover_lives(
    tmp_path: Path, stranger: subprocess.Popen[bytes]
) -> None:
    path = tmp_path / "old.pid"
    path.write_text(f"{stranger.pid} {psutil.Process(stranger.pid).create_time() - 60}\n")
    assert not end_leftover(path)
    assert len(group_members(stranger.pid)) == 1
    assert not path.exists()


@pytest.mark.parametrize("text", ["", "x", "4194305 1.0\n"])
def test_a_note_of_nothing_is_removed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "old.pid"
    path.write_text(text)
    assert not end_leftover(path)
    assert not path.exists()


def test_a_long_log_is_put_aside_and_written_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOG_BYTES", 10)
    path = tmp_path / "web.log"
    shorten_log(path)
    with path.open("ab", buffering=0) as log:
        log.write(b"short")
        shorten_log(path)
        assert path.read_bytes() == b"short"
        log.write(b" and longer")
        shorten_log(path)
        log.write(b"next")
    assert path.read_bytes() == b"next"
    assert (tmp_path / "web.log.1").read_bytes() == b"short and longer"
