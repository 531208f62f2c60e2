"""A pool of expendable worker processes: what one task does to its process, no other task feels."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from docduck.errors import DamagedFile, Defect, DocduckError, TimedOut, Transient
from docduck.workers.channel import DONE, PAGES, QUESTION, READY, BrokenChannel, Frame
from docduck.workers.context import Context
from docduck.workers.failure import Failure
from docduck.workers.limits import Limits
from docduck.workers.messages import (
    Order,
    QuestionAnswer,
    Reply,
    Task,
    pack,
    reply_decoder,
    unpack_pages,
    unpack_question,
)
from docduck.workers.process import Assignment, InputUnavailable, WorkerProcess
from docduck.workers.scratch import scratch_folder

T = TypeVar("T")
R = TypeVar("R")

Responder = Callable[[bytes, float], bytes]

_WATCH_SECONDS = 0.05
_START_SECONDS = 120.0
_MOST_FAILED_STARTS = 3
_MOST_KEPT = 0.75
_MOST_QUESTIONS = 1000
_MOST_QUESTION_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class TaskOutcome(Generic[R]):
    """How a task ended: ``result``, or else ``error``: DocumentError, Transient or Defect.

    ``set_aside`` means neither: it takes long, and was ended in favour of others. ``outputs`` is a folder
    with the files that it has written, or None; who waits for the outcome removes it. ``trace`` is the
    traceback of a Defect. ``seconds`` is wall time in the worker.
    """

    key: str
    result: R | None = None
    error: DocduckError | None = None
    trace: str | None = None
    seconds: float = 0.0
    set_aside: bool = False
    outputs: Path | None = None


class WorkerPool(Generic[T, R]):
    """Runs ``job(task, context)`` in ``workers`` processes, which start when first needed.

    A task that exceeds its time ends as TimedOut. One that takes its process down is given a second, fresh
    one, and ends as DamagedFile if that dies too; so does one that exceeds the memory, in a process whose
    memory other tasks may have filled. A process is replaced after ``tasks_per_worker`` tasks, or when it
    keeps more than three quarters of its memory between two.

    A task is slow when it was submitted as such, or has taken ``slow_seconds``. While other tasks wait, slow
    ones keep no more than half of the workers: the one that began last is set aside for them. There are two
    workers at least, then.

    ``job`` is a module-level function; its result must be of the type ``result``, which MessagePack can
    hold. ``preload`` names modules to import before the first task. ``responder`` answers the questions
    of tasks; it runs in threads of this process, ``most_questions`` at a time. A thread of this process feeds
    the workers and enforces the limits, whatever the caller does. While a worker is busy a second task waits
    at it already, and goes to another one that is idle sooner. Use as a context manager; leaving it kills
    what still runs.
    """

    def __init__(
        self,
        job: Callable[[T, Context], R],
        result: Any,
        workers: int,
        limits: Limits,
        *,
        preload: Sequence[str] = (),
        tasks_per_worker: int = 1000,
        slow_seconds: float | None = None,
        responder: Responder | None = None,
        most_questions: int = 4,
    ) -> None:
        self.workers = workers if slow_seconds is None else max(2, workers)
        self.limits = limits
        self._slow_seconds = slow_seconds
        self._tasks_per_worker = tasks_per_worker
        self._order = Order(job, tuple(preload), limits.most_seconds, limits.data_bytes, "")
        self._unpack_reply = reply_decoder(result)
        self._responder = responder
        self._most_questions = most_questions
        self._processes: list[WorkerProcess] = []
        self._failed_starts = 0
        self._handed_over = 0
        self._next_watch = 0.0
        self._selector = selectors.DefaultSelector()
        self._bell, self._ear = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="worker-pool", daemon=True)
        self._open = ExitStack()
        # Shared with callers and responders, under the lock of _changed:
        self._changed = threading.Condition()
        self._pending: deque[Assignment] = deque()
        self._pending_slow: deque[Assignment] = deque()
        self._assignments: dict[str, Assignment] = {}
        self._outcomes: list[TaskOutcome[R]] = []
        self._answers: list[tuple[WorkerProcess, bytes]] = []
        self._failure: BaseException | None = None
        self._expected = 0
        self._stopping = False

    def __enter__(self) -> Self:
        self._scratch = self._open.enter_context(scratch_folder())
        if self._responder is not None:
            self._threads = ThreadPoolExecutor(self._most_questions, "worker-pool-answers")
            self._open.callback(self._threads.shutdown, wait=False, cancel_futures=True)
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
        self._open.close()

    @property
    def in_flight(self) -> int:
        """Tasks submitted and not ended."""
        with self._changed:
            return len(self._assignments)

    @property
    def slow_in_flight(self) -> int:
        """Those of them that are slow."""
        with self._changed:
            return sum(assignment.slow for assignment in self._assignments.values())

    @property
    def most_slow(self) -> int:
        """How many workers slow tasks may keep while others wait."""
        return max(1, self.workers // 2)

    @property
    def pids(self) -> list[int]:
        """Process ids of the workers that are alive."""
        with self._changed:
            return [process.pid for process in self._processes]

    def submit(
        self,
        key: str,
        task: T,
        inputs: Sequence[Path] = (),
        *,
        more_seconds: float = 0.0,
        slow: bool = False,
        may_ask: bool = False,
    ) -> None:
        """Queue ``task``, which reads ``inputs``.

        ``key`` names its outcome and must not be in flight already. ``more_seconds`` come on top of its
        limit; ``may_ask`` has its questions answered.
        """
        seconds = self.limits.seconds_for(sum(map(_size, inputs)), more_seconds)
        packed = Task(key, task, seconds, self.limits.page_seconds).packed()
        assignment = Assignment(key, packed, tuple(inputs), seconds, slow=slow, may_ask=may_ask)
        with self._changed:
            self._raise_failure()
            if key in self._assignments:
                raise Defect(f"Task {key} is in the pool already")
            self._assignments[key] = assignment
            (self._pending_slow if slow else self._pending).append(assignment)
        self._ring()

    def expect(self, tasks: int) -> None:
        """Have workers started for ``tasks`` that are on their way, so that they find them ready."""
        with self._changed:
            if tasks == self._expected:
                return
            self._expected = tasks
        self._ring()

    def withdraw(self, key: str) -> bool:
        """Drop a task that no worker has; return False when one has it, or it isn't in flight."""
        with self._changed:
            assignment = self._assignments.get(key)
            for pending in (self._pending, self._pending_slow):
                if assignment is not None and assignment in pending:
                    pending.remove(assignment)
                    del self._assignments[key]
                    return True
        return False

    def wait(self, timeout: float | None = None) -> list[TaskOutcome[R]]:
        """Return the outcomes since the last call, each once; wait for one up to ``timeout`` seconds.

        Return at once when nothing is in flight. Raise Defect when workers can't be started.
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
                busy = self._pending or any(p.assignments or not p.ready for p in self._processes)
                for ready, _ in self._selector.select(_WATCH_SECONDS if busy else None):
                    if ready.data is None:
                        self._ear.recv(4096)
                    else:
                        self._hear(ready.data)
                self._send_answers()
                self._watch()
                self._make_room()
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
        process = WorkerProcess(self._order, self._scratch, self.limits.reply_bytes, assignment)
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
            self._pending.appendleft(assignment)

    def _hear(self, process: WorkerProcess) -> None:
        if process not in self._processes:
            return
        try:
            frames = process.frames.read()
            for frame in frames:
                if process not in self._processes:
                    return  # ended by what the frame before said
                self._heed(process, frame)
        except BrokenChannel as error:
            self._end(process)
            self._lose(process, f"the worker's answer is no answer: {error}", again=True)
            return
        if process.frames.closed and process in self._processes:
            self._bury(process)

    def _heed(self, process: WorkerProcess, frame: Frame) -> None:
        if not process.ready and frame.kind == READY:
            process.ready = True
            self._failed_starts = 0
            self._hand(process, process.assignments.popleft() if process.assignments else None)
        elif not process.assignments:
            raise BrokenChannel("it has no task")
        elif frame.kind == DONE:
            self._take(process, self._unpack_reply(frame.payload))
        elif frame.kind == PAGES:
            assignment = process.assignments[0]
            assignment.seconds = self.limits.with_pages(assignment.seconds, unpack_pages(frame.payload))
        elif frame.kind == QUESTION:
            self._put_question(process, frame.payload)
        else:
            raise BrokenChannel(f"a frame of kind {frame.kind!r}")

    def _take(self, process: WorkerProcess, reply: Reply[R]) -> None:
        if reply.exhausted:
            self._end(process)
            self._lose(process, self._too_much, again=bool(process.served))
            return
        assignment = process.assignments.popleft()
        process.since = time.monotonic()
        self._handed_over += 1
        outputs = self._scratch / f"outputs-{self._handed_over}"
        has_outputs = process.hand_over_outputs(outputs)
        process.served += 1
        process.spent = (
            process.served >= self._tasks_per_worker
            or process.memory_bytes() > _MOST_KEPT * self.limits.memory_bytes
        )
        failure = reply.failure
        self._finish(
            assignment,
            TaskOutcome(
                assignment.key,
                reply.result,
                failure.error() if failure else None,
                failure.trace if failure else None,
                reply.seconds,
                outputs=outputs if has_outputs else None,
            ),
        )

    def _put_question(self, process: WorkerProcess, payload: bytes) -> None:
        assignment = process.assignments[0]
        assignment.questions += 1
        if self._responder is None or not assignment.may_ask:
            raise BrokenChannel("it asks though nobody answers")
        if assignment.questions > _MOST_QUESTIONS or len(payload) > _MOST_QUESTION_BYTES:
            raise BrokenChannel("it asks too much")
        question = unpack_question(payload)
        self._threads.submit(
            self._respond, self._responder, process, question.number, question.payload, question.seconds
        )

    def _respond(
        self, responder: Responder, process: WorkerProcess, number: int, payload: bytes, seconds: float
    ) -> None:
        """Answer a question, in a thread of its own."""
        try:
            answer = QuestionAnswer(number, responder(payload, seconds))
        except DocduckError as error:
            answer = QuestionAnswer(number, failure=Failure.of(error))
        except Exception as error:
            answer = QuestionAnswer(number, failure=Failure.of(Transient(f"{type(error).__name__}")))
        with self._changed:
            self._answers.append((process, pack(answer)))
        self._ring()

    def _send_answers(self) -> None:
        with self._changed:
            answers, self._answers = self._answers, []
        for process, payload in answers:
            if process in self._processes:
                process.answer(payload)

    def _finish(self, assignment: Assignment, outcome: TaskOutcome[R]) -> None:
        with self._changed:
            del self._assignments[assignment.key]
            self._outcomes.append(outcome)
            self._changed.notify_all()

    def _fail(self, process: WorkerProcess, error: DocduckError) -> None:
        if process.assignments:
            assignment = process.assignments[0]
            seconds = time.monotonic() - process.since
            self._finish(assignment, TaskOutcome(assignment.key, error=error, seconds=seconds))

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

    def _watch(self) -> None:
        """Kill what takes too long or too much, and note what takes long."""
        now = time.monotonic()
        if now < self._next_watch:
            return
        self._next_watch = now + _WATCH_SECONDS
        for process in list(self._processes):
            age = now - process.since
            if not process.ready:
                if age > _START_SECONDS:
                    self._bury(process)
                continue
            if not process.assignments:
                continue
            assignment = process.assignments[0]
            if age > assignment.seconds:
                self._end(process)
                self._fail(process, TimedOut())
            elif process.memory_bytes() > self.limits.memory_bytes:
                self._end(process)
                self._lose(process, self._too_much, again=bool(process.served))
            elif self._slow_seconds is not None and age > self._slow_seconds and not assignment.slow:
                with self._changed:
                    assignment.slow = True
                if waiting := process.take_back():
                    self._queue_again(waiting)

    def _make_room(self) -> None:
        """Set a slow task aside where slow ones keep more than their share from others."""
        slow = [process for process in self._processes if process.is_slow]
        idle = len(self._processes) < self.workers or any(not p.assignments for p in self._processes)
        if self._pending and len(slow) > self.most_slow and not idle:
            latest = max(slow, key=lambda process: process.since)
            self._end(latest)
            assignment = latest.assignments[0]
            self._finish(
                assignment,
                TaskOutcome(assignment.key, set_aside=True, seconds=time.monotonic() - latest.since),
            )

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
            elif assignment := self._next() or self._waiting_elsewhere() or self._next_slow():
                self._hand(process, assignment)
        for process in fresh:
            if process.served + len(process.assignments) < self._tasks_per_worker and (
                assignment := self._next(process)
            ):
                self._hand(process, assignment)
        for _ in range(needed - len(fresh)):
            self._start()

    def _next(self, busy: WorkerProcess | None = None) -> Assignment | None:
        """Return the next pending assignment; for a ``busy`` process, only if it can wait there."""
        with self._changed:
            if not self._pending or (busy and not busy.may_wait(self._pending[0])):
                return None
            return self._pending.popleft()

    def _next_slow(self) -> Assignment | None:
        """Return the next slow assignment; nothing else waits."""
        with self._changed:
            return self._pending_slow.popleft() if self._pending_slow else None

    def _waiting_elsewhere(self) -> Assignment | None:
        """Return an assignment that waits behind another one, taken back."""
        for process in sorted(self._processes, key=lambda process: process.since):
            if len(process.assignments) > 1 and (assignment := process.take_back()):
                return assignment
        return None

    def _hand(self, process: WorkerProcess, assignment: Assignment | None) -> None:
        if assignment is None:
            return
        try:
            process.give(assignment)
        except InputUnavailable as error:
            self._finish(assignment, TaskOutcome(assignment.key, error=Defect(str(error))))
        except OSError:
            self._queue_again(assignment)
            self._bury(process)


def _size(path: Path) -> int:
    """Return a file's size, 0 for one that is not there: that is told when it is to be opened."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
