"""What signed-in users may do with a document: by their role, and as the reviewer it is assigned to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.permissions import Permission
from docduck.service.documents.queries.document_views import DocumentRow
from docduck.statuses import HAS_VALUES, Status


class HasStatus(Protocol):
    """A document at a stage of its review."""

    @property
    def status(self) -> str: ...


StageT = TypeVar("StageT", bound=HasStatus)


def may_decide(user: TeamUser, document: DocumentRow) -> bool:
    """Return whether the user may approve or reject the document now."""
    assignee = document.review.assignee
    return (
        Permission.REVIEWS_WRITE in user.permissions
        and document.status is Status.IN_REVIEW
        and assignee is not None
        and assignee.id == user.user_id
    )


def has_approved(user: TeamUser, document: DocumentRow, stage_id: str) -> bool:
    """Return whether the user approved the document at a stage."""
    return any(
        (stage.id, stage.status) == (stage_id, "approved")
        and stage.assignee is not None
        and stage.assignee.id == user.user_id
        for stage in document.review.stages
    )


def last_approved(status: str, stages: Sequence[StageT]) -> StageT | None:
    """Return the stage that was approved last, unless somebody has decided on the document since."""
    if status not in (Status.IN_REVIEW, Status.APPROVED):
        return None
    return next((stage for stage in reversed(stages) if stage.status == "approved"), None)


def undoable_stage(user: TeamUser, document: DocumentRow) -> str | None:
    """Return the id of the stage whose approval, the last one of a document, is the user's to undo."""
    if Permission.REVIEWS_WRITE not in user.permissions:
        return None
    last = last_approved(document.status, document.review.stages)
    is_mine = last is not None and last.assignee is not None and last.assignee.id == user.user_id
    return last.id if last is not None and is_mine else None


def may_correct(user: TeamUser, document: DocumentRow) -> bool:
    """Return whether the user may change the document's values now: its reviewer always may.

    While a document is in review, nobody else may. One that could not be read may be filled in.
    """
    if document.status is Status.FAILED:
        return document.parser_id is not None and Permission.DOCUMENTS_WRITE in user.permissions
    if document.status not in HAS_VALUES or document.status is Status.APPROVED:
        return False
    if document.status is Status.IN_REVIEW:
        return may_decide(user, document)
    return Permission.DOCUMENTS_WRITE in user.permissions
