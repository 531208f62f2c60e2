"""Operations: the progress of an upload by its ``operationName``, and its run.

The run that claimed a document is the reason of the claim in the history; in Dagster, a tag of it lists the
operation's id.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentEvent
from docduck.errors import NotFound
from docduck.ids import is_uuid
from docduck.service.core.installation import Installation
from docduck.service.documents.status_transitions import Event
from docduck.statuses import FINAL, Status

_PREFIX = "operations/"
_RUN = "run "
_NOT_NAMED = frozenset({"folder"})
"""Sources that return no operation to the sender."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: its document, that document's status, and the last Dagster run that processed it."""

    name: str
    document_id: str
    parser_id: str | None
    status: Status
    error: str | None
    run_id: str | None
    classifier_id: str | None = None

    @property
    def done(self) -> bool:
        """Whether the document has been processed, with or without success."""
        return self.status in FINAL


def operation_name(operation_id: str) -> str:
    """Return the name of an operation."""
    return f"{_PREFIX}{operation_id}"


def is_named(source: str) -> bool:
    """Return whether operations of documents from ``source`` are known to their sender."""
    return source not in _NOT_NAMED


def claim_reason(run_id: str) -> str:
    """Return the history's reason for a claim by a run."""
    return f"{_RUN}{run_id}"


def run_of(reason: str | None) -> str | None:
    """Return the run that a history's reason names; None if it names none."""
    return reason.removeprefix(_RUN) if reason is not None and reason.startswith(_RUN) else None


def find_operation(inst: Installation, team_id: str, operation_id: str) -> Operation:
    """Return the team's operation; raise NotFound."""
    with inst.catalog.read_session() as session:
        row = None
        if is_uuid(operation_id):
            row = session.scalar(
                select(Document)
                .where(Document.team_id == team_id, Document.operation_id == operation_id.lower())
                .order_by(Document.created_at, Document.id)
                .limit(1)
            )
        if row is None:
            raise NotFound("Operation not found", "operationId", operation_id)
        return Operation(
            operation_name(row.operation_id),
            row.id,
            row.parser_id,
            Status(row.status),
            row.error,
            _run_of(session, row.id),
            row.classifier_id,
        )


def _run_of(session: Session, document_id: str) -> str | None:
    reason = session.scalar(
        select(DocumentEvent.reason)
        .where(DocumentEvent.document_id == document_id, DocumentEvent.event == Event.CLAIMED)
        .order_by(DocumentEvent.at.desc(), DocumentEvent.attempt.desc())
        .limit(1)
    )
    return run_of(reason)
