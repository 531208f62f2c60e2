"""The tasks of a pool that are not finished yet, and the outcomes of those that are."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from docduck.errors import Defect, DocduckError
from docduck.workers.process import Assignment, WorkerProcess

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class TaskOutcome(Generic[R]):
    """The outcome of a task: ``result`` or ``error`` (DocumentError, Transient or Defect).

    ``set_aside`` means neither: the task is slow and was ended in favour of others. ``outputs`` is a folder
    with the files that it wrote, or None; the receiver removes it. ``trace`` is the traceback of a Defect.
    ``seconds`` is wall time in the worker.
    """

    key: str
    result: R | None = None
    error: DocduckError | None = None
    trace: str | None = None
    seconds: float = 0.0
    set_aside: bool = False
    outputs: Path | None = None


class TaskQueue(Generic[R]):
    """Tasks shared by the threads that submit them and the pool's thread; slow ones wait separately."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._pending: deque[Assignment] = deque()
        self._pending_slow: deque[Assignment] = deque()
        self._assignments: dict[str, Assignment] = {}
        self._outcomes: list[TaskOutcome[R]] = []
        self._failure: BaseException | None = None

    @property
    def in_flight(self) -> int:
        """The number of unfinished tasks."""
        with self._changed:
            return len(self._assignments)

    @property
    def slow_in_flight(self) -> int:
        """The number of unfinished slow tasks."""
        with self._changed:
            return sum(assignment.slow for assignment in self._assignments.values())

    @property
    def lengthy_in_flight(self) -> int:
        """The number of unfinished tasks that are slow and lengthy."""
        with self._changed:
            return sum(assignment.slow and assignment.lengthy for assignment in self._assignments.values())

    def has(self, key: str) -> bool:
        """Return whether a task is unfinished."""
        with self._changed:
            return key in self._assignments

    @property
    def has_pending(self) -> bool:
        """Whether a task that is not slow waits for a worker."""
        return bool(self._pending)

    def add(self, assignment: Assignment) -> None:
        """Add a task; raise Defect if its key is in flight or the pool has failed."""
        with self._changed:
            self._raise_failure()
            if assignment.key in self._assignments:
                raise Defect(f"Task {assignment.key} is in the pool already")
            self._assignments[assignment.key] = assignment
            (self._pending_slow if assignment.slow else self._pending).append(assignment)

    def put_back(self, assignment: Assignment) -> None:
        """Queue a task again, before all others."""
        with self._changed:
            (self._pending_slow if assignment.slow else self._pending).appendleft(assignment)

    def withdraw(self, key: str) -> bool:
        """Remove a task that waits for a worker; return False if there is none."""
        with self._changed:
            assignment = self._assignments.get(key)
            for pending in (self._pending, self._pending_slow):
                if assignment is not None and assignment in pending:
                    pending.remove(assignment)
                    del self._assignments[key]
                    return True
        return False

    def next(self, busy: WorkerProcess | None = None) -> Assignment | None:
        """Take the next task; for a ``busy`` process, only one that can wait there."""
        with self._changed:
            if not self._pending or (busy and not busy.may_wait(self._pending[0])):
                return None
            return self._pending.popleft()

    def next_slow(self, *, lengthy: bool) -> Assignment | None:
        """Take the next slow task, a lengthy one only if ``lengthy``."""
        with self._changed:
            for assignment in self._pending_slow:
                if lengthy or not assignment.lengthy:
                    self._pending_slow.remove(assignment)
                    return assignment
        return None

    def forget(self, key: str) -> None:
        """Forget a task that was ended; it has no outcome."""
        with self._changed:
            del self._assignments[key]
            self._changed.notify_all()

    def mark_slow(self, assignment: Assignment) -> None:
        """Mark a task that has turned out to be slow."""
        with self._changed:
            assignment.slow = True

    def finish(self, outcome: TaskOutcome[R]) -> None:
        """Remove a task and keep its outcome."""
        with self._changed:
            del self._assignments[outcome.key]
            self._outcomes.append(outcome)
            self._changed.notify_all()

    def fail(self, error: BaseException) -> None:
        """Make ``add`` and ``wait`` raise Defect because of ``error``."""
        with self._changed:
            self._failure = error

    def close(self) -> None:
        """Wake threads that wait."""
        with self._changed:
            self._changed.notify_all()

    def wait(self, timeout: float | None) -> list[TaskOutcome[R]]:
        """Return new outcomes, waiting up to ``timeout`` seconds for one; return at once without tasks."""
        with self._changed:
            self._changed.wait_for(lambda: self._outcomes or self._failure or not self._assignments, timeout)
            if not self._outcomes:
                self._raise_failure()
            outcomes, self._outcomes = self._outcomes, []
            return outcomes

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise Defect(f"The worker pool has stopped: {self._failure}") from self._failure
