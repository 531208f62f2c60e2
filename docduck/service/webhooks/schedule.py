"""When a delivery is attempted again."""

from __future__ import annotations

import random

DELAYS = (0, 5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600)
"""The seconds between an attempt and the one before; eight attempts within 28 to 30 hours."""

JITTER = 0.1
"""Each delay is prolonged by a random share up to this."""

LONGEST_WAIT_SECONDS = 24 * 3600
"""The longest time that a receiver's Retry-After is honoured."""


def next_delay(attempts: int, retry_after: float | None = None, chance: float | None = None) -> float | None:
    """Return the seconds until the next attempt after ``attempts`` failed ones; None after the last.

    The receiver's ``retry_after`` prolongs it. ``chance`` is the jitter, 0–1, random by default.
    """
    if attempts >= len(DELAYS):
        return None
    delay = DELAYS[attempts] * (1 + JITTER * (random.random() if chance is None else chance))
    return max(delay, min(retry_after or 0.0, LONGEST_WAIT_SECONDS))
