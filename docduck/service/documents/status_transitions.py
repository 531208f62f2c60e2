"""The statuses of documents and their transitions: the only code that changes a status.

A transition is recorded in the document's history. It also enqueues the document's rows for the warehouse,
fires the events of webhooks, and notifies the starter of runs about queued documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import bindparam, insert, update
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentEvent, webhooks
from docduck.catalog.notifications import RUN_NEEDED, notify
from docduck.error_codes import Code
from docduck.errors import InvalidTransition
from docduck.ids import new_id
from docduck.service.core.warehouse_outbox import enqueue
from docduck.service.documents.webhook_outbox import fire
from docduck.statuses import FINAL, Status


class Event(StrEnum):
    """Events that change a document's status.

    ``parted``: a mail is skipped because its attachments became documents. ``split``: an archive, a PDF or a
    mail that is no document is replaced by its parts; its row becomes that of the first. ``set_aside``: the
    document is slow, so others go first. ``routed``: a classifier moved the document to its target parser.
    ``filled``: a person set the values of a document that could not be read. ``approval_undone``: the stage
    that was approved last is in progress again, those before it stay approved.
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
    ROUTED = "routed"
    ROUTING_SKIPPED = "routing_skipped"
    REVIEW_OWED = "review_owed"
    EXTRACTION_FAILED = "extraction_failed"
    APPROVED = "approved"
    REJECTED = "rejected"
    REVIEW_RESET = "review_reset"
    APPROVAL_UNDONE = "approval_undone"
    REPROCESSED = "reprocessed"
    CANCELLED = "cancelled"
    FILLED = "filled"


class Remark(StrEnum):
    """Events of a history that leave the status unchanged.

    ``undone``: the values are those before the correction or confirmation before. ``assigned``: a document in
    review was assigned to another person. ``held``: a reviewer set it aside. ``stage_approved``: a stage that
    is not the last; ``stage_undone``: that was undone. ``stage_skipped``: its rules don't match any more.
    """

    CORRECTED = "corrected"
    CONFIRMED = "confirmed"
    UNDONE = "undone"
    FILED = "filed"
    ASSIGNED = "assigned"
    HELD = "held"
    TAKEN_UP = "taken_up"
    STAGE_STARTED = "stage_started"
    STAGE_APPROVED = "stage_approved"
    STAGE_UNDONE = "stage_undone"
    STAGE_SKIPPED = "stage_skipped"
    RESTORED = "restored"


TRANSITIONS: dict[tuple[Status | None, Event], Status] = {
    (None, Event.CREATED): Status.UPLOADING,
    (None, Event.STORED): Status.QUEUED,
    (Status.UPLOADING, Event.STORED): Status.QUEUED,
    (Status.UPLOADING, Event.TRANSFER_FAILED): Status.FAILED,
    (Status.QUEUED, Event.CLAIMED): Status.PROCESSING,
    (Status.QUEUED, Event.GATE_REFUSED): Status.SKIPPED,
    (Status.PROCESSING, Event.GATE_REFUSED): Status.SKIPPED,
    (Status.QUEUED, Event.CANCELLED): Status.FAILED,
    (Status.PROCESSING, Event.CANCELLED): Status.FAILED,
    (Status.PROCESSING, Event.LEASE_LOST): Status.QUEUED,
    (Status.PROCESSING, Event.SET_ASIDE): Status.QUEUED,
    (Status.PROCESSING, Event.EXTRACTED): Status.PROCESSED,
    (Status.PROCESSING, Event.ATTACHMENTS_SPLIT): Status.SKIPPED,
    (Status.PROCESSING, Event.SPLIT): Status.QUEUED,
    (Status.PROCESSING, Event.ROUTED): Status.QUEUED,
    (Status.PROCESSING, Event.ROUTING_SKIPPED): Status.SKIPPED,
    (Status.PROCESSING, Event.REVIEW_OWED): Status.IN_REVIEW,
    (Status.PROCESSING, Event.EXTRACTION_FAILED): Status.FAILED,
    (Status.IN_REVIEW, Event.APPROVED): Status.APPROVED,
    (Status.IN_REVIEW, Event.REJECTED): Status.REJECTED,
    (Status.APPROVED, Event.APPROVAL_UNDONE): Status.IN_REVIEW,
    (Status.FAILED, Event.FILLED): Status.PROCESSING,
    (Status.APPROVED, Event.REVIEW_RESET): Status.IN_REVIEW,
    (Status.REJECTED, Event.REVIEW_RESET): Status.IN_REVIEW,
    **{(status, Event.REPROCESSED): Status.QUEUED for status in FINAL},
}

# The warehouse holds documents that were processed at least once; these events change nothing there.
_BEFORE_ANY_RESULT = {
    Event.CREATED,
    Event.STORED,
    Event.CLAIMED,
    Event.FILLED,
    Event.LEASE_LOST,
    Event.SET_ASIDE,
}

_WEBHOOK_EVENTS: Mapping[str, Sequence[str]] = {
    Event.TRANSFER_FAILED: (webhooks.FAILED,),
    Event.GATE_REFUSED: (webhooks.SKIPPED,),
    Event.ATTACHMENTS_SPLIT: (webhooks.SKIPPED,),
    Event.EXTRACTED: (webhooks.PROCESSED, webhooks.EXPORTED),
    Event.REVIEW_OWED: (webhooks.PROCESSED, webhooks.IN_REVIEW),
    Event.EXTRACTION_FAILED: (webhooks.FAILED,),
    Event.CANCELLED: (webhooks.FAILED,),
    Event.APPROVED: (webhooks.APPROVED, webhooks.EXPORTED),
    Event.REJECTED: (webhooks.REJECTED,),
    Event.APPROVAL_UNDONE: (webhooks.IN_REVIEW,),
    Event.REVIEW_RESET: (webhooks.IN_REVIEW,),
    Remark.CORRECTED: (webhooks.UPDATED,),
    Remark.CONFIRMED: (webhooks.UPDATED,),
    Remark.UNDONE: (webhooks.UPDATED,),
}

_REFUSALS: Mapping[Event, tuple[str, Code]] = {
    Event.REPROCESSED: ("Document is already being processed", "already_processing"),
    Event.CANCELLED: ("Document is not in progress", "not_in_progress"),
    Event.APPROVED: ("Document is not in review", "not_in_review"),
    Event.REJECTED: ("Document is not in review", "not_in_review"),
    Event.REVIEW_RESET: (
        "Only the review of an approved or rejected document can be reset",
        "invalid_transition",
    ),
}


@dataclass(frozen=True, slots=True)
class Transition:
    """A document's change of status; ``changes`` are further columns to set.

    A document without a ``parser_id`` waits for its classifier.
    """

    document_id: str
    team_id: str
    parser_id: str | None
    status: Status
    attempt: int
    reason: str | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    classifier_id: str | None = None

    @classmethod
    def of(
        cls, row: Document, reason: str | None = None, changes: Mapping[str, Any] | None = None
    ) -> Transition:
        """Return the transition of a document from its present status."""
        return cls(
            row.id,
            row.team_id,
            row.parser_id,
            Status(row.status),
            row.attempt,
            reason,
            changes or {},
            row.classifier_id,
        )


def next_status(status: Status | None, event: Event) -> Status:
    """Return the status that ``event`` leads to from ``status`` (None: the document is new).

    Raise InvalidTransition if there is none.
    """
    to = TRANSITIONS.get((status, event))
    if to is None:
        unusual = f"A document that is {status or 'new'} can't be moved by '{event}'"
        message, code = _REFUSALS.get(event, (unusual, "invalid_transition"))
        raise InvalidTransition(message, status, event, code=code)
    return to


def create(session: Session, event: Event, rows: Sequence[dict[str, Any]], actor: str) -> None:
    """Insert new documents in the status that ``event`` leads to; ``rows`` hold all other columns."""
    status = next_status(None, event)
    if not rows:
        return
    session.connection().execute(insert(Document), [{**row, "status": status} for row in rows])
    _record(
        session,
        event,
        None,
        status,
        actor,
        [
            Transition(
                row["id"], row["team_id"], row["parser_id"], status, 0, classifier_id=row.get("classifier_id")
            )
            for row in rows
        ],
    )


def apply_transitions(session: Session, event: Event, steps: Iterable[Transition], actor: str) -> None:
    """Apply ``event`` to documents that the caller has locked or claimed.

    Raise InvalidTransition, before anything is written, if a status doesn't allow it.
    """
    by_status = _by_status(steps)
    targets = {status: next_status(status, event) for status in by_status}
    for status, group in by_status.items():
        _update(session, targets[status], group)
        _record(session, event, status, targets[status], actor, group)


def record(
    session: Session,
    remark: Remark,
    steps: Iterable[Transition],
    actor: str,
    changes: Mapping[str, Any] | None = None,
) -> None:
    """Record in the history of documents what leaves their status unchanged.

    ``reason`` names the folder or stage; ``changes`` tell which values were corrected or confirmed.
    """
    for status, group in _by_status(steps).items():
        _record(session, remark, status, status, actor, group, changes)


def _by_status(steps: Iterable[Transition]) -> dict[Status, list[Transition]]:
    by_status: dict[Status, list[Transition]] = {}
    for step in steps:
        by_status.setdefault(step.status, []).append(step)
    return by_status


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
    session: Session,
    event: str,
    status: Status | None,
    to: Status,
    actor: str,
    steps: Sequence[Transition],
    changes: Mapping[str, Any] | None = None,
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
                "changes": changes,
            }
            for step in steps
        ],
    )
    if to is Status.QUEUED:
        targets = (step.parser_id or step.classifier_id for step in steps)
        notify(session, RUN_NEEDED, {target for target in targets if target is not None})
    for name in _WEBHOOK_EVENTS.get(event, ()):
        fire(session, name, [(s.parser_id, s.document_id) for s in steps if s.parser_id is not None])
    if event not in _BEFORE_ANY_RESULT:
        enqueue(session, [(s.document_id, s.team_id, s.parser_id) for s in steps if s.parser_id is not None])
