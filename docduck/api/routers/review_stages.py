"""Review stages of a parser, and the team's reviewers."""

from __future__ import annotations

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import ParserId, StageId
from docduck.api.response.openapi import error_responses
from docduck.api.route import ResourceRouter
from docduck.api.schemas.base import Done
from docduck.api.schemas.reviews import (
    ReviewerList,
    StageList,
)
from docduck.service.reviews.review_stages import StageSetup, get_stage, list_stages, reviewers
from docduck.service.reviews.stage_changes import create_stage, delete_stage, update_stage
from docduck.service.schemas.review_stages import NewStage, StageUpdate

router = ResourceRouter("/parsers/{parserId}", "Reviews", read="reviews:read", write="reviews:write")


@router.get("/review-stages", summary="List review stages", operation_id="review_stages.list")
def list_(parserId: ParserId, call: CurrentCall) -> StageList:
    """Return the parser's review stages by position."""
    return StageList.of_all(list_stages(*call.team, parserId))


@router.post(
    "/review-stages", summary="Create a review stage", operation_id="review_stages.create", status_code=201
)
def create(parserId: ParserId, body: NewStage, call: CurrentCall) -> StageSetup:
    """Create a review stage, by default mandatory and the last one; those from its position on move on."""
    return create_stage(*call.team, parserId, body.sent_values(), call.actor)


@router.get("/review-stages/{stageId}", summary="Get a review stage", operation_id="review_stages.get")
def get(parserId: ParserId, stageId: StageId, call: CurrentCall) -> StageSetup:
    """Return a review stage."""
    return get_stage(*call.team, parserId, stageId)


@router.patch(
    "/review-stages/{stageId}",
    summary="Change a review stage",
    operation_id="review_stages.update",
    responses=error_responses(409),
)
def update(parserId: ParserId, stageId: StageId, body: StageUpdate, call: CurrentCall) -> StageSetup:
    """Change a review stage; documents that are at it keep their assignee."""
    return update_stage(*call.team, parserId, stageId, body.sent_values(), call.actor)


@router.delete(
    "/review-stages/{stageId}",
    summary="Delete a review stage",
    operation_id="review_stages.delete",
    responses=error_responses(409),
)
def delete(parserId: ParserId, stageId: StageId, call: CurrentCall) -> Done:
    """Delete a review stage that no document waits for; documents processed later don't get it."""
    return Done(success=True, id=delete_stage(*call.team, parserId, stageId, call.actor))


@router.get("/reviewers", summary="List reviewers", operation_id="review_stages.reviewers")
def list_reviewers(parserId: ParserId, call: CurrentCall) -> ReviewerList:
    """Return the members of the team, by name."""
    return ReviewerList.of_all(reviewers(*call.team, parserId))
