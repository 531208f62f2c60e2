"""What ends processes of docduck that nobody is left to end: a thread that watches their supervisor.

The supervisor and its guard end everything together, in any order of their deaths but one: when both are
killed at once, children of the processes that they started remain. Those watch for themselves.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import lru_cache

from docduck.owner import is_dead

SUPERVISOR = "DOCDUCK_SUPERVISOR"
"""The environment variable in which the supervisor names itself, as ``owner.this_process`` does."""

CHECK_SECONDS = 5.0


@lru_cache(maxsize=1)
def end_with_supervisor() -> None:
    """Have this process's group killed soon after its supervisor is gone; without one, do nothing."""
    if supervisor := os.environ.get(SUPERVISOR):
        threading.Thread(target=_watch, args=(supervisor,), name="lifeline", daemon=True).start()


def _watch(supervisor: str) -> None:
    while not is_dead(supervisor):
        time.sleep(CHECK_SECONDS)
    os.killpg(0, signal.SIGKILL)
