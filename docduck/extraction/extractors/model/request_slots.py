"""A limit on simultaneous requests, held by all processes of a host together through lock files."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docduck.errors import Transient

_POLL_SECONDS = 0.05


@contextmanager
def slot(folder: Path, limit: int, deadline: float) -> Iterator[None]:
    """Hold one of ``limit`` slots during the block; the kernel frees it if the process dies.

    Raise Transient if none is free by ``deadline`` (``time.monotonic()``).
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    first = os.getpid() % limit
    while True:
        for number in range(limit):
            handle = os.open(folder / f"{(first + number) % limit}.lock", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                continue
            try:
                yield
            finally:
                os.close(handle)
            return
        if time.monotonic() >= deadline:
            raise Transient("all its requests are taken by other documents")
        time.sleep(_POLL_SECONDS)
