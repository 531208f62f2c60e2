"""A worker process as its pool sees it: started, spoken to, measured, killed."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import dataclass

import psutil

from docduck.extraction.channel import FrameReader, send_frame
from docduck.extraction.worker import MOST_DATAGRAM_BYTES, Order

_SEND_SECONDS = 10
_COMMAND = "from docduck.extraction.worker import main; main()"
_TAIL_BYTES = 4000
# One thread a worker: the pool is the parallelism. Few malloc arenas keep a long life's memory flat.
_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}


@dataclass(eq=False, slots=True)
class Assignment:
    """A task on its way: ``payload`` is the pickled task, ``retried`` whether it lost a worker before."""

    key: str
    payload: bytes
    retried: bool = False
    cancelled: bool = False


class WorkerProcess:
    """One process of the pool, and its assignments: it works on the first, a second one waits.

    It may be given its first assignment before it is ready. ``since`` is when the present phase
    (start, task) began, by the monotonic clock.
    """

    def __init__(self, order: Order, reply_bytes: int, assignment: Assignment | None = None) -> None:
        self.assignments: deque[Assignment] = deque([assignment] if assignment else [])
        self.ready = False
        self.spent = False
        self.served = 0
        self.since = time.monotonic()
        self.socket, their_socket = socket.socketpair()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", _SEND_SECONDS, 0))
        self.frames = FrameReader(self.socket, reply_bytes)
        self._outbox, self._their_inbox = socket.socketpair(type=socket.SOCK_DGRAM)
        self._outbox.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * MOST_DATAGRAM_BYTES)
        self._noise = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        environment = os.environ | _ENVIRONMENT
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        theirs = (their_socket.fileno(), self._their_inbox.fileno())
        with their_socket:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _COMMAND, *map(str, theirs), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=self._noise,
                stderr=self._noise,
                pass_fds=theirs,
                env=environment,
                # Ctrl-C and signals to the parent's group are the parent's to handle.
                process_group=0,
            )
        self._usage = psutil.Process(self._process.pid)
        send_frame(self.socket, pickle.dumps(order))

    @property
    def pid(self) -> int:
        return self._process.pid

    def give(self, assignment: Assignment) -> None:
        """Have the process work on ``assignment`` now or next; raises OSError when it is gone."""
        self.assignments.append(assignment)
        if len(self.assignments) == 1:
            self.begin()
        else:
            self._outbox.send(assignment.payload, socket.MSG_DONTWAIT)

    def begin(self) -> None:
        """Send the first assignment; raises OSError when the process is gone."""
        self.since = time.monotonic()
        payload = self.assignments[0].payload
        if len(payload) > MOST_DATAGRAM_BYTES:
            send_frame(self.socket, payload)
        else:
            self._outbox.send(payload, socket.MSG_DONTWAIT)

    def may_wait(self, assignment: Assignment) -> bool:
        """Whether ``assignment`` can wait at this process while it works on another."""
        both = (assignment, *self.assignments)
        return self.ready and len(both) == 2 and all(len(one.payload) <= MOST_DATAGRAM_BYTES for one in both)

    def take_back(self) -> Assignment | None:
        """An assignment that the process has not begun, now no longer its own."""
        try:
            payload = self._their_inbox.recv(MOST_DATAGRAM_BYTES, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        for assignment in self.assignments:
            if assignment.payload == payload:
                self.assignments.remove(assignment)
                return assignment
        return None

    def relieve(self) -> list[Assignment]:
        """Take back all assignments but the one it works on, as the process is to end."""
        relieved = []
        while assignment := self.take_back():
            relieved.append(assignment)
        while len(self.assignments) > 1:
            relieved.append(self.assignments.pop())
        return relieved

    def memory_bytes(self) -> int:
        """Resident memory; 0 when the process is gone."""
        try:
            return int(self._usage.memory_info().rss)
        except psutil.Error:
            return 0

    def kill(self) -> str:
        """End the process at once; how it ended and the last it wrote, for the log."""
        self._process.kill()
        code = self._process.wait()
        for sock in (self.socket, self._outbox, self._their_inbox):
            sock.close()
        with self._noise as noise:
            noise.seek(max(0, noise.seek(0, os.SEEK_END) - _TAIL_BYTES))
            tail = noise.read().decode(errors="replace").strip()
        how = _ending(code)
        return f"{how}\n{tail}" if tail else how


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
