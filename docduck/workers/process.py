"""A worker process as seen by its pool."""

from __future__ import annotations

import contextlib
import pickle
import shutil
import signal
import socket
import struct
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import psutil

from docduck.errors import Transient
from docduck.workers.channel import (
    ANSWER,
    INPUTS_ONLY,
    MOST_DATAGRAM_BYTES,
    ORDER,
    TASK,
    FrameReader,
    receive_task,
    send_frame,
    send_task,
)
from docduck.workers.fork_server import fork_worker, last_output
from docduck.workers.messages import Order, output_folder


class InputUnavailable(Transient):
    """An input file of a task can't be opened. That is no fault of the task: it may be tried again."""


Responder = Callable[[bytes, float], bytes]
"""Answers a question of a task within so many seconds."""

_SEND_SECONDS = 10


class Ending(NamedTuple):
    """How a process ended, and its last output."""

    how: str
    output: str

    def __str__(self) -> str:
        return f"{self.how}\n{self.output}" if self.output else self.how


@dataclass(eq=False, slots=True)
class Assignment:
    """A task in the pool: ``payload`` is the packed task, ``inputs`` are its files.

    ``seconds`` is its time limit, ``slow`` whether it is slow, ``was_slow`` whether it was submitted as such,
    ``lengthy`` whether it may take very long then. ``retried`` is whether it lost a worker before.
    ``responder`` answers its ``questions``; without one it may not ask.
    """

    key: str
    payload: bytes
    inputs: tuple[Path, ...]
    seconds: float
    slow: bool = False
    was_slow: bool = False
    lengthy: bool = False
    retried: bool = False
    responder: Responder | None = None
    questions: int = 0

    @property
    def fits_datagram(self) -> bool:
        return len(self.payload) <= MOST_DATAGRAM_BYTES


class WorkerProcess:
    """A process of the pool with its assignments: it works on the first while a second may wait.

    The first may be assigned before the process is ready. ``since`` is the start of the present phase (start,
    task), by the monotonic clock; ``paused`` are the seconds of it that are not counted.
    """

    def __init__(
        self, order: Order, scratch: Path, reply_bytes: int, assignment: Assignment | None = None
    ) -> None:
        self.assignments: deque[Assignment] = deque([assignment] if assignment else [])
        self.ready = False
        self.spent = False
        self.served = 0
        self.begin_phase()
        self.socket, their_socket = socket.socketpair()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", _SEND_SECONDS, 0))
        self.frames = FrameReader(self.socket, reply_bytes)
        self._outbox, self._their_inbox = socket.socketpair(type=socket.SOCK_DGRAM)
        self._outbox.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * MOST_DATAGRAM_BYTES)
        self._noise = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._scratch = Path(tempfile.mkdtemp(dir=scratch))
        with their_socket:
            self.server, self.pid = fork_worker(
                (*order.preload, order.job.__module__),
                (their_socket.fileno(), self._their_inbox.fileno(), self._noise.fileno()),
            )
        self._usage: psutil.Process | None = None
        # It may have ended already: its closed socket tells.
        with contextlib.suppress(psutil.NoSuchProcess, OSError):
            self._usage = psutil.Process(self.pid)
            send_frame(self.socket, ORDER, pickle.dumps(replace(order, scratch=str(self._scratch))))

    @property
    def is_slow(self) -> bool:
        """Whether it works on a slow task."""
        return bool(self.assignments) and self.assignments[0].slow

    def begin_phase(self) -> None:
        """Let a phase begin now."""
        self.since = time.monotonic()
        self.paused = 0.0

    def discount(self, seconds: float) -> None:
        """Don't count ``seconds`` of the present phase, which end now."""
        self.since = min(self.since + seconds, time.monotonic())
        self.paused += seconds

    def give(self, assignment: Assignment) -> None:
        """Assign a task; raise OSError if the process is gone.

        Raise InputUnavailable if an input can't be opened.
        """
        if not self.assignments:
            self.begin_phase()
        self._send(assignment)
        self.assignments.append(assignment)

    def answer(self, payload: bytes) -> None:
        """Send the answer to a question, unless the process is gone."""
        with contextlib.suppress(OSError):
            send_frame(self.socket, ANSWER, payload)

    def _send(self, assignment: Assignment) -> None:
        with contextlib.ExitStack() as stack:
            try:
                descriptors = [
                    stack.enter_context(path.open("rb", buffering=0)).fileno() for path in assignment.inputs
                ]
            except OSError as error:
                raise InputUnavailable(f"{error.filename} can't be opened: {error.strerror}") from error
            if assignment.fits_datagram:
                send_task(self._outbox, assignment.payload, descriptors)
                return
            if descriptors:
                send_task(self._outbox, INPUTS_ONLY, descriptors)
        send_frame(self.socket, TASK, assignment.payload)

    def may_wait(self, assignment: Assignment) -> bool:
        """Return whether ``assignment`` can wait here behind the current one."""
        both = (assignment, *self.assignments)
        return self.ready and len(both) == 2 and all(task.fits_datagram and not task.slow for task in both)

    def take_back(self) -> Assignment | None:
        """Take back an assignment that the process has not started, and return it."""
        delivery = receive_task(self._their_inbox)
        if delivery is None:
            return None
        delivery.close()
        for assignment in self.assignments:
            if assignment.payload == delivery.payload:
                self.assignments.remove(assignment)
                return assignment
        return None

    def relieve(self) -> list[Assignment]:
        """Take back all assignments but the current one, because the process will end."""
        relieved = []
        while assignment := self.take_back():
            relieved.append(assignment)
        while len(self.assignments) > 1:
            relieved.append(self.assignments.pop())
        return relieved

    def memory_bytes(self) -> int:
        """Return the resident memory; 0 if the process is gone."""
        try:
            return int(self._usage.memory_info().rss) if self._usage else 0
        except psutil.Error:
            return 0

    def move_outputs(self, folder: Path) -> bool:
        """Move the last task's outputs to ``folder``, which must not exist; return False without outputs.

        The worker may be at its next task already, or replace the folder by a link.
        """
        written = output_folder(self._scratch, self.served)
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            written.rename(folder)
            return not folder.is_symlink() and folder.is_dir()
        return False

    def kill(self) -> Ending:
        """Kill the process and its children; return how it ended."""
        code = self.server.end(self.pid)
        for sock in (self.socket, self._outbox, self._their_inbox):
            sock.close()
        shutil.rmtree(self._scratch, ignore_errors=True)
        return Ending(_how(code), last_output(self._noise))


def _how(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
