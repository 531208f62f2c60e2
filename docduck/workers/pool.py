"""A pool of replaceable worker processes."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from docduck.errors import Defect, DocduckError, TimedOut, TooMuchMemory, WorkerEnded
from docduck.workers.channel import DONE, PAGES, QUESTION, READY, BrokenChannel, Frame
from docduck.workers.context import Context
from docduck.workers.fork_server import ForkServer
from docduck.workers.limits import Limits
from docduck.workers.messages import (
    Order,
    Reply,
    Task,
    reply_decoder,
    unpack_pages,
)
from docduck.workers.process import Assignment, Ending, InputUnavailable, Responder, WorkerProcess
from docduck.workers.questions import QuestionAnswering
from docduck.workers.scratch import scratch_folder
from docduck.workers.task_queue import TaskOutcome, TaskQueue

T = TypeVar("T")
R = TypeVar("R")

_WATCH_SECONDS = 0.05
_PAUSE_SECONDS = 5.0
"""Longest time between two looks at the processes; a longer one means that this process was paused."""
_START_SECONDS = 120.0
_MOST_FAILED_STARTS = 3
_MOST_KEPT = 0.75


@dataclass(frozen=True, slots=True)
class Job(Generic[T, R]):
    """What worker processes do with a task.

    ``work`` is a module-level function; its result is of the type ``result``, which MessagePack can encode.
    ``preload`` names modules to import in advance.
    """

    work: Callable[[T, Context], R]
    result: Any
    preload: tuple[str, ...] = ()


class WorkerPool(Generic[T, R]):
    """Do a job's tasks in up to ``workers`` processes, which are started when needed.

    A task that exceeds its time fails with TimedOut. One whose process ends, or that exceeds the memory of a
    used process, is retried in a new one, and then fails with WorkerEnded or TooMuchMemory. Processes are
    replaced after ``tasks_per_worker`` tasks, or if they keep more than three quarters of their memory
    between tasks. Time in which this process was paused is not counted.

    A task is slow if submitted as such, or after ``slow_seconds``. Slow ones have half of the workers (of
    which there are then at least two), and more of them only while no others wait; lengthy ones never have
    more. A task that turns out to be slow beyond that is set aside; one that was submitted as slow never is.

    Tasks' questions are answered in threads of this process, ``most_questions`` at a time. A thread feeds the
    workers and enforces the limits. Use as a context manager; leaving it kills running tasks.
    """

    def __init__(
        self,
        job: Job[T, R],
        workers: int,
        limits: Limits,
        *,
        tasks_per_worker: int = 1000,
        slow_seconds: float | None = None,
        most_questions: int = 4,
    ) -> None:
        self.workers = workers if slow_seconds is None else max(2, workers)
        self.limits = limits
        self._slow_seconds = slow_seconds
        self._tasks_per_worker = tasks_per_worker
        self._order = Order(job.work, job.preload, limits.most_seconds, limits.memory_bytes, "")
        self._unpack_reply = reply_decoder(job.result)
        self._questions = QuestionAnswering(most_questions, self._wake)
        self._processes: list[WorkerProcess] = []
        self._failed_starts = 0
        self._lost_server: ForkServer | None = None
        self._outputs_taken = 0
        self._next_watch = 0.0
        self._last_look = 0.0
        self._selector = selectors.DefaultSelector()
        self._wake_sender, self._wake_receiver = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="worker-pool", daemon=True)
        self._open = ExitStack()
        self._tasks: TaskQueue[R] = TaskQueue()
        self._lock = threading.Lock()
        self._expected = 0
        self._dropped: set[str] = set()
        self._stopping = False

    def __enter__(self) -> Self:
        self._scratch = self._open.enter_context(scratch_folder())
        self._open.callback(self._questions.close)
        self._wake_sender.setblocking(False)
        self._wake_receiver.setblocking(False)
        self._selector.register(self._wake_receiver, selectors.EVENT_READ, None)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._stopping = True
        self._wake()
        self._thread.join()
        self._wake_sender.close()
        self._wake_receiver.close()
        self._open.close()

    @property
    def in_flight(self) -> int:
        """The number of unfinished tasks."""
        return self._tasks.in_flight

    @property
    def slow_in_flight(self) -> int:
        """The number of unfinished slow tasks."""
        return self._tasks.slow_in_flight

    @property
    def lengthy_in_flight(self) -> int:
        """The number of unfinished tasks that are slow and lengthy."""
        return self._tasks.lengthy_in_flight

    @property
    def most_slow(self) -> int:
        """The number of workers that slow tasks may use while others wait, and lengthy ones at any time."""
        return max(1, self.workers // 2)

    @property
    def pids(self) -> list[int]:
        """The process ids of live workers."""
        with self._lock:
            return [process.pid for process in self._processes]

    def submit(
        self,
        key: str,
        task: T,
        inputs: Sequence[Path] = (),
        *,
        more_seconds: float = 0.0,
        slow: bool = False,
        lengthy: bool = False,
        responder: Responder | None = None,
    ) -> None:
        """Queue ``task`` with its input files.

        ``key`` identifies its outcome and must not be in flight. ``more_seconds`` extend its time limit;
        ``responder`` answers its questions, without one it may not ask. A ``lengthy`` task may take very long
        if it is slow.
        """
        seconds = self.limits.seconds_for(sum(map(_size, inputs)), more_seconds)
        packed = Task(key, task, seconds, self.limits.page_seconds).packed()
        assignment = Assignment(
            key, packed, tuple(inputs), seconds, slow, was_slow=slow, lengthy=lengthy, responder=responder
        )
        self._tasks.add(assignment)
        self._wake()

    def expect(self, tasks: int) -> None:
        """Start workers in advance for ``tasks`` that will be submitted soon."""
        with self._lock:
            if tasks == self._expected:
                return
            self._expected = tasks
        self._wake()

    def withdraw(self, key: str) -> bool:
        """Remove a task that has not been sent to a worker; return False if it was, or is unknown."""
        return self._tasks.withdraw(key)

    def drop(self, key: str) -> None:
        """End a task, wherever it is; it has no outcome, unless it has just ended."""
        if not self._tasks.withdraw(key):
            with self._lock:
                self._dropped.add(key)
            self._wake()

    def wait(self, timeout: float | None = None) -> list[TaskOutcome[R]]:
        """Return new outcomes, waiting up to ``timeout`` seconds for one.

        Return at once if nothing is in flight. Raise Defect if workers can't be started.
        """
        return self._tasks.wait(timeout)

    def _wake(self) -> None:
        with contextlib.suppress(OSError):  # full: a wake-up is pending; closed: the thread has ended
            self._wake_sender.send(b"!")

    # The rest runs in the pool's own thread.

    def _run(self) -> None:
        self._last_look = time.monotonic()
        try:
            while not self._stopping:
                busy = self._tasks.has_pending or any(p.assignments or not p.ready for p in self._processes)
                events = self._selector.select(_WATCH_SECONDS if busy else None)
                self._discount_pause()
                for ready, _ in events:
                    if ready.data is None:
                        self._wake_receiver.recv(4096)
                    else:
                        self._receive(ready.data)
                self._questions.send(self._processes)
                self._end_dropped()
                self._enforce_limits()
                self._make_room()
                self._distribute()
        except BaseException as error:
            self._tasks.fail(error)
        finally:
            for process in list(self._processes):
                self._end(process)
            self._selector.close()
            self._tasks.close()

    def _start(self, assignment: Assignment | None = None) -> None:
        process = WorkerProcess(self._order, self._scratch, self.limits.reply_bytes, assignment)
        with self._lock:
            self._processes.append(process)
        self._selector.register(process.socket, selectors.EVENT_READ, process)

    def _discount_pause(self) -> None:
        """Take notice of a pause of this process and of its workers."""
        now = time.monotonic()
        if now - self._last_look > _PAUSE_SECONDS:
            for process in self._processes:
                process.discount(now - self._last_look)
        self._last_look = now

    def _end(self, process: WorkerProcess) -> Ending:
        """Kill the process and queue its unstarted assignments again."""
        for assignment in process.relieve():
            self._tasks.put_back(assignment)
        with self._lock:
            self._processes.remove(process)
        self._selector.unregister(process.socket)
        return process.kill()

    def _receive(self, process: WorkerProcess) -> None:
        if process not in self._processes:
            return
        try:
            frames = process.frames.read()
            for frame in frames:
                if process not in self._processes:
                    return  # ended by the previous frame
                self._handle(process, frame)
        except BrokenChannel as error:
            self._end(process)
            self._retry_or_fail(process, WorkerEnded("its answer is invalid", str(error)))
            return
        if process.frames.closed and process in self._processes:
            self._handle_death(process)

    def _handle(self, process: WorkerProcess, frame: Frame) -> None:
        if not process.ready and frame.kind == READY:
            process.ready = True
            self._failed_starts = 0
            self._assign(process, process.assignments.popleft() if process.assignments else None)
        elif not process.assignments:
            raise BrokenChannel("it has no task")
        elif frame.kind == DONE:
            self._complete(process, self._unpack_reply(frame.payload))
        elif frame.kind == PAGES:
            assignment = process.assignments[0]
            assignment.seconds = self.limits.with_pages(assignment.seconds, unpack_pages(frame.payload))
        elif frame.kind == QUESTION:
            self._questions.ask(process, frame.payload)
        else:
            raise BrokenChannel(f"a frame of kind {frame.kind!r}")

    def _complete(self, process: WorkerProcess, reply: Reply[R]) -> None:
        if reply.exhausted:
            self._end(process)
            self._fail_for_memory(process)
            return
        assignment = process.assignments.popleft()
        seconds = max(0.0, reply.seconds - process.paused)
        process.begin_phase()
        self._outputs_taken += 1
        outputs = self._scratch / f"outputs-{self._outputs_taken}"
        has_outputs = process.move_outputs(outputs)
        process.served += 1
        process.spent = (
            process.served >= self._tasks_per_worker
            or process.memory_bytes() > _MOST_KEPT * self.limits.memory_bytes
        )
        failure = reply.failure
        self._tasks.finish(
            TaskOutcome(
                assignment.key,
                reply.result,
                failure.error() if failure else None,
                failure.trace if failure else None,
                seconds,
                outputs=outputs if has_outputs else None,
            ),
        )

    def _fail(self, process: WorkerProcess, error: DocduckError) -> None:
        if process.assignments:
            assignment = process.assignments[0]
            seconds = time.monotonic() - process.since
            self._tasks.finish(TaskOutcome(assignment.key, error=error, seconds=seconds))

    def _handle_death(self, process: WorkerProcess) -> None:
        """Handle a process that died or failed to start."""
        ending = self._end(process)
        if process.ready:
            self._retry_or_fail(process, WorkerEnded(ending.how, ending.output))
            return
        self._count_failed_start(process.server, ending)
        if process.assignments:
            self._start(process.assignments[0])

    def _count_failed_start(self, server: ForkServer, ending: Ending) -> None:
        # All workers that a lost server was starting are one failed start.
        if server.alive or server is not self._lost_server:
            self._failed_starts += 1
        if not server.alive:
            self._lost_server = server
        if self._failed_starts >= _MOST_FAILED_STARTS:
            raise Defect(f"Worker processes do not start: {ending}")

    def _fail_for_memory(self, process: WorkerProcess) -> None:
        """Handle a process that was ended for its memory, which earlier tasks may have kept."""
        error = TooMuchMemory(self.limits.memory_bytes)
        if process.served:
            self._retry_or_fail(process, error)
        else:
            self._fail(process, error)

    def _retry_or_fail(self, process: WorkerProcess, error: DocduckError) -> None:
        """Handle a lost process: retry its task in a new one, or fail it if it was retried."""
        if process.assignments and not process.assignments[0].retried:
            process.assignments[0].retried = True
            self._start(process.assignments[0])
        else:
            self._fail(process, error)

    def _enforce_limits(self) -> None:
        """Kill processes that exceed limits; mark slow tasks."""
        now = time.monotonic()
        if now < self._next_watch:
            return
        self._next_watch = now + _WATCH_SECONDS
        for process in list(self._processes):
            age = now - process.since
            if not process.ready:
                if age > _START_SECONDS:
                    self._handle_death(process)
                continue
            if not process.assignments:
                continue
            assignment = process.assignments[0]
            if age > assignment.seconds:
                self._end(process)
                self._fail(process, TimedOut())
            elif process.memory_bytes() > self.limits.memory_bytes:
                self._end(process)
                self._fail_for_memory(process)
            elif self._slow_seconds is not None and age > self._slow_seconds and not assignment.slow:
                self._tasks.mark_slow(assignment)
                if waiting := process.take_back():
                    self._tasks.put_back(waiting)
                if assignment.lengthy and self._slow_running(lengthy=True) > self.most_slow:
                    self._set_aside(process)

    def _end_dropped(self) -> None:
        with self._lock:
            # One that a worker is about to start stays here until that is known.
            self._dropped = {key for key in self._dropped if self._tasks.has(key)}
            dropped = set(self._dropped)
        for process in list(self._processes) if dropped else ():
            keys = [assignment.key for assignment in process.assignments]
            if keys and keys[0] in dropped:
                self._end(process)
                # One that its worker had not taken yet waits again, and is withdrawn below.
                if process.assignments:
                    self._tasks.forget(keys[0])
            elif dropped.intersection(keys) and (waiting := process.take_back()):
                self._tasks.forget(waiting.key)
        for key in dropped:
            self._tasks.withdraw(key)

    def _slow_running(self, *, lengthy: bool = False) -> int:
        """Return the number of workers at slow tasks, or only at lengthy ones."""
        return sum(
            process.is_slow and (process.assignments[0].lengthy or not lengthy) for process in self._processes
        )

    def _make_room(self) -> None:
        """Set a task that turned out to be slow aside, if slow ones use more than their share."""
        idle = len(self._processes) < self.workers or any(not p.assignments for p in self._processes)
        if self._tasks.has_pending and self._slow_running() > self.most_slow and not idle:
            slow = [process for process in self._processes if process.is_slow]
            turned = [process for process in slow if not process.assignments[0].was_slow]
            if turned:
                self._set_aside(max(turned, key=lambda process: process.since))

    def _set_aside(self, process: WorkerProcess) -> None:
        self._end(process)
        seconds = time.monotonic() - process.since
        self._tasks.finish(TaskOutcome(process.assignments[0].key, set_aside=True, seconds=seconds))

    def _distribute(self) -> None:
        """Assign pending tasks, and keep as many processes as needed."""
        with self._lock:
            expected = self._expected
        needed = min(self.workers, max(expected, self._tasks.in_flight))
        fresh = [process for process in self._processes if not process.spent]
        spent = [process for process in self._processes if process.spent]
        replaced = sum(process.ready for process in fresh) >= needed
        for process in fresh + spent:
            if not process.ready or process.assignments:
                continue
            if process.spent and replaced:
                self._end(process)
            elif assignment := self._next():
                self._assign(process, assignment)
        for process in fresh:
            if process.served + len(process.assignments) < self._tasks_per_worker and (
                assignment := self._tasks.next(process)
            ):
                self._assign(process, assignment)
        for _ in range(needed - len(fresh)):
            self._start()

    def _next(self) -> Assignment | None:
        """Take the next task for an idle worker: slow ones go first until they use their share."""
        has_room = self._slow_running() < self.most_slow
        may_be_lengthy = self._slow_running(lengthy=True) < self.most_slow
        return (
            (self._tasks.next_slow(lengthy=may_be_lengthy) if has_room else None)
            or self._tasks.next()
            or self._waiting_elsewhere()
            or self._tasks.next_slow(lengthy=may_be_lengthy)
        )

    def _waiting_elsewhere(self) -> Assignment | None:
        """Take back an assignment that waits behind another one, and return it."""
        for process in sorted(self._processes, key=lambda process: process.since):
            if len(process.assignments) > 1 and (assignment := process.take_back()):
                return assignment
        return None

    def _assign(self, process: WorkerProcess, assignment: Assignment | None) -> None:
        if assignment is None:
            return
        try:
            process.give(assignment)
        except InputUnavailable as error:
            self._tasks.finish(TaskOutcome(assignment.key, error=error))
        except OSError:
            self._tasks.put_back(assignment)
            self._handle_death(process)


def _size(path: Path) -> int:
    """Return a file's size; 0 if it is missing, which is reported when it is opened."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
