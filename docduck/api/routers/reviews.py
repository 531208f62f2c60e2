"""Decisions on documents in review."""

from __future__ import annotations

from fastapi import BackgroundTasks

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import DocumentId, ParserId
from docduck.api.route import ResourceRouter
from docduck.api.routers.documents.documents import details_of
from docduck.api.schemas.documents import DocumentDetails
from docduck.api.schemas.reviews import Assignment, Rejection, ReviewerNamed
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.document_changes import update_document
from docduck.service.reviews import decisions

router = ResourceRouter("/parsers/{parserId}/documents/{documentId}/review", "Reviews", write="reviews:write")


@router.post("/approve", summary="Approve a document")
def approve(
    parserId: ParserId, documentId: DocumentId, body: ReviewerNamed, call: CurrentCall, after: BackgroundTasks
) -> DocumentDetails:
    """Approve the stage in progress, as its assignee; the last approval approves the document."""
    view = decisions.approve(*call.team, parserId, documentId, body.reviewer_id, call.actor)
    after.add_task(process_pending, call.inst)
    return details_of(call, view)


@router.post("/reject", summary="Reject a document")
def reject(parserId: ParserId, documentId: DocumentId, body: Rejection, call: CurrentCall) -> DocumentDetails:
    """Reject the document at the stage in progress, as its assignee; the reason is the stage's comment."""
    view = decisions.reject(*call.team, parserId, documentId, body.reviewer_id, body.reason, call.actor)
    return details_of(call, view)


@router.post("/reset", summary="Reset a review")
def reset(
    parserId: ParserId, documentId: DocumentId, body: ReviewerNamed, call: CurrentCall
) -> DocumentDetails:
    """Start the review of an approved or rejected document again; its values are kept.

    The reviewer is the one who acted last, or an owner or admin of the team.
    """
    view = decisions.reset(*call.team, parserId, documentId, body.reviewer_id, call.actor)
    return details_of(call, view)


@router.post("/assign", summary="Assign a document")
def assign(
    parserId: ParserId, documentId: DocumentId, body: Assignment, call: CurrentCall
) -> DocumentDetails:
    """Assign the document, and its review stage in progress, to another person.

    A document in review can't be assigned to nobody.
    """
    view = update_document(*call.team, parserId, documentId, {"assignee_id": body.assignee_id}, call.actor)
    return details_of(call, view)
