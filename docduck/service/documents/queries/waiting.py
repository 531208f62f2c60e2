"""Why a document waits, when the next run starts after failed ones, and how far a long document is read."""

from __future__ import annotations

import datetime as dt
import os

from pydantic import Field
from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.database import lease_clock
from docduck.catalog.models import Classifier, Document, DocumentEvent, Parser
from docduck.service.core.installation import Installation
from docduck.service.core.schema import UtcTime, ViewPart
from docduck.service.documents.claim import IS_QUEUED
from docduck.service.documents.status_transitions import Event
from docduck.statuses import Status

_AGAIN = (Event.LEASE_LOST, Event.SET_ASIDE)


class Waiting(ViewPart):
    """Why a document waits, and since when."""

    since: UtcTime
    position: int = Field(
        description="Its place in the order of turns, from 1: teams, and the parsers of a team, take turns. "
        "An estimate"
    )
    reason: str = Field(examples=["behind 12 documents"])


class Progress(ViewPart):
    """How far a long document has been read."""

    pages_read: int
    pages: int


def progress_of(document: Document) -> Progress | None:
    """Return the progress of a long document that is being read, or goes on later; None for others."""
    if document.status not in (Status.QUEUED, Status.PROCESSING) or document.pages_to_read is None:
        return None
    return Progress(pages_read=document.pages_read or 0, pages=document.pages_to_read)


def waiting_of(inst: Installation, session: Session, document: Document) -> Waiting | None:
    """Return why a queued document waits; None for others."""
    if document.status != Status.QUEUED or document.queued_at is None:
        return None
    position = _position(session, document)
    reason = _reason(inst, session, document, position)
    return Waiting(since=document.queued_at, position=position, reason=reason)


def _position(session: Session, document: Document) -> int:
    alike = (IS_QUEUED, Document.slow == document.slow)
    earlier = or_(
        Document.queued_at < document.queued_at,
        (Document.queued_at == document.queued_at) & (Document.id < document.id),
    )
    mine = select(func.count()).select_from(Document)
    place = 1 + (session.scalar(mine.where(*alike, Document.target_id == document.target_id, earlier)) or 0)
    queued = select(Document.target_id, func.count()).where(*alike).group_by(Document.target_id)
    counts = {target_id: count for target_id, count in session.execute(queued)}
    teams: dict[str, list[int]] = {}
    for table in (Parser, Classifier):
        targets = select(table.id, table.team_id).where(table.id.in_(counts), table.deleted_at.is_(None))
        for target_id, team_id in session.execute(targets):
            teams.setdefault(team_id, []).append(counts[target_id])
    own = max(place, sum(min(count, place) for count in teams.pop(document.team_id, ())))
    return own + sum(min(sum(others), own) for others in teams.values())


def _reason(inst: Installation, session: Session, document: Document, position: int) -> str:
    parts = []
    last = session.scalars(
        select(DocumentEvent)
        .where(DocumentEvent.document_id == document.id, DocumentEvent.to_status == Status.QUEUED)
        .order_by(DocumentEvent.at.desc(), DocumentEvent.id.desc())
        .limit(1)
    ).first()
    if last is not None and last.event in _AGAIN and last.reason:
        parts.append(f"queued again, as {last.reason}")
    working = select(Document.id).where(Document.lease_expires_at > lease_clock(session)).limit(1)
    if session.scalar(working) is None:
        parts.append("waiting for a run to start")
        if at := next_run(inst):
            parts.append(f"the last runs failed, and the next one starts at {clock.iso(at)}")
    if position > 1:
        parts.append(f"behind {position - 1} document{'s' if position > 2 else ''}")
    return "; ".join(parts) or "it is the next"


def note_next_run(inst: Installation, seconds: float) -> None:
    """Note that runs have failed, and that the next one starts in so many ``seconds``."""
    path = inst.settings.home / "run" / "next-run"
    path.parent.mkdir(exist_ok=True)
    path.touch(mode=0o600)
    at = clock.now().timestamp() + seconds
    os.utime(path, (at, at))


def next_run(inst: Installation) -> dt.datetime | None:
    """Return when the next run starts; None unless it is delayed by failed ones."""
    try:
        changed = (inst.settings.home / "run" / "next-run").stat().st_mtime
    except FileNotFoundError:
        return None
    at = clock.milliseconds(dt.datetime.fromtimestamp(changed, dt.UTC))
    return at if at > clock.now() else None
