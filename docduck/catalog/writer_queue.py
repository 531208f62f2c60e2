"""The order of a process's writers, as SQLite has none: who waits for its lock tries again and again."""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from types import TracebackType

from sqlalchemy.exc import OperationalError


class WriterQueue:
    """A lock that threads get in the order in which they ask for it.

    Use as a context manager. Raise OperationalError, as SQLite does, for who waits longer than ``seconds``.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._is_held = False
        self._waiting: deque[threading.Lock] = deque()

    def __enter__(self) -> None:
        with self._lock:
            if not self._is_held:
                self._is_held = True
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        if turn.acquire(timeout=self._seconds):
            return
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                raise OperationalError(
                    "BEGIN IMMEDIATE", None, sqlite3.OperationalError("database is locked")
                )
        # Its turn came just now.

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_held = False
