"""Rate limits per API key: fixed windows of a minute and a UTC day."""

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
    """The window with the fewest requests left; ``reset`` is in seconds since 1970, ``retry_after`` in
    seconds from now.
    """

    limit: int
    remaining: int
    reset: int
    allowed: bool
    retry_after: int


def count_request(inst: Installation, key_id: str, moment: dt.datetime | None = None) -> RateLimit | None:
    """Count a request of a key at ``moment`` (default: now); return None without a limit.

    A request beyond a limit is not allowed and not counted. Raise Transient if the counters can't be reached,
    so that nothing passes uncounted.
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
    # Of equally full windows, the longer one.
    remaining, reset, most = min(windows, key=lambda window: (window[0], -window[1]))
    wait = 0 if counts.taken else max(1, math.ceil(reset - now))
    return RateLimit(most, remaining, reset, counts.taken, wait)


def delete_old_counters(inst: Installation) -> int:
    """Delete counters of keys not used yesterday or today; return how many."""
    return inst.rate_counts.forget_before(int(clock.now().timestamp() // _DAY) - 1)
