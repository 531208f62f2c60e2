"""Keeps named processes running: logs, restarts, one supervisor per home, no leftover processes.

Each process leads a session and process group of its own, and is stopped with its group. If the supervisor
is killed, the kernel kills the leaders (Linux), a guard process kills their groups when its pipe closes,
processes that the leaders started watch the supervisor (``docduck.supervisor_watch``), and the next
start ends the processes in the remaining ``run/*.pid`` files.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from docduck.cli.runtime import guard
from docduck.errors import Conflict, Defect, InputError
from docduck.owner import this_process, try_lock
from docduck.supervisor_watch import SUPERVISOR

LOG_BYTES = 10 * 1024 * 1024
FIRST_BACK_OFF_SECONDS = 1.0
LONGEST_BACK_OFF_SECONDS = 30.0
STEADY_SECONDS = 60.0
CHECK_SECONDS = 5.0
CLOCK_TOLERANCE_SECONDS = 2.0


@dataclass(frozen=True)
class Process:
    """A process to keep running.

    ``command`` begins with the absolute path of an executable; ``environment`` is the whole of it.
    ``healthy`` is called every five seconds with the process id; a process that is not healthy is killed and
    restarted. ``before_restart`` is a command that is run before each restart.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    healthy: Callable[[int], bool] | None = None
    before_restart: Sequence[str] = ()


@dataclass
class _Running:
    process: Process
    popen: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    restarts: int = 0
    not_before: float = 0.0


@dataclass
class Supervisor:
    """Starts, watches and stops processes for one home folder; use it as a context manager.

    ``say`` is called with messages for the user. Raises Conflict on entering if another supervisor has
    the same home, InputError if the home can't be used.
    """

    home: Path
    stop_grace_seconds: float
    say: Callable[[str], None]
    _running: dict[str, _Running] = field(default_factory=dict, init=False)
    _lock: int = field(default=-1, init=False)
    _guard: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _checked: float = field(default=0.0, init=False)
    _name: str = field(default_factory=this_process, init=False)

    @property
    def run_folder(self) -> Path:
        return self.home / "run"

    def log_path(self, name: str) -> Path:
        """Return the log file of process ``name``."""
        return self.home / "logs" / f"{name}.log"

    def __enter__(self) -> Supervisor:
        try:
            self.run_folder.mkdir(parents=True, exist_ok=True)
            (self.home / "logs").mkdir(exist_ok=True)
            self._lock = _lock_home(self.run_folder)
        except OSError as error:
            raise InputError(f"The home folder {self.home} can't be used: {error}", "DOCDUCK_HOME") from error
        for path in sorted(self.run_folder.glob("*.pid")):
            if end_leftover(path):
                self.say(f"Ended {path.stem}, left over from an earlier start")
        self._start_guard()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self._guard is not None and self._guard.stdin is not None:
            with contextlib.suppress(OSError):
                self._guard.stdin.close()
            self._guard.wait()
        os.close(self._lock)

    def start(self, process: Process) -> None:
        """Start ``process`` and keep it running from now on."""
        running = self._running[process.name] = _Running(process)
        self._launch(running)

    def pid(self, name: str) -> int | None:
        """Return the process id of ``name``; None while it is not running."""
        popen = self._running[name].popen
        return popen.pid if popen is not None and popen.poll() is None else None

    def poll(self) -> None:
        """Check the processes once: restart those that died or are not healthy, shorten logs."""
        now = time.monotonic()
        check = now - self._checked >= CHECK_SECONDS
        if check:
            self._checked = now
            for name in self._running:
                shorten_log(self.log_path(name))
            if self._guard is not None and self._guard.poll() is not None:
                self._start_guard()
        for running in self._running.values():
            self._check(running, check)

    def stop(self) -> None:
        """Stop all processes with their groups: SIGTERM, then SIGKILL after the grace time."""
        groups = [r.popen.pid for r in reversed(self._running.values()) if r.popen is not None]
        for group in groups:
            signal_group(group, signal.SIGTERM)
        deadline = time.monotonic() + self.stop_grace_seconds
        try:
            while any(self._reap()) or any(group_members(group) for group in groups):
                if time.monotonic() > deadline:
                    break
                time.sleep(0.05)
        finally:
            for group in groups:
                signal_group(group, signal.SIGKILL)
            for running in self._running.values():
                if running.popen is not None:
                    running.popen.wait()
                    self._forget(running)
            self._running.clear()

    def _start_guard(self) -> None:
        groups = [str(running.popen.pid) for running in self._running.values() if running.popen is not None]
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__, "watch", *groups],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _notify_guard(self, line: str) -> None:
        if self._guard is not None and self._guard.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._guard.stdin.write(line.encode())
                self._guard.stdin.flush()

    def _launch(self, running: _Running) -> None:
        process = running.process
        with self.log_path(process.name).open("ab") as log:
            running.popen = subprocess.Popen(
                [sys.executable, "-I", "-S", guard.__file__, "exec", str(os.getpid()), *process.command],
                env={**process.environment, SUPERVISOR: self._name},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        running.started = time.monotonic()
        self._notify_guard(f"+{running.popen.pid}\n")
        created = psutil.Process(running.popen.pid).create_time()
        self._pid_path(process.name).write_text(f"{running.popen.pid} {created}\n")

    def _check(self, running: _Running, check: bool) -> None:
        process, popen, now = running.process, running.popen, time.monotonic()
        if popen is None:
            if now >= running.not_before:
                self._run_before_restart(process)
                self._launch(running)
            return
        code = popen.poll()
        if code is None:
            if not check or process.healthy is None or process.healthy(popen.pid):
                return
            what = "is no longer healthy"
        else:
            what = ending(code)
        if now - running.started >= STEADY_SECONDS:
            running.restarts = 0
        wait = min(FIRST_BACK_OFF_SECONDS * 2**running.restarts, LONGEST_BACK_OFF_SECONDS)
        signal_group(popen.pid, signal.SIGKILL)
        popen.wait()
        self._forget(running)
        running.restarts += 1
        running.not_before = now + wait
        self.say(f"{process.name} {what}; starting again in {wait:g} s (see {self.log_path(process.name)})")

    def _run_before_restart(self, process: Process) -> None:
        if process.before_restart:
            with self.log_path(process.name).open("ab") as log:
                code = subprocess.call(
                    process.before_restart, env=dict(process.environment), stdout=log, stderr=log
                )
            if code:
                self.say(f"Preparing {process.name} failed with exit code {code}")

    def _forget(self, running: _Running) -> None:
        if running.popen is not None:
            self._notify_guard(f"-{running.popen.pid}\n")
            self._pid_path(running.process.name).unlink(missing_ok=True)
            running.popen = None

    def _reap(self) -> list[bool]:
        return [r.popen is not None and r.popen.poll() is None for r in self._running.values()]

    def _pid_path(self, name: str) -> Path:
        return self.run_folder / f"{name}.pid"


def ending(code: int) -> str:
    """Return how a process with this exit code ended, in words."""
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"


def signal_group(group: int, number: signal.Signals) -> None:
    """Send a signal to all of a process group; one that has ended is no error."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def group_members(group: int) -> list[psutil.Process]:
    """Processes of a process group that have not ended."""
    members = []
    for pid in psutil.pids():
        with contextlib.suppress(ProcessLookupError, PermissionError, psutil.Error):
            if os.getpgid(pid) == group:
                process = psutil.Process(pid)
                if process.status() != psutil.STATUS_ZOMBIE:
                    members.append(process)
    return members


def end_leftover(path: Path) -> bool:
    """Kill the group which a ``.pid`` file names, if it is still the same one; remove the file."""
    try:
        pid, created = path.read_text().split()
        group, started = int(pid), float(created)
    except ValueError:
        path.unlink()
        return False
    reused = False
    with contextlib.suppress(psutil.NoSuchProcess):
        reused = abs(psutil.Process(group).create_time() - started) > CLOCK_TOLERANCE_SECONDS
    members = [] if reused else group_members(group)
    if members:
        signal_group(group, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while members and group_members(group):
        if time.monotonic() > deadline:
            raise Defect(f"Process group {group} of {path} could not be ended")
        time.sleep(0.02)
    path.unlink()
    return bool(members)


def shorten_log(path: Path) -> None:
    """Move a log's content to ``<name>.log.1`` once it passes 10 MiB; its writers append on."""
    if path.exists() and path.stat().st_size > LOG_BYTES:
        shutil.copyfile(path, path.with_suffix(".log.1"))
        os.truncate(path, 0)


@contextlib.contextmanager
def no_docduck_up(home: Path) -> Iterator[None]:
    """Keep ``docduck up`` from starting on this home during the block; raise Conflict if it runs."""
    descriptor = _lock_home(home / "run")
    try:
        yield
    finally:
        os.close(descriptor)


def _lock_home(run_folder: Path) -> int:
    """Return the descriptor of a file that this process alone has locked; raise Conflict."""
    run_folder.mkdir(parents=True, exist_ok=True)
    path = run_folder / "up.lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    if not try_lock(descriptor):
        holder = path.read_text().strip() or "unknown"
        os.close(descriptor)
        raise Conflict(
            f"docduck is already running on {run_folder.parent} (process {holder}): "
            "stop it, or set DOCDUCK_HOME to another folder"
        )
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())
    return descriptor
