"""Operations: what became of an upload by its ``operationName``, and in which run (contract C7).

A document's operation is known by an id of its own. The run that reads it stands in the history of the
document, as the reason of its claim, and carries the operation's name as a tag in Dagster.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentEvent
from docduck.errors import NotFound
from docduck.ids import is_uuid
from docduck.service.core.installation import Installation
from docduck.service.documents.states import Event
from docduck.statuses import FINAL, Status

_PREFIX = "operations/"
_RUN = "run "
_NOT_NAMED = frozenset({"folder"})
"""Sources whose documents nobody has the operation of."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: its document, where that stands, and the Dagster run that reads or has read it last."""

    name: str
    document_id: str
    parser_id: str | None
    status: Status
    error: str | None
    run_id: str | None

    @property
    def done(self) -> bool:
        """Whether reading the document has ended, however."""
        return self.status in FINAL


def operation_name(operation_id: str) -> str:
    """An operation's name, which is the key of the run's tag, too."""
    return f"{_PREFIX}{operation_id}"


def is_named(source: str) -> bool:
    """Whether whoever brought a document from ``source`` was told its operation."""
    return source not in _NOT_NAMED


def claim_reason(run_id: str) -> str:
    """What a document's history says of a claim by a run."""
    return f"{_RUN}{run_id}"


def find_operation(inst: Installation, team_id: str, operation_id: str) -> Operation:
    """The team's operation with this id; raises NotFound."""
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
        )


def _run_of(session: Session, document_id: str) -> str | None:
    reason = session.scalar(
        select(DocumentEvent.reason)
        .where(DocumentEvent.document_id == document_id, DocumentEvent.event == Event.CLAIMED)
        .order_by(DocumentEvent.at.desc(), DocumentEvent.attempt.desc())
        .limit(1)
    )
    return reason.removeprefix(_RUN) if reason is not None and reason.startswith(_RUN) else None
