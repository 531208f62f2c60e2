"""How often a key may ask (contract G1): fixed windows of a minute and of a UTC day."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass

from docduck import clock
from docduck.service.core.installation import Installation
from docduck.service.core.rate_counters import Limits

_MINUTE, _DAY = 60, 86_400


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The window with the fewest requests left; ``reset`` in seconds since 1970, ``retry_after`` from now."""

    limit: int
    remaining: int
    reset: int
    allowed: bool
    retry_after: int


def hit(inst: Installation, key_id: str, moment: dt.datetime | None = None) -> RateLimit | None:
    """Count one request of a key at ``moment``, now by default; None where no limit is set.

    One that is beyond a limit is not allowed, and not counted. Raises Transient when what counts is
    away, so that nothing passes uncounted.
    """
    limits = Limits(inst.settings.rate_limit_minute, inst.settings.rate_limit_day)
    if not limits.minute and not limits.day:
        return None
    now = (moment or clock.now()).timestamp()
    counts = inst.rate_counts.take(key_id, int(now // _MINUTE), int(now // _DAY), limits)
    windows = [
        (max(0, most - count), (number + 1) * length, most)
        for most, count, number, length in (
            (limits.minute, counts.minute_count, counts.minute, _MINUTE),
            (limits.day, counts.day_count, counts.day, _DAY),
        )
        if most
    ]
    # Of two that leave as few, the one that lasts longer.
    remaining, reset, most = min(windows, key=lambda window: (window[0], -window[1]))
    wait = 0 if counts.taken else max(1, math.ceil(reset - now))
    return RateLimit(most, remaining, reset, counts.taken, wait)


def forget_old_counts(inst: Installation) -> int:
    """Remove the counts of keys that were not used yesterday or today; gives how many."""
    return inst.rate_counts.forget_before(int(clock.now().timestamp() // _DAY) - 1)
