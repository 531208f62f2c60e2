"""Ends child processes whose supervisor is gone.

The supervisor and its guard end all processes. If both are killed at once, their children remain; a thread in
those watches the supervisor.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from functools import lru_cache

from docduck.owner import is_dead

SUPERVISOR = "DOCDUCK_SUPERVISOR"
"""The environment variable with the supervisor's identity, as returned by ``owner.this_process``."""

CHECK_SECONDS = 5.0


@lru_cache(maxsize=1)
def end_with_supervisor() -> None:
    """Kill this process's group soon after its supervisor is gone; do nothing without a supervisor."""
    if supervisor := os.environ.get(SUPERVISOR):
        threading.Thread(target=_watch, args=(supervisor,), name="lifeline", daemon=True).start()


def _watch(supervisor: str) -> None:
    while not is_dead(supervisor):
        time.sleep(CHECK_SECONDS)
    os.killpg(0, signal.SIGKILL)
