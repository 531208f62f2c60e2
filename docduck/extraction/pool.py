"""A pool of expendable worker processes: what one task does to its process, no other task feels."""

from __future__ import annotations

import contextlib
import pickle
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Self, TypeVar

from docduck.errors import DamagedFile, Defect, DocduckError, DocumentError, TimedOut
from docduck.extraction.channel import BrokenChannel
from docduck.extraction.process import Assignment, WorkerProcess
from docduck.extraction.worker import Order, Reply

T = TypeVar("T")
R = TypeVar("R")

_WATCH_SECONDS = 0.05
_START_SECONDS = 120.0
_MOST_FAILED_STARTS = 3
_MOST_KEPT = 0.75


@dataclass(frozen=True, slots=True)
class Limits:
    """What one task may use: seconds of wall clock, resident memory of its process, pages to read.

    The pool itself holds the first two; ``pages`` is for the job that reads.
    """

    seconds: float
    memory_bytes: int
    pages: int = 2000

    @property
    def data_bytes(self) -> int:
        """Memory that may be allocated: more than may be resident, as some is never touched."""
        return self.memory_bytes + self.memory_bytes // 2


@dataclass(frozen=True, slots=True)
class Outcome(Generic[R]):
    """How a task ended: ``result``, or else ``error``: DocumentError, Transient or Defect.

    ``trace`` is the traceback of a Defect. ``seconds`` is wall time in the worker.
    """

    key: str
    result: R | None = None
    error: DocduckError | None = None
    trace: str | None = None
    seconds: float = 0.0


class WorkerPool(Generic[T, R]):
    """Runs ``job(task)`` in ``workers`` processes, which start when first needed.

    A task that exceeds ``limits.seconds`` ends as TimedOut. One that takes its process down is given a
    second, fresh one, and ends as DamagedFile if that dies too; so does one that exceeds the memory, in
    a process whose memory other tasks may have filled. A process is replaced after
    ``tasks_per_worker`` tasks, or when it keeps more than three quarters of its memory between two.

    ``job`` is a module-level function and ``preload`` names modules to import before the first task.
    A thread of this process feeds the workers and enforces the limits, whatever the caller does. While a
    worker is busy a second task waits at it already, and goes to another one that is idle sooner.
    Use as a context manager; leaving it kills what still runs.
    """

    def __init__(
        self,
        job: Callable[[T], R],
        workers: int,
        limits: Limits,
        *,
        preload: Sequence[str] = (),
        tasks_per_worker: int = 1000,
    ) -> None:
        self.workers = workers
        self.limits = limits
        self._tasks_per_worker = tasks_per_worker
        self._order = Order(job, tuple(preload), limits.seconds, limits.data_bytes)
        self._processes: list[WorkerProcess] = []
        self._failed_starts = 0
        self._next_watch = 0.0
        self._selector = selectors.DefaultSelector()
        self._bell, self._ear = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="worker-pool", daemon=True)
        # Shared with callers, under the lock of _changed:
        self._changed = threading.Condition()
        self._pending: deque[Assignment] = deque()
        self._assignments: dict[str, Assignment] = {}
        self._outcomes: list[Outcome[R]] = []
        self._failure: BaseException | None = None
        self._expected = 0
        self._stopping = False

    def __enter__(self) -> Self:
        self._bell.setblocking(False)
        self._ear.setblocking(False)
        self._selector.register(self._ear, selectors.EVENT_READ, None)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._stopping = True
        self._ring()
        self._thread.join()
        self._bell.close()
        self._ear.close()

    @property
    def in_flight(self) -> int:
        """Tasks submitted and not ended."""
        with self._changed:
            return len(self._assignments)

    @property
    def idle_capacity(self) -> int:
        """How many more tasks to submit so that each worker has one running and one waiting."""
        return max(0, 2 * self.workers - self.in_flight)

    @property
    def pids(self) -> list[int]:
        """Process ids of the workers that are alive."""
        with self._changed:
            return [process.pid for process in self._processes]

    def submit(self, key: str, task: T) -> None:
        """Queue ``task``; ``key`` names its outcome and must not be in flight already."""
        assignment = Assignment(key, pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
        with self._changed:
            self._raise_failure()
            if key in self._assignments:
                raise Defect(f"Task {key} is in the pool already")
            self._assignments[key] = assignment
            self._pending.append(assignment)
        self._ring()

    def expect(self, tasks: int) -> None:
        """Have workers started for ``tasks`` that are on their way, so that they find them ready."""
        with self._changed:
            if tasks == self._expected:
                return
            self._expected = tasks
        self._ring()

    def cancel(self, key: str) -> bool:
        """Drop a task, running or not, so that it has no outcome; False when it isn't in flight."""
        with self._changed:
            assignment = self._assignments.pop(key, None)
            if assignment is None:
                return False
            assignment.cancelled = True
            with contextlib.suppress(ValueError):
                self._pending.remove(assignment)
        self._ring()
        return True

    def wait(self, timeout: float | None = None) -> list[Outcome[R]]:
        """Outcomes since the last call, each once; waits for one up to ``timeout`` seconds.

        Returns at once when nothing is in flight. Raises Defect when workers can't be started.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._outcomes or self._failure or not self._assignments, timeout)
            if not self._outcomes:
                self._raise_failure()
            outcomes, self._outcomes = self._outcomes, []
            return outcomes

    @property
    def _too_much(self) -> str:
        return f"reading it took more than {self.limits.memory_bytes >> 20} MiB of memory"

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise Defect(f"The worker pool has stopped: {self._failure}") from self._failure

    def _ring(self) -> None:
        with contextlib.suppress(OSError):  # full: it will be heard anyway; closed: nobody listens
            self._bell.send(b"!")

    # What follows runs in the pool's own thread.

    def _run(self) -> None:
        try:
            while not self._stopping:
                busy = any(process.assignments or not process.ready for process in self._processes)
                for ready, _ in self._selector.select(_WATCH_SECONDS if busy else None):
                    if ready.data is None:
                        self._ear.recv(4096)
                    else:
                        self._hear(ready.data)
                self._drop_cancelled()
                self._watch()
                self._distribute()
        except BaseException as error:
            with self._changed:
                self._failure = error
        finally:
            for process in list(self._processes):
                self._end(process)
            self._selector.close()
            with self._changed:
                self._changed.notify_all()

    def _start(self, assignment: Assignment | None = None) -> None:
        process = WorkerProcess(self._order, self.limits.memory_bytes, assignment)
        with self._changed:
            self._processes.append(process)
        self._selector.register(process.socket, selectors.EVENT_READ, process)

    def _end(self, process: WorkerProcess) -> str:
        """Kill the process; what it had not begun is queued again."""
        for assignment in process.relieve():
            self._queue_again(assignment)
        with self._changed:
            self._processes.remove(process)
        self._selector.unregister(process.socket)
        return process.kill()

    def _queue_again(self, assignment: Assignment) -> None:
        with self._changed:
            if not assignment.cancelled:
                self._pending.appendleft(assignment)

    def _hear(self, process: WorkerProcess) -> None:
        if process not in self._processes:
            return
        try:
            frames = process.frames.read()
        except BrokenChannel as error:
            self._end(process)
            self._lose(process, f"the worker's answer is no answer: {error}", again=True)
            return
        for frame in frames:
            if process not in self._processes:
                return  # ended by what the frame before said
            if process.ready:
                self._take(process, frame)
            else:
                process.ready = True
                self._failed_starts = 0
                if process.assignments:
                    self._hand(process)
        if process.frames.closed and process in self._processes:
            self._bury(process)

    def _take(self, process: WorkerProcess, frame: bytes) -> None:
        try:
            reply: Reply = pickle.loads(frame)
        except Exception as error:
            reply = Reply(error=Defect(f"The worker's answer can't be read: {error}"))
        if reply.exhausted:
            self._end(process)
            self._lose(process, self._too_much, again=bool(process.served))
            return
        assignment = process.assignments.popleft()
        process.since = time.monotonic()
        process.served += 1
        process.spent = (
            process.served >= self._tasks_per_worker
            or process.memory_bytes() > _MOST_KEPT * self.limits.memory_bytes
        )
        key = assignment.key
        self._finish(assignment, Outcome(key, reply.result, reply.error, reply.trace, reply.seconds))

    def _finish(self, assignment: Assignment, outcome: Outcome[R]) -> None:
        with self._changed:
            if not assignment.cancelled:
                del self._assignments[assignment.key]
                self._outcomes.append(outcome)
                self._changed.notify_all()

    def _fail(self, process: WorkerProcess, error: DocumentError) -> None:
        if process.assignments:
            assignment = process.assignments[0]
            seconds = time.monotonic() - process.since
            self._finish(assignment, Outcome(assignment.key, error=error, seconds=seconds))

    def _bury(self, process: WorkerProcess) -> None:
        """A process has died, or never got ready."""
        last_words = self._end(process)
        if process.ready:
            self._lose(process, f"the worker process died: {last_words}", again=True)
            return
        self._failed_starts += 1
        if self._failed_starts >= _MOST_FAILED_STARTS:
            raise Defect(f"Worker processes do not start: {last_words}")
        if process.assignments:
            self._start(process.assignments[0])

    def _lose(self, process: WorkerProcess, detail: str, again: bool) -> None:
        """The process is gone and its task with it, unless it may be tried ``again`` in a fresh one."""
        if again and process.assignments and not process.assignments[0].retried:
            process.assignments[0].retried = True
            self._start(process.assignments[0])
        else:
            self._fail(process, DamagedFile(detail))

    def _drop_cancelled(self) -> None:
        for process in list(self._processes):
            if not any(assignment.cancelled for assignment in process.assignments):
                continue
            if process.assignments[0].cancelled:
                self._end(process)
            elif assignment := process.take_back():
                self._queue_again(assignment)

    def _watch(self) -> None:
        """Kill what takes too long or too much."""
        now = time.monotonic()
        if now < self._next_watch:
            return
        self._next_watch = now + _WATCH_SECONDS
        for process in list(self._processes):
            age = now - process.since
            if not process.ready:
                if age > _START_SECONDS:
                    self._bury(process)
            elif not process.assignments:
                continue
            elif age > self.limits.seconds:
                self._end(process)
                self._fail(process, TimedOut())
            elif process.memory_bytes() > self.limits.memory_bytes:
                self._end(process)
                self._lose(process, self._too_much, again=bool(process.served))

    def _distribute(self) -> None:
        """Hand out what waits, and keep as many processes as the work needs."""
        with self._changed:
            needed = min(self.workers, max(self._expected, len(self._assignments)))
        fresh = [process for process in self._processes if not process.spent]
        spent = [process for process in self._processes if process.spent]
        replaced = sum(process.ready for process in fresh) >= needed
        for process in fresh + spent:
            if not process.ready or process.assignments:
                continue
            if process.spent and replaced:
                self._end(process)
            elif assignment := self._next() or self._waiting_elsewhere():
                self._hand(process, assignment)
        for process in fresh:
            if process.served + len(process.assignments) < self._tasks_per_worker and (
                assignment := self._next(process)
            ):
                self._hand(process, assignment)
        for _ in range(needed - len(fresh)):
            self._start()

    def _next(self, busy: WorkerProcess | None = None) -> Assignment | None:
        """The next pending assignment; for a ``busy`` process, only if it can wait there."""
        with self._changed:
            if not self._pending or (busy and not busy.may_wait(self._pending[0])):
                return None
            return self._pending.popleft()

    def _waiting_elsewhere(self) -> Assignment | None:
        """An assignment that waits behind another one, taken back."""
        for process in sorted(self._processes, key=lambda process: process.since):
            if len(process.assignments) > 1 and (assignment := process.take_back()):
                return assignment
        return None

    def _hand(self, process: WorkerProcess, assignment: Assignment | None = None) -> None:
        try:
            if assignment:
                process.give(assignment)
            else:
                process.begin()
        except OSError:
            self._bury(process)
