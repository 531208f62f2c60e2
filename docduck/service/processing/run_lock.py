"""A lock: one run per machine and home, because a run serves all parsers with all workers."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from docduck.service.core.installation import Installation

_POLL_SECONDS = 0.1


@contextmanager
def exclusive_run(inst: Installation, wait_seconds: float = 3.0) -> Iterator[bool]:
    """Yield whether this process may run, after waiting up to ``wait_seconds`` for another to end.

    The kernel releases the lock when a process dies.
    """
    folder = inst.settings.home / "run"
    folder.mkdir(exist_ok=True)
    descriptor = os.open(folder / "reading.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield _acquired(descriptor, wait_seconds)
    finally:
        os.close(descriptor)


def wait_for_other_run(inst: Installation) -> None:
    """Wait until no run of this machine processes documents, at most the time after which one hands over."""
    with exclusive_run(inst, inst.settings.run_handover_seconds):
        return


def _acquired(descriptor: int, wait_seconds: float) -> bool:
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_SECONDS)
