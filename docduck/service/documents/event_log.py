"""The events of a team's documents in their order, for clients that follow them without a webhook.

Events are written at the end of the transactions in which they happen. On PostgreSQL those of a team wait for
each other there, so that events appear in the order of their numbers: who has read up to a number has missed
none before it. SQLite has one writer anyway.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field
from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.database import is_sqlite
from docduck.catalog.models import FiredEvent
from docduck.catalog.models.webhooks import EXPORTED, WEBHOOK_EVENTS
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.core.schema import UtcTime, ViewPart
from docduck.service.search.cursors import read_cursor, write_cursor
from docduck.service.search.selection import within

KEPT = dt.timedelta(days=30)
"""How long events are listed."""

_TOO_OLD = f"Events are listed for {KEPT.days} days, and some after this place are gone; list all documents"


class EventView(ViewPart):
    """An event of a document."""

    id: str = Field(description="The event's id; each webhook gets an event once, or again by a replay")
    event: str = Field(description="What happened", examples=[EXPORTED])
    parser_id: str = Field(description="The parser of the document")
    document_id: str = Field(description="The document, which may have been deleted since")
    created_at: UtcTime = Field(description="When it happened")


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events in their order; ``next_cursor`` is the place after them, also where there are no more yet."""

    rows: Sequence[EventView]
    limit: int
    has_more: bool
    next_cursor: str


def record_events(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert events as the last thing that a transaction does."""
    if not rows:
        return
    if not is_sqlite(session):
        session.flush()
        for team_id in sorted({str(row["team_id"]) for row in rows}):
            session.execute(select(func.pg_advisory_xact_lock(_lock_of(team_id))))
    session.connection().execute(insert(FiredEvent), rows)


def _lock_of(team_id: str) -> int:
    """Return the number of a team's lock: the last 63 bits of its id, which are random."""
    return uuid.UUID(team_id).int & (1 << 63) - 1


def list_events(
    inst: Installation,
    team_id: str,
    *,
    since: dt.datetime | None = None,
    event: str | None = None,
    only: Collection[str] | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> EventPage:
    """Return the team's events after ``cursor``, the oldest first; ``only`` limits the parsers.

    Raise InputError for an unknown event, an invalid cursor, and a place from which on some are gone.
    """
    if event is not None and event not in WEBHOOK_EVENTS:
        raise InputError(f"Unknown event: {event}. Known: {', '.join(WEBHOOK_EVENTS)}", "event")
    oldest = clock.now() - KEPT
    if since is not None and since < oldest:
        raise InputError(_TOO_OLD, "since", code="too_old")
    list_name = f"events {team_id}"
    number: Any = 0
    if cursor is not None:
        number, at = read_cursor(inst.settings, list_name, cursor)
        if not isinstance(at, dt.datetime) or at < oldest:
            raise InputError(_TOO_OLD, "cursor", code="too_old")
    wanted = [FiredEvent.team_id == team_id, FiredEvent.number > number]
    wanted += within(FiredEvent.created_at, since or oldest, None)
    if only is not None:
        wanted.append(FiredEvent.parser_id.in_(only))
    if event is not None:
        wanted.append(FiredEvent.event == event)
    with inst.catalog.read_session() as session:
        now = clock.now()
        found = select(FiredEvent).where(*wanted).order_by(FiredEvent.number).limit(limit + 1)
        rows = session.scalars(found).all()
        last = rows[:limit][-1] if rows else None
        keys = (number, now) if last is None else (last.number, last.created_at)
        return EventPage(
            [EventView.of(row) for row in rows[:limit]],
            limit,
            len(rows) > limit,
            write_cursor(inst.settings, list_name, keys),
        )
