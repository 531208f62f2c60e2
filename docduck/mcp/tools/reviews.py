"""Review stages, and decisions as the signed-in user."""

from __future__ import annotations

from typing import Annotated

from fastapi import BackgroundTasks, Query

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import DocumentId, ParserId
from docduck.api.routers import review_stages, reviews
from docduck.api.schemas.documents import DocumentDetails
from docduck.api.schemas.reviews import Rejection, ReviewerNamed
from docduck.mcp.dependencies import SignedInUser
from docduck.mcp.tool import ADD, DELETE, READ, SET, Settings, rest_tool, tool
from docduck.mcp.views import CHANGED
from docduck.service.reviews.decisions import LONGEST_REASON

_WRITE = "reviews:write"
_settings = Settings("review_stage", ("name", "reviewerId"))

Reason = Annotated[str | None, Query(max_length=LONGEST_REASON, description="For the next reader")]


@tool("approve_document", "Approve a document", _WRITE, ADD, CHANGED)
def approve_document(
    parserId: ParserId, documentId: DocumentId, call: CurrentCall, user: SignedInUser, after: BackgroundTasks
) -> DocumentDetails:
    """Approve the stage in progress as the signed-in user, who must be its assignee; the last approves the
    document.
    """
    body = ReviewerNamed(reviewerId=user.user_id)
    return reviews.approve(parserId, documentId, body, call, after)


@tool("reject_document", "Reject a document", _WRITE, ADD, CHANGED)
def reject_document(
    parserId: ParserId, documentId: DocumentId, call: CurrentCall, user: SignedInUser, reason: Reason = None
) -> DocumentDetails:
    """Reject the stage in progress as the signed-in user, who must be its assignee."""
    body = Rejection(reviewerId=user.user_id, reason=reason)
    return reviews.reject(parserId, documentId, body, call)


@tool("reset_review", "Reset a review", _WRITE, SET, CHANGED)
def reset_review(
    parserId: ParserId, documentId: DocumentId, call: CurrentCall, user: SignedInUser
) -> DocumentDetails:
    """Start the review of an approved or rejected document again, as the user who acted last or an admin; its
    values are kept.
    """
    body = ReviewerNamed(reviewerId=user.user_id)
    return reviews.reset(parserId, documentId, body, call)


TOOLS = (
    rest_tool(
        review_stages.list_, "list_review_stages", READ, "Return a parser's review stages by position."
    ),
    rest_tool(
        review_stages.create,
        "create_review_stage",
        ADD,
        "Create a review stage: documents read from then on wait there for a person, by its rules or all.",
        settings=_settings,
    ),
    rest_tool(
        review_stages.update,
        "update_review_stage",
        SET,
        "Change a review stage; documents that are at it keep their assignee.",
        settings=_settings,
    ),
    rest_tool(
        review_stages.delete,
        "delete_review_stage",
        DELETE,
        "Delete a review stage that no document waits for.",
    ),
    rest_tool(
        review_stages.list_reviewers,
        "list_reviewers",
        READ,
        "Return the members of the team, who can review.",
    ),
    rest_tool(
        reviews.assign,
        "assign_reviewer",
        SET,
        "Assign a document and its review stage to a member of the team.",
        CHANGED,
    ),
    approve_document,
    reject_document,
    reset_review,
)
