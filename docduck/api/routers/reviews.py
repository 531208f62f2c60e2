"""Decisions on documents in review."""

from __future__ import annotations

from fastapi import APIRouter, BackgroundTasks

from docduck.api.request.current_caller import BaseUrl, CurrentCaller, Inst
from docduck.api.request.params import DocumentId, ParserId
from docduck.api.route import GuardedRoute, needs
from docduck.api.routers.documents.documents import details_of
from docduck.api.schemas.documents import DocumentDetails
from docduck.api.schemas.reviews import Assignment, Rejection, ReviewerNamed
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.document_changes import update_document
from docduck.service.reviews import decisions

router = APIRouter(
    prefix="/parsers/{parserId}/documents/{documentId}/review", tags=["Reviews"], route_class=GuardedRoute
)

_WRITE = needs("reviews:write")


@router.post("/approve", summary="Approve a document", openapi_extra=_WRITE)
def approve(
    parserId: ParserId,
    documentId: DocumentId,
    body: ReviewerNamed,
    inst: Inst,
    caller: CurrentCaller,
    base_url: BaseUrl,
    after: BackgroundTasks,
) -> DocumentDetails:
    """Approve the stage in progress, as its assignee; the last approval approves the document."""
    view = decisions.approve(inst, caller.team_id, parserId, documentId, body.reviewer_id, caller.actor)
    after.add_task(process_pending, inst)
    return details_of(inst, caller.team_id, base_url, view)


@router.post("/reject", summary="Reject a document", openapi_extra=_WRITE)
def reject(
    parserId: ParserId,
    documentId: DocumentId,
    body: Rejection,
    inst: Inst,
    caller: CurrentCaller,
    base_url: BaseUrl,
) -> DocumentDetails:
    """Reject the document at the stage in progress, as its assignee; the reason is the stage's comment."""
    view = decisions.reject(
        inst, caller.team_id, parserId, documentId, body.reviewer_id, body.reason, caller.actor
    )
    return details_of(inst, caller.team_id, base_url, view)


@router.post("/reset", summary="Reset a review", openapi_extra=_WRITE)
def reset(
    parserId: ParserId,
    documentId: DocumentId,
    body: ReviewerNamed,
    inst: Inst,
    caller: CurrentCaller,
    base_url: BaseUrl,
) -> DocumentDetails:
    """Start the review of an approved or rejected document again; its values are kept.

    The reviewer is the one who acted last, or an owner or admin of the team.
    """
    view = decisions.reset(inst, caller.team_id, parserId, documentId, body.reviewer_id, caller.actor)
    return details_of(inst, caller.team_id, base_url, view)


@router.post("/assign", summary="Assign a document", openapi_extra=_WRITE)
def assign(
    parserId: ParserId,
    documentId: DocumentId,
    body: Assignment,
    inst: Inst,
    caller: CurrentCaller,
    base_url: BaseUrl,
) -> DocumentDetails:
    """Assign the document, and its review stage in progress, to another person.

    A document in review can't be assigned to nobody.
    """
    view = update_document(
        inst, caller.team_id, parserId, documentId, {"assignee_id": body.assignee_id}, caller.actor
    )
    return details_of(inst, caller.team_id, base_url, view)
