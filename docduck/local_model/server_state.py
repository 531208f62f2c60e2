"""The state of one model's server, as files that all processes of a home share.

Whoever holds the lock of ``server.lock`` is the server, from before it starts until it has died: the kernel
frees it. Its content names the process. ``running.json`` is written once it answers, ``failed.json`` says why
it could not start. Who sends a request holds a shared lock of ``used``, whose time is that of the last one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from docduck.errors import Transient
from docduck.local_model.choice import LocalModel
from docduck.local_model.private_files import private_folder, read_private, write_private
from docduck.owner import pid_of, try_lock

_POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers: its process, as ``owner`` names it, port and key, and since when (epoch)."""

    owner: str
    port: int
    key: str
    since: float


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a server could not start, or broke, and when (epoch)."""

    message: str
    at: float


class ServerState:
    """The files in the folder of one server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock, self.used, self.log = folder / "server.lock", folder / "used", folder / "server.log"
        self._running, self._failed = folder / "running.json", folder / "failed.json"

    @classmethod
    def of(cls, model: LocalModel) -> ServerState:
        """Return the state of a model's server; another file or context has another one."""
        try:
            stat = model.file.stat()
            version = (stat.st_size, stat.st_mtime_ns)
        except OSError:
            version = (0, 0)
        return cls(model.folder / f"{_digest(model.file)}-{_digest((version, model.context_tokens))}")

    @classmethod
    def all_in(cls, folder: Path, file: Path | None = None) -> list[ServerState]:
        """Return the states of all servers of a home, or of those of one model file."""
        name = "*" if file is None else f"{_digest(file)}-*"
        return [cls(one.parent) for one in sorted(folder.glob(f"{name}/server.lock"))]

    def create(self) -> None:
        """Create the folder and what is locked in it."""
        private_folder(self.folder.parent)
        private_folder(self.folder)
        for path in (self.lock, self.used):
            path.touch(mode=0o600)

    def try_lock(self) -> int | None:
        """Return the descriptor of the server's lock, for who is to start it; None if there is a server."""
        handle = os.open(self.lock, os.O_RDWR)
        if try_lock(handle):
            return handle
        os.close(handle)
        return None

    def is_alive(self) -> bool:
        """Return whether there is a server, answering or starting."""
        try:
            handle = self.try_lock()
        except FileNotFoundError:
            return False
        if handle is not None:
            os.close(handle)
        return handle is None

    @property
    def running(self) -> Running | None:
        """The server that answers, if ``is_alive``; else the last one."""
        return read_private(self._running, Running)

    @property
    def failed(self) -> Failed | None:
        return read_private(self._failed, Failed)

    def set_running(self, running: Running) -> None:
        """Tell all where the server answers, and that it could start."""
        write_private(self._running, running)
        self._failed.unlink(missing_ok=True)

    def set_starting(self) -> None:
        """Forget the last server. One that is killed while it starts has failed."""
        self._running.unlink(missing_ok=True)
        self.set_failed("its server ended while it started")

    def set_failed(self, message: str) -> None:
        """Tell all why there is no server."""
        write_private(self._failed, Failed(message, time.time()))

    @contextlib.contextmanager
    def in_use(self, deadline: float) -> Iterator[None]:
        """Keep the server from ending because it is idle; raise Transient after ``deadline``."""
        handle = os.open(self.used, os.O_RDWR)
        try:
            # A server that ends holds the lock for a moment.
            while not try_lock(handle, shared=True):
                if time.monotonic() > deadline:
                    raise Transient("its server ends, and takes too long")
                time.sleep(_POLL_SECONDS)
            yield
        finally:
            os.utime(handle)
            os.close(handle)

    def process(self) -> psutil.Process | None:
        """Return the server's process; None if there is none, or it has not named itself yet."""
        try:
            pid = pid_of(self.lock.read_text())
            return None if pid is None else psutil.Process(pid)
        except (OSError, psutil.NoSuchProcess):
            return None

    def end(self, seconds: float = 5.0) -> None:
        """Kill the server, if there is one, and wait for its end. One that follows it is left alone."""
        deadline = time.monotonic() + seconds
        victim = None
        while self.is_alive() and time.monotonic() < deadline:
            process = self.process()
            victim = victim or process
            if process is not None:
                if process != victim:
                    return
                with contextlib.suppress(psutil.Error):
                    process.send_signal(signal.SIGKILL)
            time.sleep(_POLL_SECONDS)


def _digest(value: object) -> str:
    return hashlib.sha256(str(value).encode()).hexdigest()[:16]


def end_servers(folder: Path) -> None:
    """End all servers whose states are in a folder."""
    for state in ServerState.all_in(folder):
        state.end()
