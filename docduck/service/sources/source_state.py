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
        return self.next_look_at is None or self.next_look_at <= clock.now()


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


def after_failure(
    progress: Progress, every: dt.timedelta, message: str, seconds: float | None = None
) -> Progress:
    """Return the state after a look that failed: the next one is later with each failure.

    ``seconds`` is how long the source itself asks to wait.
    """
    failures = progress.failures + 1
    wait = min(_FIRST_BACKOFF * 2 ** min(failures - 1, 20), max(every, _LONGEST_BACKOFF))
    if seconds is not None:
        wait = max(wait, dt.timedelta(seconds=seconds))
    moment = clock.now()
    return Progress(progress.cursor, moment, moment + wait, failures, message)
