"""The states of a document (contract B1): the only code that changes a document's status.

Every move is one of ``TRANSITIONS``; it is written to the document's history with who and why, and tells
the warehouse that the document's rows are behind, and whoever starts runs that there is work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import bindparam, insert, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentEvent
from docduck.catalog.notices import QUEUED, notify
from docduck.errors import InvalidTransition
from docduck.ids import new_id
from docduck.service.core.warehouse_outbox import mark
from docduck.statuses import FINAL, Status


class Event(StrEnum):
    """What moves a document from one status to another.

    A mail is ``parted`` when its attachments are documents of their own and it is none itself. A document
    is ``split`` when its parts take its place: its row is that of the first part, which is still to be read.
    It is ``set_aside`` when reading it takes so long that others go first.
    """

    CREATED = "created"
    STORED = "stored"
    TRANSFER_FAILED = "transfer_failed"
    CLAIMED = "claimed"
    LEASE_LOST = "lease_lost"
    SET_ASIDE = "set_aside"
    GATE_REFUSED = "gate_refused"
    EXTRACTED = "extracted"
    ATTACHMENTS_SPLIT = "parted"
    SPLIT = "split"
    REVIEW_OWED = "review_owed"
    EXTRACTION_FAILED = "extraction_failed"
    APPROVED = "approved"
    REJECTED = "rejected"
    REVIEW_RESET = "review_reset"
    REPROCESSED = "reprocessed"


CORRECTED = "corrected"
"""The history's word for values that a person changed; the document stays where it stands."""
FILED = "filed"
"""The history's word for a folder that was chosen for the document; it stays where it stands."""


TRANSITIONS: dict[tuple[Status | None, Event], Status] = {
    (None, Event.CREATED): Status.UPLOADING,
    (None, Event.STORED): Status.QUEUED,
    (Status.UPLOADING, Event.STORED): Status.QUEUED,
    (Status.UPLOADING, Event.TRANSFER_FAILED): Status.FAILED,
    (Status.QUEUED, Event.CLAIMED): Status.PROCESSING,
    (Status.QUEUED, Event.GATE_REFUSED): Status.SKIPPED,
    (Status.PROCESSING, Event.GATE_REFUSED): Status.SKIPPED,
    (Status.PROCESSING, Event.LEASE_LOST): Status.QUEUED,
    (Status.PROCESSING, Event.SET_ASIDE): Status.QUEUED,
    (Status.PROCESSING, Event.EXTRACTED): Status.PROCESSED,
    (Status.PROCESSING, Event.ATTACHMENTS_SPLIT): Status.SKIPPED,
    (Status.PROCESSING, Event.SPLIT): Status.QUEUED,
    (Status.PROCESSING, Event.REVIEW_OWED): Status.IN_REVIEW,
    (Status.PROCESSING, Event.EXTRACTION_FAILED): Status.FAILED,
    (Status.IN_REVIEW, Event.APPROVED): Status.APPROVED,
    (Status.IN_REVIEW, Event.REJECTED): Status.REJECTED,
    (Status.APPROVED, Event.REVIEW_RESET): Status.IN_REVIEW,
    (Status.REJECTED, Event.REVIEW_RESET): Status.IN_REVIEW,
    **{(status, Event.REPROCESSED): Status.QUEUED for status in FINAL},
}

# The warehouse holds documents that were read at least once; these events change nothing there.
_BEFORE_ANY_RESULT = {Event.CREATED, Event.STORED, Event.CLAIMED, Event.LEASE_LOST, Event.SET_ASIDE}

_REFUSALS = {
    Event.REPROCESSED: "Document is already being processed",
    Event.APPROVED: "Document is not in review",
    Event.REJECTED: "Document is not in review",
}


@dataclass(frozen=True, slots=True)
class Transition:
    """One document's step; ``changes`` are further columns that are set with the status."""

    document_id: str
    team_id: str
    parser_id: str | None
    status: Status
    attempt: int
    reason: str | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, row: Document, reason: str | None = None, changes: Mapping[str, Any] | None = None
    ) -> Transition:
        """Return the step of a document as it is in the catalog."""
        return cls(row.id, row.team_id, row.parser_id, Status(row.status), row.attempt, reason, changes or {})


def target(status: Status | None, event: Event) -> Status:
    """Where ``event`` takes a document that is in ``status`` (None: not there yet).

    Raises IllegalMove, which says what was tried.
    """
    to = TRANSITIONS.get((status, event))
    if to is None:
        message = _REFUSALS.get(event, f"A document that is {status or 'new'} can't be moved by '{event}'")
        raise InvalidTransition(message, status, event)
    return to


def create(session: Session, event: Event, rows: Sequence[dict[str, Any]], actor: str) -> None:
    """Insert new documents, in the status that ``event`` gives; ``rows`` hold all other columns."""
    status = target(None, event)
    if not rows:
        return
    session.connection().execute(insert(Document), [{**row, "status": status} for row in rows])
    _record(
        session,
        event,
        None,
        status,
        actor,
        [Transition(row["id"], row["team_id"], row["parser_id"], status, 0) for row in rows],
    )


def apply_transitions(session: Session, event: Event, steps: Iterable[Transition], actor: str) -> None:
    """Move documents by ``event``, each from the status its step names.

    The caller has locked or claimed them, so the status is still that one. Raises IllegalMove for the
    first that can't go, before anything is written.
    """
    by_status: dict[Status, list[Transition]] = {}
    for step in steps:
        by_status.setdefault(step.status, []).append(step)
    targets = {status: target(status, event) for status in by_status}
    for status, group in by_status.items():
        _update(session, targets[status], group)
        _record(session, event, status, targets[status], actor, group)


def note_correction(session: Session, step: Transition, actor: str) -> None:
    """Write to a document's history that its values were changed, and that the warehouse is behind."""
    _record(session, CORRECTED, step.status, step.status, actor, [step])


def note_filing(session: Session, status: Status, steps: Sequence[Transition], actor: str) -> None:
    """Write to the history of documents of one status that they were put in a folder, their ``reason``."""
    _record(session, FILED, status, status, actor, steps)


def _update(session: Session, to: Status, steps: Sequence[Transition]) -> None:
    moment = clock.now()
    by_columns: dict[tuple[str, ...], list[Transition]] = {}
    for step in steps:
        by_columns.setdefault(tuple(sorted(step.changes)), []).append(step)
    table = Document.__table__
    for columns, group in by_columns.items():
        statement = (
            update(Document)
            .where(table.c.id == bindparam("document_id"))
            .values(
                {"status": to, "updated_at": moment, **{name: bindparam(f"new_{name}") for name in columns}}
            )
            .execution_options(synchronize_session=False)
        )
        session.connection().execute(
            statement,
            [
                {
                    "document_id": step.document_id,
                    **{f"new_{name}": step.changes[name] for name in columns},
                }
                for step in group
            ],
        )


def _record(
    session: Session, event: str, status: Status | None, to: Status, actor: str, steps: Sequence[Transition]
) -> None:
    moment = clock.now()
    session.connection().execute(
        insert(DocumentEvent),
        [
            {
                "id": new_id(),
                "team_id": step.team_id,
                "document_id": step.document_id,
                "at": moment,
                "event": event,
                "from_status": status,
                "to_status": to,
                "reason": step.reason,
                "actor": actor,
                "attempt": step.attempt,
            }
            for step in steps
        ],
    )
    if to is Status.QUEUED:
        notify(session, QUEUED, {step.parser_id for step in steps if step.parser_id is not None})
    if event not in _BEFORE_ANY_RESULT:
        mark(session, [(s.document_id, s.team_id, s.parser_id) for s in steps if s.parser_id is not None])
