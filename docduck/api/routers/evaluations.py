"""Evaluations of a parser on documents whose values are known."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

from fastapi import Body

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.lane import Lane
from docduck.api.request.lanes import Evaluations
from docduck.api.request.params import ParserId
from docduck.api.response.openapi import error_responses
from docduck.api.route import ResourceRouter
from docduck.api.schemas.evaluations import EvaluatedParser, NewEvaluation
from docduck.service.previews.parser_evaluation import evaluate_parser

router = ResourceRouter("/parsers/{parserId}", "Parsers", read="documents:read")


@router.post(
    "/evaluations",
    summary="Evaluate a parser",
    operation_id="parsers.evaluate",
    responses=error_responses(503),
)
async def create(
    parserId: ParserId,
    call: CurrentCall,
    lane: Evaluations,
    body: Annotated[NewEvaluation | None, Body()] = None,
) -> EvaluatedParser:
    """Read documents with known values again, and return the accuracy before and now; nothing is changed.

    Known are all values of approved documents, those that people corrected or confirmed in others, and those
    given as `truth`. If `remainingDocuments` has ids, there was no time for them: evaluate them by another
    request.
    """
    return await evaluated(call, lane, parserId, body or NewEvaluation())


async def evaluated(
    call: Call,
    lane: Lane,
    parser_id: str,
    body: NewEvaluation,
    on_progress: Callable[[int, int], None] = lambda read, count: None,
) -> EvaluatedParser:
    """Evaluate a parser in turn; raise its errors."""
    truth = None if body.truth is None else {each.document_id: each.data for each in body.truth}
    work = partial(evaluate_parser, *call.team, parser_id, body.document_ids, truth, body.basis, on_progress)
    return EvaluatedParser.of_evaluation(await lane.run(call.team_id, work))
