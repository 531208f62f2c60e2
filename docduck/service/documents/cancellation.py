"""Cancelling documents before they were read."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Classifier, Document, Parser
from docduck.service.core.installation import Installation
from docduck.service.core.started_request import earlier_effect, record_effect
from docduck.service.documents.claim import IS_QUEUED, NOT_CLAIMED
from docduck.service.documents.queries.document_lookup import get_documents
from docduck.service.documents.status_transitions import Event, Transition, apply_transitions
from docduck.statuses import Status

CANCELLED = "Cancelled"
"""The error of a document that was cancelled."""

_SYSTEM = "system"
_ORPHANED = "its parser was deleted"
_CHUNK = 500
_CANCELLABLE = (Status.QUEUED, Status.PROCESSING)


def cancel(
    inst: Installation,
    team_id: str,
    document_ids: Sequence[str],
    actor: str = "user",
    parser_id: str | None = None,
) -> int:
    """Cancel documents, of the parser if given, all or none; return how many.

    A run ends its work on them within a heartbeat. Raise NotFound, InputError for one of another parser, and
    InvalidTransition ``Document is not in progress``.
    """
    if (earlier := earlier_effect()) is not None:
        return int(earlier["documents"])
    with inst.catalog.transaction() as session:
        rows = get_documents(session, team_id, document_ids, parser_id, lock=True)
        _cancel(session, rows, actor)
        record_effect(session, documents=len(rows))
        return len(rows)


def cancel_orphans(inst: Installation) -> int:
    """Cancel the documents in progress of deleted parsers and classifiers; return how many."""
    count = 0
    while True:
        with inst.catalog.read_session() as session:
            waiting = _orphans(session)
        if not waiting:
            return count
        with inst.catalog.transaction() as session:
            rows = session.scalars(
                select(Document)
                .where(Document.id.in_(waiting), Document.status.in_(_CANCELLABLE))
                .order_by(Document.id)
                .with_for_update()
            ).all()
            _cancel(session, rows, _SYSTEM, _ORPHANED)
            count += len(rows)


def _orphans(session: Session) -> list[str]:
    """Return the ids of some documents in progress whose parser or classifier was deleted."""
    gone = [
        target_id
        for table in (Parser, Classifier)
        for target_id in session.scalars(select(table.id).where(table.deleted_at.is_not(None)))
    ]
    # Each by an index: there are few of these, and many documents of deleted parsers.
    queued = (IS_QUEUED, Document.slow.in_((False, True)))
    claimed = (Document.lease_expires_at.is_not(None), Document.status == Status.PROCESSING)
    return [
        document
        for in_progress in (queued, claimed)
        for document in session.scalars(
            select(Document.id).where(*in_progress, Document.target_id.in_(gone)).limit(_CHUNK)
        )
    ]


def _cancel(session: Session, rows: Sequence[Document], actor: str, reason: str = CANCELLED) -> None:
    changes = {**NOT_CLAIMED, "error": CANCELLED, "processed_at": clock.now(), "lost_leases": 0}
    apply_transitions(session, Event.CANCELLED, [Transition.of(row, reason, changes) for row in rows], actor)
