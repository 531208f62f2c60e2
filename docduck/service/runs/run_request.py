"""Requests of runs: of several sensors that tick at the same time, one requests a run."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from docduck.service.core.installation import Installation

REQUEST_SECONDS = 10.0
"""How long Dagster has to create a run that was requested, before another one may be."""


def may_request(inst: Installation, newest_run: str) -> bool:
    """Return whether to request a run, and note that one was; ``newest_run`` is the last that there is.

    Return False if another process of this home has requested the run that follows ``newest_run`` just now.
    """
    path = request_path(inst)
    path.parent.mkdir(exist_ok=True)
    with path.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        age = time.time() - os.fstat(file.fileno()).st_mtime
        if file.read() == newest_run and 0 <= age < REQUEST_SECONDS:
            return False
        file.truncate(0)
        file.write(newest_run)
        return True


def request_path(inst: Installation) -> Path:
    """Return the file that the last request is noted in."""
    return inst.settings.home / "run" / "requested-run"
