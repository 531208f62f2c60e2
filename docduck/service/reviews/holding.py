"""Setting aside documents in review: they stay assigned, but leave the reviewer's queue."""

from __future__ import annotations

from docduck import clock
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
    _set(inst, (team_id, parser_id, document_id), reviewer_id, Remark.HELD, note or None)


def take_up(inst: Installation, team_id: str, parser_id: str, document_id: str, reviewer_id: str) -> None:
    """Return a document that was set aside to its place in the queue; nothing if it was not.

    Raise the same errors as ``decisions.approve``.
    """
    _set(inst, (team_id, parser_id, document_id), reviewer_id, Remark.TAKEN_UP)


def _set(
    inst: Installation, ids: tuple[str, str, str], reviewer_id: str, remark: Remark, note: str | None = None
) -> None:
    """Set a document aside with a note, or back."""
    is_held = remark is Remark.HELD
    with inst.catalog.transaction() as session:
        document = get_parser_document(session, *ids, lock=True)
        stage = current_stage(session, document, reviewer_id)
        if stage.held_at is None and not is_held:
            return
        document.updated_at = clock.now()
        stage.held_at, stage.hold_note = document.updated_at if is_held else None, note
        session.flush()
        record(session, remark, [Transition.of(document, note)], reviewer_id)
        entry = (document.id, {"stage": stage.stage_id, "note": note})
        audit.record(session, document.team_id, reviewer_id, f"review.{remark}", "document", [entry])
