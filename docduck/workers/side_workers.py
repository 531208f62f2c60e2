"""Side workers: a few workers per process for all tasks other than processing documents."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from docduck.errors import TooMany, Transient
from docduck.workers.fair_queue import FairQueue
from docduck.workers.limits import Limits
from docduck.workers.pool import Job, WorkerPool
from docduck.workers.process import Responder
from docduck.workers.task_queue import TaskOutcome

T = TypeVar("T")
R = TypeVar("R")

WAIT_SECONDS = 20.0
"""How long a task waits for its turn."""

MOST_WAITING = 4
"""Tasks of one team that wait at a time."""


@dataclass(eq=False, slots=True)
class _Turn:
    team_id: str
    has_come: bool = False


class SideWorkers:
    """Lend pools of one worker to threads, ``most`` at a time.

    The teams that wait take turns, by the time that each has used; the tasks of a team are done in the order
    of their requests. A returned pool is kept for the next task of its kind until another kind needs its
    place. There are never more than ``most`` worker processes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._changed = threading.Condition()
        self._waiting: list[_Turn] = []
        self._teams: FairQueue[str] = FairQueue()
        self._lent: Counter[str] = Counter()
        self._kept: dict[str, WorkerPool[Any, Any]] = {}

    @contextmanager
    def pool(
        self,
        kind: str,
        team_id: str,
        make: Callable[[], WorkerPool[T, R]],
        seconds: float | None = WAIT_SECONDS,
    ) -> Iterator[WorkerPool[T, R]]:
        """Lend the pool of a kind to a team, made by ``make`` if none is kept.

        It is closed if the block raises or leaves a task in flight. Raise TooMany if too many of the team's
        tasks wait, and Transient if it is not the caller's turn within ``seconds``.
        """
        pool: WorkerPool[T, R] | None = self._take(kind, team_id, seconds)
        since = time.monotonic()
        reusable = False
        try:
            pool = pool or make().__enter__()
            yield pool
            reusable = not pool.in_flight
        finally:
            with self._changed:
                self._lent[team_id] -= 1
                self._teams.charge(team_id, time.monotonic() - since)
                if pool is not None and reusable and kind not in self._kept:
                    self._kept[kind] = pool
                elif pool is not None:
                    _end(pool)
                self._give_turns()

    def run(
        self,
        kind: str,
        team_id: str,
        job: Job[T, R],
        limits: Limits,
        task: T,
        inputs: Iterable[Path],
        seconds: float | None = WAIT_SECONDS,
        *,
        more_seconds: float = 0.0,
        responder: Responder | None = None,
    ) -> TaskOutcome[R]:
        """Return the outcome of a task; its input files are asked for in its turn. Raise as ``pool`` does.

        ``more_seconds`` and ``responder`` are those of ``WorkerPool.submit``.
        """
        with self.pool(kind, team_id, lambda: WorkerPool(job, 1, limits), seconds) as pool:
            pool.submit(kind, task, list(inputs), more_seconds=more_seconds, responder=responder)
            (outcome,) = pool.wait()
        return outcome

    def close(self) -> None:
        """End the kept workers; later tasks start new ones."""
        with self._changed:
            while self._kept:
                _end(self._kept.popitem()[1])

    def _take(self, kind: str, team_id: str, seconds: float | None) -> WorkerPool[Any, Any] | None:
        """Wait for a turn; return the kept pool of this kind, closing others if necessary."""
        turn = _Turn(team_id)
        with self._changed:
            if sum(waiting.team_id == team_id for waiting in self._waiting) >= MOST_WAITING:
                raise TooMany(f"{MOST_WAITING} such requests of your team wait; try again in some seconds")
            self._waiting.append(turn)
            self._give_turns()
            if not self._changed.wait_for(lambda: turn.has_come, seconds):
                self._waiting.remove(turn)
                raise Transient("Other work keeps the side workers busy; try again in some seconds")
            pool = self._kept.pop(kind, None)
            while self._lent.total() + len(self._kept) > self._most:
                _end(self._kept.pop(next(iter(self._kept))))
            return pool

    def _give_turns(self) -> None:
        """Give the free places to teams that wait: first to those that hold the fewest."""
        while self._waiting and self._lent.total() < self._most:
            fewest = min(self._lent[turn.team_id] for turn in self._waiting)
            teams = {turn.team_id for turn in self._waiting if self._lent[turn.team_id] == fewest}
            team_id = self._teams.next(teams)
            turn = next(turn for turn in self._waiting if turn.team_id == team_id)
            self._waiting.remove(turn)
            self._lent[team_id] += 1
            turn.has_come = True
        self._changed.notify_all()


def _end(pool: WorkerPool[Any, Any]) -> None:
    pool.__exit__(None, None, None)
