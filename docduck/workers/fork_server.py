"""Fork servers: processes that have imported what jobs need, and fork workers, which start at once."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import IO

from docduck.errors import Defect
from docduck.workers.channel import FORK, PREPARE, REAP, receive_frame, send_frame

_ANSWER_SECONDS = 120.0
_MOST_LOST = 3
_END_SECONDS = 10
_COMMAND = "from docduck.workers.fork_program import main; main()"
_TAIL_BYTES = 4000
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH")
# One thread per worker: the pool provides parallelism. Few malloc arenas keep memory flat.
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}


class ServerLost(Exception):
    """A server has ended or does not answer; the message is its last output."""


class ForkServer:
    """A process that forks workers; it and they die with this process.

    It reads nothing but requests, and all of its workers are its copies from before their first task.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair()
        self._socket.settimeout(_ANSWER_SECONDS)
        self._noise = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _COMMAND, str(theirs.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=self._noise,
                stderr=self._noise,
                pass_fds=(theirs.fileno(),),
                cwd="/",
                env=environment,
                # Ctrl-C and signals to the parent's group are handled by the parent.
                process_group=0,
            )

    @property
    def alive(self) -> bool:
        """Whether it can start workers."""
        return self._socket.fileno() >= 0 and self._process.poll() is None

    def prepare(self, modules: Collection[str]) -> None:
        """Have it import ``modules``, without waiting for that."""
        # If it has ended, starting the next worker raises the reason.
        with self._lock, contextlib.suppress(OSError):
            send_frame(self._socket, PREPARE, " ".join(modules).encode())

    def fork(self, modules: Collection[str], descriptors: Sequence[int]) -> int:
        """Return the process id of a new worker with ``modules`` imported.

        ``descriptors`` are its stream, its inbox, and the file behind its stdout and stderr. Raise ServerLost
        if the server is lost.
        """
        try:
            with self._lock:
                send_frame(self._socket, FORK, " ".join(modules).encode())
                socket.send_fds(self._socket, [b"\0"], descriptors)
                return self._answer()
        except OSError as error:
            raise ServerLost(self.close() or str(error)) from error

    def end(self, pid: int) -> int:
        """Kill a worker and its children; return its exit code, or the negative number of a signal."""
        # The process id is its own until the server has reaped it.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        try:
            with self._lock:
                send_frame(self._socket, REAP, str(pid).encode())
                return self._answer()
        except OSError:
            self.close()
            return -signal.SIGKILL

    def close(self) -> str:
        """End the server, and with it its workers; return its last output."""
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        self._socket.close()
        return last_output(self._noise)

    def _answer(self) -> int:
        frame = receive_frame(self._socket)
        if frame is None:
            raise ConnectionResetError("the server is gone")
        return int(frame.payload)


def last_output(noise: IO[bytes]) -> str:
    """Return the end of what processes wrote into a file, and close it; empty if it is closed."""
    if noise.closed:
        return ""
    with noise:
        noise.seek(max(0, noise.seek(0, os.SEEK_END) - _TAIL_BYTES))
        return noise.read().decode(errors="replace").strip()


_servers: dict[tuple[int, frozenset[tuple[str, str]]], ForkServer] = {}
_lock = threading.Lock()


def fork_server() -> ForkServer:
    """Return this process's server, started if none is alive."""
    environment = minimal_environment()
    key = os.getpid(), frozenset(environment.items())
    with _lock:
        server = _servers.get(key)
        if server is not None and not server.alive:
            server.close()
            server = None
        if server is None:
            server = _servers[key] = ForkServer(environment)
        return server


def fork_worker(modules: Collection[str], descriptors: Sequence[int]) -> tuple[ForkServer, int]:
    """Return the server and the process id of a new worker; see ``ForkServer.fork``.

    A server that is lost is replaced. Raise Defect with the last output of the third.
    """
    lost = 0
    while True:
        server = fork_server()
        try:
            return server, server.fork(modules, descriptors)
        except ServerLost as error:
            lost += 1
            if lost == _MOST_LOST:
                raise Defect(f"Worker processes do not start: {error}") from error


@atexit.register
def close_fork_servers() -> None:
    """End the servers of this process; pools that are still open lose their workers."""
    with _lock:
        for key in [key for key in _servers if key[0] == os.getpid()]:
            _servers.pop(key).close()


def minimal_environment() -> dict[str, str]:
    """Return the environment of a child: it must not see the settings of this process."""
    variables = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    python_path = os.pathsep.join(path for path in sys.path if path)
    return {**variables, **_ENVIRONMENT, "PYTHONPATH": python_path, "PYTHONDONTWRITEBYTECODE": "1"}
