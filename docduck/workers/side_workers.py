"""Side workers: a few workers per process for all tasks other than processing documents."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from docduck.errors import Transient
from docduck.workers.pool import WorkerPool

T = TypeVar("T")
R = TypeVar("R")


class SideWorkers:
    """Lend pools of one worker to threads, ``most`` at a time, in the order of their requests.

    A returned pool is kept for the next task of its kind until another kind needs its place. There are never
    more than ``most`` worker processes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._changed = threading.Condition()
        self._waiting: deque[object] = deque()
        self._lent = 0
        self._kept: dict[str, WorkerPool[Any, Any]] = {}

    @contextmanager
    def pool(
        self, kind: str, make: Callable[[], WorkerPool[T, R]], seconds: float | None = None
    ) -> Iterator[WorkerPool[T, R]]:
        """Lend the pool of a kind, made by ``make`` if none is kept.

        It is closed if the block raises or leaves a task in flight. Raise Transient if it is not the caller's
        turn within ``seconds``.
        """
        pool: WorkerPool[T, R] | None = self._take(kind, seconds)
        reusable = False
        try:
            pool = pool or make().__enter__()
            yield pool
            reusable = not pool.in_flight
        finally:
            with self._changed:
                self._lent -= 1
                if pool is not None and reusable and kind not in self._kept:
                    self._kept[kind] = pool
                elif pool is not None:
                    _end(pool)
                self._changed.notify_all()

    def close(self) -> None:
        """End the kept workers; later tasks start new ones."""
        with self._changed:
            while self._kept:
                _end(self._kept.popitem()[1])

    def _take(self, kind: str, seconds: float | None) -> WorkerPool[Any, Any] | None:
        """Wait for a turn; return the kept pool of this kind, closing others if necessary."""
        turn = object()
        with self._changed:
            self._waiting.append(turn)
            try:
                if not self._changed.wait_for(
                    lambda: self._waiting[0] is turn and self._lent < self._most, seconds
                ):
                    raise Transient("Other work keeps the side workers busy; try again in some seconds")
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()
            self._lent += 1
            pool = self._kept.pop(kind, None)
            while self._lent + len(self._kept) > self._most:
                _end(self._kept.pop(next(iter(self._kept))))
            return pool


def _end(pool: WorkerPool[Any, Any]) -> None:
    pool.__exit__(None, None, None)
