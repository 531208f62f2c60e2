"""When a remote source is looked at, and how far it has been looked through."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import SourceState as Row
from docduck.catalog.upsert import upsert
from docduck.ids import new_id

_LONGEST_BACKOFF = dt.timedelta(hours=1)
_FIRST_BACKOFF = dt.timedelta(seconds=15)
_LONGEST_RETRY_AFTER = dt.timedelta(days=1)
_CLOCKS_DIFFER = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Progress:
    """The stored state of a source; ``cursor`` is where its next look begins."""

    cursor: Mapping[str, Any]
    looked_at: dt.datetime | None = None
    next_look_at: dt.datetime | None = None
    failures: int = 0
    message: str = ""

    @property
    def is_due(self) -> bool:
        """Whether it is time for a look; it is, too, if the clock went back since the last one."""
        if self.next_look_at is None or self.looked_at is None:
            return True
        moment = clock.now()
        return self.next_look_at <= moment or self.looked_at - moment > _CLOCKS_DIFFER


def read_progress(session: Session, team_id: str, source: str) -> Progress:
    """Return the state of a source; an empty one before its first look."""
    row = session.scalar(select(Row).where(Row.team_id == team_id, Row.source == source))
    if row is None:
        return Progress({})
    return Progress(row.cursor or {}, row.looked_at, row.next_look_at, row.failures, row.message)


def write_progress(session: Session, team_id: str, source: str, progress: Progress) -> None:
    """Store the state of a source."""
    row = {
        "id": new_id(),
        "team_id": team_id,
        "source": source,
        "cursor": dict(progress.cursor),
        "looked_at": progress.looked_at,
        "next_look_at": progress.next_look_at,
        "failures": progress.failures,
        "message": progress.message,
    }
    kept = {"id", "team_id", "source"}
    upsert(session, Row, [row], ["team_id", "source"], replace=[name for name in row if name not in kept])


def after_success(progress: Progress, every: dt.timedelta, message: str) -> Progress:
    """Return the state after a look that found nothing left to do."""
    moment = clock.now()
    return Progress(progress.cursor, moment, moment + every, 0, message)


def after_part(progress: Progress, message: str) -> Progress:
    """Return the state after a look that did a part of its work; the next one follows at once."""
    return Progress(progress.cursor, clock.now(), None, 0, message)


def after_failure(
    progress: Progress,
    every: dt.timedelta,
    message: str,
    *,
    retryable: bool,
    retry_after: float | None = None,
) -> Progress:
    """Return the state after a look that failed; a ``retryable`` one follows soon, and later each time.

    ``retry_after`` is how many seconds the server asks to wait, at most a day of which is waited.
    """
    wait = _backoff(progress, max(every, _LONGEST_BACKOFF)) if retryable else every
    return _failed(progress, wait, message, retry_after)


def after_delay(
    progress: Progress, every: dt.timedelta, message: str, retry_after: float | None = None
) -> Progress:
    """Return the state after a look that left items for later; they are tried again with the next one."""
    return _failed(progress, _backoff(progress, every), message, retry_after)


def _backoff(progress: Progress, most: dt.timedelta) -> dt.timedelta:
    return min(_FIRST_BACKOFF * (1 << min(progress.failures, 20)), most)


def _failed(progress: Progress, wait: dt.timedelta, message: str, retry_after: float | None) -> Progress:
    asked = min(dt.timedelta(seconds=min(retry_after or 0.0, 1e9)), _LONGEST_RETRY_AFTER)
    moment = clock.now()
    return Progress(progress.cursor, moment, moment + max(wait, asked), progress.failures + 1, message)
