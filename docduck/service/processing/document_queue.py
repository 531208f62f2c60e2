"""The queue of documents, claimed in batches under a lease.

Documents are queued by target: their parser, or the classifier that has yet to route them.

A claim is a document's ``claimed_by``, ``attempt`` and ``lease_expires_at``. Its owner renews the lease; when
the lease expires or the owner is dead, the document is queued again. Slow documents have a queue of their
own.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, and_, exists, false, func, or_, select, update
from sqlalchemy.orm import Session

from docduck import clock, tracing
from docduck.catalog.database import lease_clock
from docduck.catalog.models import Classifier, ClassifierExample, Document, Parser, WarehouseOutbox
from docduck.documents.detection.content_types import PAGED
from docduck.errors import GivenUp, WorkerEnded
from docduck.owner import LEASE_SECONDS, is_dead
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import IS_QUEUED, NOT_CLAIMED, Claim, DurationClass
from docduck.service.documents.status_transitions import Event, Transition, apply_transitions
from docduck.service.processing.routing import failed_routing
from docduck.statuses import Status

MAX_LOST_LEASES = 25
"""Times that a document may be lost with its run before it fails."""
LOST_WORKER = 5
"""As how many lost runs it counts if a document's worker ends, as only that document is concerned."""


@dataclass(frozen=True, slots=True)
class ClaimRequest:
    """How many documents to claim from a target's queue, or from its queue of slow documents.

    ``paged`` limits it to documents that are read page by page, or to others; those in ``without`` are left.
    """

    target_id: str
    count: int
    newest_first: bool = False
    slow: bool = False
    paged: bool | None = None
    without: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Backlog:
    """A target's pending work: queued documents, documents of lost runs, and rows not yet in the warehouse.

    ``slow`` counts the slow ones among the queued. ``oldest`` is when the oldest queued document was queued,
    ``behind_since`` when the oldest pending row was written.
    """

    queued: int = 0
    slow: int = 0
    expired: int = 0
    unprojected: int = 0
    oldest: dt.datetime | None = None
    behind_since: dt.datetime | None = None


def backlogs(inst: Installation, team_id: str | None = None) -> dict[str, Backlog]:
    """Return the backlogs by id of parser or classifier, of one team or of all; omit those without work."""
    mine = () if team_id is None else (Document.team_id == team_id,)
    by_target: dict[str, dict[str, int]] = {}
    oldest: dict[str, dt.datetime | None] = {}
    behind_since: dict[str, dt.datetime] = {}
    with inst.catalog.read_session() as session:
        for slow, queued_for, count, first in session.execute(
            select(Document.slow, Document.target_id, func.count(), func.min(Document.queued_at))
            .where(*mine, IS_QUEUED)
            .group_by(Document.slow, Document.target_id)
        ):
            entry = by_target.setdefault(str(queued_for), {})
            entry["queued"] = entry.get("queued", 0) + count
            entry["slow"] = count if slow else 0
            known = [moment for moment in (first, oldest.get(str(queued_for))) if moment is not None]
            oldest[str(queued_for)] = min(known, default=None)
        for row in _lost(session):
            if team_id is None or row.team_id == team_id:
                entry = by_target.setdefault(str(row.target_id), {})
                entry["expired"] = entry.get("expired", 0) + 1
        behind = () if team_id is None else (WarehouseOutbox.team_id == team_id,)
        for parser_id, count, first in session.execute(
            select(WarehouseOutbox.parser_id, func.count(), func.min(WarehouseOutbox.at))
            .where(*behind)
            .group_by(WarehouseOutbox.parser_id)
        ):
            by_target.setdefault(parser_id, {})["unprojected"] = count
            behind_since[parser_id] = first
    return {
        parser_id: Backlog(**counts, oldest=oldest.get(parser_id), behind_since=behind_since.get(parser_id))
        for parser_id, counts in by_target.items()
    }


def targets_with_work(inst: Installation, slow: bool = False) -> dict[str, str]:
    """Return the parsers and classifiers with queued documents, or with queued slow ones, and their teams."""
    ordered = select(Document.target_id).where(IS_QUEUED, Document.slow == slow)
    # A loose index scan: one look-up per target, however long the queues are.
    first = ordered.order_by(Document.target_id).limit(1).scalar_subquery()
    targets = select(first.label("target_id")).cte("found", recursive=True)
    following = ordered.where(targets.c.target_id < Document.target_id).order_by(Document.target_id).limit(1)
    targets = targets.union_all(
        select(following.correlate(targets).scalar_subquery()).where(targets.c.target_id.is_not(None))
    )
    with inst.catalog.read_session() as session:
        ids = [
            target_id for target_id in session.scalars(select(targets.c.target_id)) if target_id is not None
        ]
        return {
            target_id: team_id
            for table in (Parser, Classifier)
            for target_id, team_id in session.execute(
                select(table.id, table.team_id).where(table.id.in_(ids), table.deleted_at.is_(None))
            )
        }


def claim(
    inst: Installation, requests: Sequence[ClaimRequest], owner: str, reason: str | None = None
) -> list[Claim]:
    """Claim queued documents, as many as there are up to the requested counts.

    A document is claimed only once. ``reason`` goes to the documents' history.
    """
    if not requests:
        return []
    with inst.catalog.transaction() as session:
        claims = [claim_ for request in requests for claim_ in _queued(session, request)]
        _take(session, claims, owner, reason)
    _trace(claims)
    return claims


def claim_documents(
    inst: Installation, team_id: str, document_ids: Collection[str], owner: str
) -> list[Claim]:
    """Claim those of these documents that are queued, the oldest first."""
    mine = (IS_QUEUED, Document.team_id == team_id, Document.id.in_(document_ids))
    with inst.catalog.transaction() as session:
        statement = _CLAIMED.where(*mine).order_by(*_ORDER).with_for_update(skip_locked=True)
        claims = [Claim(**row._asdict()) for row in session.execute(statement)]
        _take(session, claims, owner, None)
    _trace(claims)
    return claims


def _take(session: Session, claims: Sequence[Claim], owner: str, reason: str | None) -> None:
    steps = _taken(session, claims, Status.QUEUED, owner, reason)
    apply_transitions(session, Event.CLAIMED, steps, owner)


def take_over(session: Session, failed: Claim, owner: str, person: str) -> None:
    """Let ``owner`` hold the claim of a locked document that failed, to store what a person filled in."""
    steps = _taken(session, [failed], Status.FAILED, owner, None)
    apply_transitions(session, Event.FILLED, steps, person)


def _taken(
    session: Session, claims: Sequence[Claim], status: Status, owner: str, reason: str | None
) -> list[Transition]:
    lease = _lease(session)
    return [
        Transition(
            claim.document_id,
            claim.team_id,
            claim.parser_id,
            status,
            claim.attempt,
            reason,
            changes={"attempt": claim.attempt, "claimed_by": owner, "lease_expires_at": lease},
        )
        for claim in claims
    ]


def _trace(claims: Sequence[Claim]) -> None:
    for claim in claims:
        if claim.queued_at is not None:
            tracing.record(
                "queued",
                claim.document_id,
                claim.queued_at,
                claim.claimed_at,
                team_id=claim.team_id,
                target_id=claim.target_id,
                attempt=claim.attempt,
            )


def set_aside(inst: Installation, owner: str, claims: Sequence[Claim], reason: str) -> None:
    """Queue documents that ``owner`` has claimed again, among the slow ones."""
    held = _claimed_by(owner).where(Document.id.in_([claim.document_id for claim in claims]))
    with inst.catalog.transaction() as session:
        rows = session.scalars(held.with_for_update()).all()
        _requeue(session, Event.SET_ASIDE, rows, owner, reason, slow=True)


def expect_slow(inst: Installation, duration_class: DurationClass) -> None:
    """Mark queued documents of the class as slow."""
    with inst.catalog.transaction() as session:
        session.execute(
            update(Document)
            .where(
                IS_QUEUED,
                Document.slow == false(),
                Document.target_id == duration_class.target_id,
                Document.content_type == duration_class.content_type,
                Document.size.between(*duration_class.sizes),
            )
            .values(slow=True, updated_at=Document.updated_at)
            .execution_options(synchronize_session=False)
        )


def held(inst: Installation, owner: str) -> dict[str, int]:
    """Return the documents that ``owner`` has claimed, and their attempts."""
    statement = select(Document.id, Document.attempt).where(
        Document.lease_expires_at.is_not(None), Document.claimed_by == owner
    )
    with inst.catalog.read_session() as session:
        return {document_id: attempt for document_id, attempt in session.execute(statement)}


def record_progress(inst: Installation, owner: str, pages: Mapping[str, tuple[int, int]]) -> None:
    """Record how many pages of documents that ``owner`` has claimed were read, and are to be read."""
    with inst.catalog.transaction() as session:
        for document_id, (read, to_read) in sorted(pages.items()):
            session.execute(
                update(Document)
                .where(Document.id == document_id, Document.claimed_by == owner)
                .values(pages_read=read, pages_to_read=to_read, updated_at=Document.updated_at)
                .execution_options(synchronize_session=False)
            )


def heartbeat(inst: Installation, owner: str) -> None:
    """Renew the leases of ``owner``."""
    with inst.catalog.transaction() as session:
        session.execute(
            update(Document)
            .where(Document.lease_expires_at.is_not(None), Document.claimed_by == owner)
            .values(lease_expires_at=_lease(session))
            .execution_options(synchronize_session=False)
        )


def release(inst: Installation, owner: str, reason: str, document_ids: Collection[str] | None = None) -> int:
    """Queue the documents of ``owner`` again, or only ``document_ids``; return how many."""
    held = _claimed_by(owner)
    if document_ids is not None:
        held = held.where(Document.id.in_(document_ids))
    with inst.catalog.transaction() as session:
        rows = session.scalars(held.with_for_update()).all()
        _requeue(session, Event.LEASE_LOST, rows, owner, reason)
        return len(rows)


def release_interrupted(inst: Installation, owner: str, claim: Claim, error: WorkerEnded) -> bool:
    """Queue a document again whose worker ended while ``owner`` had claimed it.

    Return False, and do nothing, if that happened too often: it may be what ends its workers.
    """
    held = _claimed_by(owner).where(Document.id == claim.document_id, Document.attempt == claim.attempt)
    with inst.catalog.transaction() as session:
        rows = session.scalars(held.with_for_update()).all()
        if any(row.lost_leases + LOST_WORKER > MAX_LOST_LEASES for row in rows):
            return False
        reason = f"its worker ended ({error.how}); a later run reads it"
        _requeue(session, Event.LEASE_LOST, rows, owner, reason, lost=LOST_WORKER)
    return True


def release_lost(inst: Installation, actor: str) -> int:
    """Queue documents again whose lease ran out or whose owner is dead; return how many.

    A document that was lost more than ``MAX_LOST_LEASES`` times fails instead: it may be what kills its runs.
    """
    with inst.catalog.transaction() as session:
        rows = _lost(session, lock=True)
        given_up = [row for row in rows if row.lost_leases + 1 > MAX_LOST_LEASES]
        rest = [row for row in rows if row not in given_up]
        _requeue(session, Event.LEASE_LOST, rest, actor, "its run was lost", lost=1)
        message = GivenUp().message
        changes = {**NOT_CLAIMED, "error": message, "processed_at": clock.now()}
        steps = [
            Transition.of(row, message, changes if row.parser_id else changes | failed_routing(message))
            for row in given_up
        ]
        apply_transitions(session, Event.EXTRACTION_FAILED, steps, actor)
        return len(rows)


def _requeue(
    session: Session,
    event: Event,
    rows: Sequence[Document],
    actor: str,
    reason: str,
    *,
    lost: int = 0,
    **changes: Any,
) -> None:
    steps = [
        Transition.of(row, reason, {**NOT_CLAIMED, "lost_leases": row.lost_leases + lost, **changes})
        for row in rows
    ]
    apply_transitions(session, event, steps, actor)


def _lost(session: Session, lock: bool = False) -> list[Document]:
    held = Document.lease_expires_at.is_not(None)
    owners = session.scalars(select(Document.claimed_by).where(held).distinct()).all()
    dead = [owner for owner in owners if owner and is_dead(owner)]
    statement = select(Document).where(
        held, or_(Document.lease_expires_at < lease_clock(session), Document.claimed_by.in_(dead))
    )
    if lock:
        statement = statement.with_for_update(skip_locked=True)
    return list(session.scalars(statement))


def _claimed_by(owner: str) -> Select[Document]:
    """Return the documents of ``owner`` in the order in which all code locks documents."""
    mine = (Document.lease_expires_at.is_not(None), Document.claimed_by == owner)
    return select(Document).where(*mine).order_by(Document.id)


_ORDER = (Document.queued_at, Document.id)
_CLAIMED = select(
    Document.id.label("document_id"),
    Document.team_id,
    Document.target_id.label("target_id"),
    Document.parser_id,
    Document.file_name.label("name"),
    Document.sha256,
    Document.content_type,
    (Document.attempt + 1).label("attempt"),
    Document.queued_at,
    Document.source_detail,
    Document.source,
    Document.operation_id,
    Document.size,
    Document.slow,
    (Document.keep_whole | Document.split.is_not(None)).label("is_part"),
    and_(
        Document.classifier_id.is_not(None),
        exists().where(ClassifierExample.document_id == Document.id, ClassifierExample.text.is_(None)),
    ).label("is_example"),
    Document.folder_id,
    Document.sealed_password,
)


def _queued(session: Session, request: ClaimRequest) -> list[Claim]:
    statement = (
        _CLAIMED.where(IS_QUEUED, Document.target_id == request.target_id, Document.slow == request.slow)
        .order_by(*((column.desc() for column in _ORDER) if request.newest_first else _ORDER))
        .limit(request.count)
    )
    if request.paged is not None:
        paged = Document.content_type.in_(PAGED)
        statement = statement.where(paged if request.paged else ~paged)
    if request.without:
        statement = statement.where(Document.id.not_in(request.without))
    rows = session.execute(statement.with_for_update(skip_locked=True))
    return [Claim(**row._asdict()) for row in rows]


def _lease(session: Session) -> dt.datetime:
    return lease_clock(session) + dt.timedelta(seconds=LEASE_SECONDS)
