"""Turns at a model: how many requests all processes of this host send at the same time, and whose is next."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docduck.errors import Transient
from docduck.owner import try_lock

_POLL_SECONDS = 0.05
_ABSENT_SECONDS = 10.0
"""After so long without a sign, a team that waits is passed over: its process was paused."""
_NOBODY = "nobody"


@contextmanager
def slot(folder: Path, limit: int, deadline: float, team_id: str = "") -> Iterator[None]:
    """Hold one of ``limit`` slots during the block; the kernel frees it if the process dies.

    Teams that wait take turns, however many requests each has. Raise Transient if none is free by
    ``deadline`` (``time.monotonic()``).
    """
    teams = folder / "teams"
    teams.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = _wait(folder, limit, deadline, teams / (team_id or _NOBODY))
    try:
        yield
    finally:
        os.close(handle)


def _wait(folder: Path, limit: int, deadline: float, own: Path) -> int:
    """Return the open lock file of a slot.

    Of a team's requests one at a time holds the team's file and asks for a slot. That file tells when the
    team had its last turn (its mtime), and when it last looked for one (its atime).
    """
    turn: int | None = None
    first = os.getpid() % limit
    try:
        while True:
            if turn is None:
                turn = _locked(own)
            if turn is not None:
                last = os.fstat(turn).st_mtime_ns
                os.utime(turn, ns=(time.time_ns(), last))
                if not _is_before(own, last):
                    for number in range(limit):
                        handle = _locked(folder / f"{(first + number) % limit}.lock")
                        if handle is not None:
                            now = time.time_ns()
                            os.utime(turn, ns=(now, now))
                            return handle
            if time.monotonic() >= deadline:
                raise Transient("all its requests are taken by other documents")
            time.sleep(_POLL_SECONDS)
    finally:
        if turn is not None:
            os.close(turn)


def _is_before(own: Path, last: int) -> bool:
    """Return whether another team waits whose last turn was before this team's."""
    earliest = time.time_ns() - int(_ABSENT_SECONDS * 1e9)
    for other in own.parent.iterdir():
        found = other.stat()
        before = (found.st_mtime_ns, other.name) < (last, own.name)
        if before and found.st_atime_ns >= earliest and _is_locked(other):
            return True
    return False


def _locked(path: Path) -> int | None:
    """Return the open file, locked; None if another holds it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    if try_lock(handle):
        return handle
    os.close(handle)
    return None


def _is_locked(path: Path) -> bool:
    handle = os.open(path, os.O_RDONLY)
    try:
        # Shared, so that those who look don't take one another for the team.
        return not try_lock(handle, shared=True)
    finally:
        os.close(handle)
