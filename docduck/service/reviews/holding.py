"""Setting aside documents in review: they stay assigned, but leave the reviewer's queue."""

from __future__ import annotations

from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentStage
from docduck.errors import InputError
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.service.documents.status_transitions import Remark, Transition, record
from docduck.service.reviews.decisions import current_stage

LONGEST_NOTE = 1000


def hold(
    inst: Installation, team_id: str, parser_id: str, document_id: str, reviewer_id: str, note: str = ""
) -> None:
    """Set a document aside, until the reviewer takes it up again or it is assigned to another.

    Raise the same errors as ``decisions.approve``, and InputError if the note is too long.
    """
    if len(note) > LONGEST_NOTE:
        raise InputError(f"The note may have {LONGEST_NOTE} characters", "note")
    with inst.catalog.transaction() as session:
        document = get_parser_document(session, team_id, parser_id, document_id, lock=True)
        stage = current_stage(session, document, reviewer_id)
        stage.held_at, stage.hold_note = clock.now(), note or None
        document.updated_at = stage.held_at
        session.flush()
        record(session, Remark.HELD, [Transition.of(document, note or None)], reviewer_id)
        _audit(session, document, "review.held", stage, reviewer_id)


def take_up(inst: Installation, team_id: str, parser_id: str, document_id: str, reviewer_id: str) -> None:
    """Return a document that was set aside to its place in the queue; nothing if it was not.

    Raise the same errors as ``decisions.approve``.
    """
    with inst.catalog.transaction() as session:
        document = get_parser_document(session, team_id, parser_id, document_id, lock=True)
        stage = current_stage(session, document, reviewer_id)
        if stage.held_at is None:
            return
        stage.held_at = stage.hold_note = None
        document.updated_at = clock.now()
        session.flush()
        record(session, Remark.TAKEN_UP, [Transition.of(document)], reviewer_id)
        _audit(session, document, "review.taken_up", stage, reviewer_id)


def _audit(session: Session, document: Document, action: str, stage: DocumentStage, reviewer_id: str) -> None:
    details = {"stage": stage.stage_id, "note": stage.hold_note}
    audit.record(session, document.team_id, reviewer_id, action, "document", [(document.id, details)])
