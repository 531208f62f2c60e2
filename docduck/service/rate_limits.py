"""How often a key may ask (contract G1): fixed windows of a minute and of a UTC day."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite

from docduck import clock
from docduck.catalog.models import RateCount
from docduck.service.installation import Installation

_MINUTE, _DAY = 60, 86_400


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The window with the fewest requests left; ``reset`` in seconds since 1970, ``retry_after`` from now."""

    limit: int
    remaining: int
    reset: int
    allowed: bool
    retry_after: int


def hit(inst: Installation, key_id: str) -> RateLimit | None:
    """Count one request of a key, unless it is beyond a limit; None where no limit is set."""
    most_minute, most_day = inst.settings.rate_limit_minute, inst.settings.rate_limit_day
    if not most_minute and not most_day:
        return None
    now = clock.now().timestamp()
    minute, day = int(now // _MINUTE), int(now // _DAY)
    with inst.catalog.transaction() as session:
        row = session.get(RateCount, key_id, with_for_update=True)
        if row is None:
            dialect: Any = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
            session.execute(
                dialect.insert(RateCount)
                .values(key_id=key_id, minute=minute, minute_count=0, day=day, day_count=0)
                .on_conflict_do_nothing()
            )
            row = session.get_one(RateCount, key_id, with_for_update=True)
        in_minute = row.minute_count if row.minute == minute else 0
        in_day = row.day_count if row.day == day else 0
        allowed = (not most_minute or in_minute < most_minute) and (not most_day or in_day < most_day)
        if allowed:
            in_minute, in_day = in_minute + 1, in_day + 1
            row.minute, row.minute_count, row.day, row.day_count = minute, in_minute, day, in_day
    windows = [
        (most - count, most, (number + 1) * length)
        for most, count, number, length in (
            (most_minute, in_minute, minute, _MINUTE),
            (most_day, in_day, day, _DAY),
        )
        if most
    ]
    left, most, reset = min(windows)
    return RateLimit(most, max(0, left), reset, allowed, 0 if allowed else max(1, math.ceil(reset - now)))
