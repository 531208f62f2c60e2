"""The writer lock of the warehouse."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from docduck.errors import Transient

_WRITER, _NEXT = 0, 1
_PAUSE = 0.002


@dataclass(slots=True)
class _Holder:
    lock: threading.RLock = field(default_factory=threading.RLock)
    depth: int = 0


_holders: dict[str, _Holder] = {}
_registry = threading.Lock()
os.register_at_fork(after_in_child=_holders.clear)


class WriterLock:
    """An exclusive file lock across processes and threads, re-entrant within a thread, released if its holder
    dies.

    It consists of two POSIX record locks, which a forked child doesn't inherit: ``writer``, and ``next``,
    which the first in line for ``writer`` holds, so that a writer in a tight loop can't starve others.
    """

    def __init__(self, path: Path, timeout: float) -> None:
        self.path = path
        self.timeout = timeout

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock; raise Transient if it isn't free within ``timeout`` seconds."""
        deadline = time.monotonic() + self.timeout
        with _registry:
            holder = _holders.setdefault(str(self.path.resolve()), _Holder())
        if not holder.lock.acquire(timeout=self.timeout):
            raise self._busy()
        try:
            if holder.depth:
                yield
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                self._take(descriptor, _NEXT, deadline)
                self._take(descriptor, _WRITER, deadline)
                fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, _NEXT)
                holder.depth = 1
                yield
            finally:
                holder.depth = 0
                os.close(descriptor)
        finally:
            holder.lock.release()

    def _take(self, descriptor: int, place: int, deadline: float) -> None:
        while True:
            try:
                fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
                return
            except (BlockingIOError, PermissionError):
                if time.monotonic() > deadline:
                    raise self._busy() from None
                time.sleep(_PAUSE)

    def _busy(self) -> Transient:
        return Transient(
            f"The warehouse was locked by another writer for {self.timeout:g} s ({self.path}); try again"
        )
