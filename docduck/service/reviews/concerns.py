"""What a reviewer is asked or told of a document before it is approved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.fields import Field
from docduck.service.documents.doubts import failed_checks
from docduck.service.documents.queries.document_views import DocumentView

_DUPLICATE = "This is a duplicate of an earlier document"


@dataclass(frozen=True, slots=True)
class Concerns:
    """What looks wrong, in words: that the document is a duplicate, failed checks, missing required values.

    ``is_blocked`` is set if the stage in progress approves no such document.
    """

    texts: Sequence[str]
    is_blocked: bool


def concerns_of(fields: Sequence[Field], document: DocumentView) -> Concerns:
    """Return what has to be asked before somebody approves a document of a parser with these fields."""
    failed = failed_checks(fields, document.data, document.field_metadata)
    stage = document.review.current_stage
    is_blocked = bool(failed) and stage is not None and stage.on_failed_checks == "block"
    return Concerns([_DUPLICATE, *failed] if document.duplicate_of else failed, is_blocked)


def earlier_reviewers(document: DocumentView, user_id: str) -> frozenset[str]:
    """Return who else approved an earlier stage of a review that goes on: what they passed, the user decides
    on again.
    """
    if document.review.current_stage is None:
        return frozenset()
    stages = document.review.stages
    approved = {stage.assignee.id for stage in stages if stage.status == "approved" and stage.assignee}
    return frozenset(approved - {user_id})
