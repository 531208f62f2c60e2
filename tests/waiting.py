"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_for(
    condition: Callable[[], object],
    seconds: float = 30,
    otherwise: Callable[[], object] = lambda: "timed out",
) -> float:
    """Wait until ``condition`` holds; return the seconds that took, or fail with what ``otherwise`` says."""
    begin = time.monotonic()
    while not condition():
        assert time.monotonic() - begin < seconds, otherwise()
        time.sleep(0.02)
    return time.monotonic() - begin
