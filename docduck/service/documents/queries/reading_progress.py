"""How far the reading of documents is that were queued lately, for the first time or again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, or_, select, union_all
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.database import QueryTimedOut
from docduck.catalog.models import Classifier, Document, Parser
from docduck.errors import Transient
from docduck.service.conditions.work_limits import SEARCH_SECONDS
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import IS_QUEUED
from docduck.statuses import IN_PROGRESS, Status

MOST_FAILURES = 20

_TOGETHER = dt.timedelta(minutes=15)
"""Documents that were queued this much before one that waits belong to the same batch."""
_LONGEST = dt.timedelta(days=1)
"""Older batches are not counted for being asked for."""
_RATE_TIME = dt.timedelta(minutes=1)
"""The time left is estimated from what was read within this time, or since the first was queued."""


@dataclass(frozen=True, slots=True)
class FailedReading:
    """A document that could not be read, and why."""

    id: str
    name: str
    error: str


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """Of ``total`` documents queued ``since`` then, ``done`` were read, and ``failed`` of these in vain.

    ``parsers`` counts the documents by the parser in which they are; ``undecided`` are those that a
    classifier has not routed. ``seconds_left`` is an estimate, None while there is nothing to estimate from.
    """

    since: dt.datetime
    total: int = 0
    done: int = 0
    failed: int = 0
    undecided: int = 0
    seconds_left: float | None = None
    parsers: Mapping[str, int] | None = None
    failures: Sequence[FailedReading] = ()


def reading_progress(
    inst: Installation,
    team_id: str,
    *,
    parser_id: str | None = None,
    classifier_id: str | None = None,
    since: dt.datetime | None = None,
) -> ReadingProgress:
    """Return the progress of the documents of a parser, a classifier or the whole team.

    Without ``since``, or if it is more than a day ago, they are those that were queued with or shortly before
    the oldest that is not read. Raise Transient if counting takes longer than ``SEARCH_SECONDS``.
    """
    try:
        with inst.catalog.read_session(SEARCH_SECONDS) as session:
            return _progress(session, team_id, _of(session, team_id, parser_id, classifier_id), since)
    except QueryTimedOut as error:
        raise Transient("Counting what is read takes too long at the moment; try again later") from error


def _progress(
    session: Session, team_id: str, conditions: Sequence[ColumnElement[bool]], since: dt.datetime | None
) -> ReadingProgress:
    now = clock.now()
    if since is None or since < now - _LONGEST:
        oldest = _oldest(session, team_id, conditions)
        if oldest is None:
            return ReadingProgress(now)
        since = oldest - _TOGETHER
    lately_queued = (
        Document.team_id == team_id,
        Document.updated_at >= since,
        Document.queued_at >= since,
    )
    # Each by an index that has the time of the last change.
    ids = union_all(*(select(Document.id).where(*lately_queued, condition) for condition in conditions))
    queued = Document.id.in_(ids)
    total, done, failed, undecided, lately = 0, 0, 0, 0, 0
    first = now
    parsers: dict[str, int] = {}
    rows = session.execute(
        select(
            Document.status,
            Document.parser_id,
            func.count(),
            func.count().filter(Document.processed_at >= now - _RATE_TIME),
            func.min(Document.queued_at),
        )
        .where(queued)
        .group_by(Document.status, Document.parser_id)
    )
    for status, parser, count, count_lately, queued_first in rows:
        total += count
        lately += count_lately
        first = min(first, queued_first or first)
        done += 0 if status in IN_PROGRESS else count
        failed += count if status == Status.FAILED else 0
        if parser is not None:
            parsers[parser] = parsers.get(parser, 0) + count
        elif status not in IN_PROGRESS:
            undecided += count
    seconds = min(_RATE_TIME, now - first).total_seconds()
    return ReadingProgress(
        since,
        total,
        done,
        failed,
        undecided,
        (total - done) * seconds / lately if lately else None,
        parsers,
        _failures(session, queued) if failed else (),
    )


def _of(
    session: Session, team_id: str, parser_id: str | None, classifier_id: str | None
) -> Sequence[ColumnElement[bool]]:
    """Return conditions of which each document fulfils one."""
    if parser_id is not None:
        return [Document.parser_id == parser_id]
    if classifier_id is not None:
        return [Document.classifier_id == classifier_id]
    parsers = select(Parser.id).where(Parser.team_id == team_id, Parser.deleted_at.is_(None))
    return [Document.parser_id.in_(list(session.scalars(parsers))), Document.parser_id.is_(None)]


def _oldest(session: Session, team_id: str, conditions: Sequence[ColumnElement[bool]]) -> dt.datetime | None:
    """Return when the first of the documents that are not read was queued."""
    targets = [
        target
        for table in (Parser, Classifier)
        for target in session.scalars(select(table.id).where(table.team_id == team_id))
    ]
    # In the words of the indexes of queued and of claimed documents.
    waiting = (IS_QUEUED, Document.slow.in_((False, True)), Document.target_id.in_(targets))
    claimed = list(session.scalars(select(Document.id).where(Document.lease_expires_at.is_not(None))))
    moments = [
        session.scalar(
            select(func.min(Document.queued_at)).where(Document.team_id == team_id, or_(*conditions), *state)
        )
        for state in (waiting, (Document.id.in_(claimed), Document.status == Status.PROCESSING))
    ]
    return min((moment for moment in moments if moment is not None), default=None)


def _failures(session: Session, queued: ColumnElement[bool]) -> list[FailedReading]:
    rows = session.execute(
        select(Document.id, Document.name, Document.error)
        .where(queued, Document.status == Status.FAILED)
        .order_by(Document.updated_at.desc(), Document.id)
        .limit(MOST_FAILURES)
    )
    return [FailedReading(id_, name, error or "") for id_, name, error in rows]


def count_in_progress(inst: Installation, team_id: str) -> int:
    """Return the number of the team's documents that are queued or being processed."""
    mine = select(func.count()).where(Document.team_id == team_id)
    queued = mine.where(IS_QUEUED)
    processing = mine.where(Document.lease_expires_at.is_not(None), Document.status == Status.PROCESSING)
    with inst.catalog.read_session() as session:
        return sum(session.scalar(statement) or 0 for statement in (queued, processing))
