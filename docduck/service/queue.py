"""The queue: documents are claimed under a lease, in batches, fairly between parsers.

A claim is a document's ``claimed_by``, ``attempt`` and ``lease_expires_at``. Whoever claims goes on
renewing the lease; once it runs out, or its owner is seen to be dead, the document is queued again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, Parser, Projection
from docduck.errors import TimedOut
from docduck.owner import is_dead
from docduck.service.installation import Installation
from docduck.service.states import Event, Move, Status, move


@dataclass(frozen=True, slots=True)
class Claim:
    """A document in hand; its result counts only while ``attempt`` is still the document's.

    ``name`` is that of its file.
    """

    document_id: str
    team_id: str
    parser_id: str
    name: str
    sha256: str
    content_type: str
    attempt: int
    queued_at: dt.datetime | None
    source_detail: Mapping[str, Any] | None = None
    source: str = "folder"
    operation_id: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A parser's work for a run: documents queued, lost with their run, or not yet in the warehouse.

    ``oldest`` and ``behind_since`` tell since when the first of the queued and of the last have waited.
    """

    queued: int = 0
    expired: int = 0
    unprojected: int = 0
    oldest: dt.datetime | None = None
    behind_since: dt.datetime | None = None


def waiting(inst: Installation, team_id: str | None = None) -> dict[str, Waiting]:
    """Work by parser id, of one team or of all; parsers without work are left out."""
    mine = () if team_id is None else (Document.team_id == team_id,)
    found: dict[str, dict[str, int]] = {}
    oldest: dict[str, dt.datetime | None] = {}
    behind_since: dict[str, dt.datetime] = {}
    with inst.catalog.reading() as session:
        for queued_for, count, first in session.execute(
            select(Document.parser_id, func.count(), func.min(Document.queued_at))
            .where(*mine, Document.status == Status.QUEUED, Document.parser_id.is_not(None))
            .group_by(Document.parser_id)
        ):
            found.setdefault(str(queued_for), {})["queued"] = count
            oldest[str(queued_for)] = first
        for row in _lost(session):
            if row.parser_id and (team_id is None or row.team_id == team_id):
                entry = found.setdefault(row.parser_id, {})
                entry["expired"] = entry.get("expired", 0) + 1
        behind = () if team_id is None else (Projection.team_id == team_id,)
        for parser_id, count, first in session.execute(
            select(Projection.parser_id, func.count(), func.min(Projection.at))
            .where(*behind)
            .group_by(Projection.parser_id)
        ):
            found.setdefault(parser_id, {})["unprojected"] = count
            behind_since[parser_id] = first
    return {
        parser_id: Waiting(**counts, oldest=oldest.get(parser_id), behind_since=behind_since.get(parser_id))
        for parser_id, counts in found.items()
    }


def claim(
    inst: Installation, parser_ids: Sequence[str], owner: str, limit: int, reason: str | None = None
) -> list[Claim]:
    """Take up to ``limit`` queued documents, the oldest of each parser, an even share for each.

    What one parser leaves of its share goes to the others. Two claimers never get the same document.
    ``reason`` goes to the documents' history.
    """
    claims: list[Claim] = []
    with inst.catalog.reading() as session:
        # A run that waits looks often; only what it can take is worth a writer's lock.
        hungry = _with_queue(session, parser_ids)
    if not hungry:
        return []
    with inst.catalog.transaction() as session:
        while hungry and len(claims) < limit:
            share = max(1, (limit - len(claims)) // len(hungry))
            still = []
            for parser_id in hungry:
                want = min(share, limit - len(claims))
                if want <= 0:
                    break
                mine = [claim.document_id for claim in claims if claim.parser_id == parser_id]
                found = _oldest(session, parser_id, want, mine)
                claims.extend(found)
                if len(found) == want:
                    still.append(parser_id)
            hungry = still
        lease = _lease(inst)
        steps = [
            Move(
                claim.document_id,
                claim.team_id,
                claim.parser_id,
                Status.QUEUED,
                claim.attempt,
                reason,
                changes={"attempt": claim.attempt, "claimed_by": owner, "lease_expires_at": lease},
            )
            for claim in claims
        ]
        move(session, Event.CLAIMED, steps, owner)
    return claims


def heartbeat(inst: Installation, owner: str) -> None:
    """Renew the lease of everything that ``owner`` holds."""
    with inst.catalog.transaction() as session:
        session.execute(
            update(Document)
            .where(Document.lease_expires_at.is_not(None), Document.claimed_by == owner)
            .values(lease_expires_at=_lease(inst))
            .execution_options(synchronize_session=False)
        )


def release(inst: Installation, owner: str, reason: str, document_ids: Collection[str] | None = None) -> int:
    """Queue again what ``owner`` holds, or these of it, and will not finish; return how many."""
    held = select(Document).where(Document.lease_expires_at.is_not(None), Document.claimed_by == owner)
    if document_ids is not None:
        held = held.where(Document.id.in_(document_ids))
    with inst.catalog.transaction() as session:
        rows = session.scalars(held.with_for_update()).all()
        _requeue(session, rows, owner, reason, lost=0)
        return len(rows)


def release_lost(inst: Installation, actor: str) -> int:
    """Queue again documents whose lease ran out or whose owner is dead; gives how many.

    One that was lost ``max_lost_leases`` times is failed instead: it may be what kills its runs.
    """
    with inst.catalog.transaction() as session:
        rows = _lost(session, lock=True)
        given_up = [row for row in rows if row.lost_leases + 1 > inst.settings.max_lost_leases]
        _requeue(session, [row for row in rows if row not in given_up], actor, "its run was lost", lost=1)
        moment = clock.now()
        move(
            session,
            Event.EXTRACTION_FAILED,
            [
                Move(
                    row.id,
                    row.team_id,
                    row.parser_id,
                    Status(row.status),
                    row.attempt,
                    reason=f"its run was lost {row.lost_leases + 1} times",
                    changes={
                        "error": TimedOut().message,
                        "processed_at": moment,
                        "claimed_by": None,
                        "lease_expires_at": None,
                    },
                )
                for row in given_up
            ],
            actor,
        )
        return len(rows)


def _requeue(session: Session, rows: Sequence[Document], actor: str, reason: str, lost: int) -> None:
    steps = [
        Move(
            row.id,
            row.team_id,
            row.parser_id,
            Status(row.status),
            row.attempt,
            reason=reason,
            changes={
                "claimed_by": None,
                "lease_expires_at": None,
                "lost_leases": row.lost_leases + lost,
            },
        )
        for row in rows
    ]
    move(session, Event.LEASE_LOST, steps, actor)


def _lost(session: Session, lock: bool = False) -> list[Document]:
    held = Document.lease_expires_at.is_not(None)
    owners = session.scalars(select(Document.claimed_by).where(held).distinct()).all()
    dead = [owner for owner in owners if owner and is_dead(owner)]
    statement = select(Document).where(
        held, or_(Document.lease_expires_at < clock.now(), Document.claimed_by.in_(dead))
    )
    if lock:
        statement = statement.with_for_update(skip_locked=True)
    return list(session.scalars(statement))


def _with_queue(session: Session, parser_ids: Sequence[str]) -> list[str]:
    # One look into the index for each parser, however long the queues are.
    since = (
        select(func.min(Document.queued_at))
        .where(Document.parser_id == Parser.id, Document.status == Status.QUEUED)
        .correlate(Parser)
        .scalar_subquery()
    )
    found = select(Parser.id, since.label("since")).where(Parser.id.in_(parser_ids)).subquery()
    return list(session.scalars(select(found.c.id).where(found.c.since.is_not(None)).order_by(found.c.since)))


def _oldest(session: Session, parser_id: str, limit: int, but: Sequence[str]) -> list[Claim]:
    statement = select(
        Document.id.label("document_id"),
        Document.team_id,
        Document.parser_id,
        Document.file_name.label("name"),
        Document.sha256,
        Document.content_type,
        (Document.attempt + 1).label("attempt"),
        Document.queued_at,
        Document.source_detail,
        Document.source,
        Document.operation_id,
    ).where(Document.parser_id == parser_id, Document.status == Status.QUEUED)
    if but:
        statement = statement.where(Document.id.not_in(but))
    statement = statement.order_by(Document.queued_at, Document.id).limit(limit)
    rows = session.execute(statement.with_for_update(skip_locked=True))
    return [Claim(**row._asdict()) for row in rows]


def _lease(inst: Installation) -> dt.datetime:
    return clock.now() + dt.timedelta(seconds=inst.settings.lease_seconds)
