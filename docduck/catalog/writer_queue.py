"""A fair lock for the writers of a process; SQLite's own lock has no order."""

from __future__ import annotations

import sqlite3
import threading
from collections import deque

from sqlalchemy.exc import OperationalError


class WriterQueue:
    """A lock that threads get in the order of their requests, used as a context manager.

    Raise OperationalError, as SQLite does, after ``seconds``.
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
        # Granted at the last moment.

    def __exit__(self, *_: object) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_held = False
