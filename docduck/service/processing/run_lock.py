"""A lock: one run per machine and home, which hands over after some minutes, as it serves all parsers."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docduck.owner import try_lock
from docduck.service.core.installation import Installation

RUN_START_SECONDS = 180
"""Longest time for the start of a Dagster run, after which it is failed; until then, no other is started."""

HANDOVER_SECONDS = 300
"""How long a run goes on before it hands over to the next.

One that reads a slow document goes on until that is read, and reports to Dagster this often.
"""

_POLL_SECONDS = 0.1
_WANTED_SECONDS = 5.0


RUN, SERVICE = "run", "service"
"""What reads: a run of Dagster, or the service itself."""


@contextmanager
def exclusive_run(inst: Installation, wait_seconds: float = 3.0, reader: str = RUN) -> Iterator[bool]:
    """Yield whether this process may run, after waiting up to ``wait_seconds`` for another to end.

    The kernel releases the lock when a process dies.
    """
    path = _path(inst)
    path.parent.mkdir(exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        alone = _acquired(descriptor, wait_seconds)
        if alone:
            os.ftruncate(descriptor, os.pwrite(descriptor, reader.encode(), 0))
            os.utime(descriptor, (0, 0))
        yield alone
    finally:
        os.close(descriptor)


def wait_for_other_run(inst: Installation) -> None:
    """Wait until no run of this machine processes documents, at most the time after which one hands over."""
    with exclusive_run(inst, HANDOVER_SECONDS):
        return


def is_wanted(inst: Installation) -> bool:
    """Return whether another process waits for the lock: a run without documents to read ends for it."""
    return time.time() - _path(inst).stat().st_mtime < _WANTED_SECONDS


def reader_of(inst: Installation) -> str | None:
    """Return what reads documents on this machine, None if nothing does."""
    try:
        descriptor = os.open(_path(inst), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        return None if _acquired(descriptor, 0.0) else os.pread(descriptor, 100, 0).decode() or RUN
    finally:
        os.close(descriptor)


def _path(inst: Installation) -> Path:
    return inst.settings.home / "run" / "reading.lock"


def _acquired(descriptor: int, wait_seconds: float) -> bool:
    deadline = time.monotonic() + wait_seconds
    while True:
        if try_lock(descriptor):
            return True
        if time.monotonic() >= deadline:
            return False
        os.utime(descriptor)
        time.sleep(_POLL_SECONDS)
