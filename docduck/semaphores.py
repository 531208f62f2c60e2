"""Semaphores of multiprocessing, which outlive processes that are killed: whose they are, by their names."""

from __future__ import annotations

import contextlib
import multiprocessing
import sys
from pathlib import Path

from docduck.owner import is_dead, this_process

_FOLDER = Path("/dev/shm")
_MARK, _SEPARATOR = "docduck+", "+"


def name_semaphores() -> None:
    """Name the semaphores of this process and of its children after it, and remove those of dead processes.

    Elsewhere than on Linux, where names are short, do nothing.
    """
    if sys.platform != "linux":
        return
    for left in _FOLDER.glob(f"sem.{_MARK}*"):
        owner = left.name.removeprefix(f"sem.{_MARK}").rpartition("-")[0]
        if is_dead(owner.replace(_SEPARATOR, "/")):
            # It may be another user's.
            with contextlib.suppress(OSError):
                left.unlink()
    prefix = f"/{_MARK}{this_process().replace('/', _SEPARATOR)}"
    # Children inherit it.
    multiprocessing.current_process()._config["semprefix"] = prefix  # type: ignore[attr-defined]
