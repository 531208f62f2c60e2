"""Evaluations of a parser on its known-good documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Body

from docduck.api.request.current_caller import CurrentCaller, Inst
from docduck.api.request.lane import Lane
from docduck.api.request.lanes import Evaluations
from docduck.api.request.params import ParserId
from docduck.api.response.openapi_responses import error_responses
from docduck.api.route import GuardedRoute, needs
from docduck.api.schemas.evaluations import EvaluatedParser, NewEvaluation
from docduck.errors import InputError
from docduck.service.accounts.caller import Caller
from docduck.service.core.installation import Installation
from docduck.service.previews.parser_evaluation import MAX_DOCUMENTS, evaluate_parser

router = APIRouter(prefix="/parsers/{parserId}", tags=["Parsers"], route_class=GuardedRoute)


@router.post(
    "/evaluations",
    summary="Evaluate a parser",
    operation_id="parsers.evaluate",
    openapi_extra=needs("documents:read"),
    responses=error_responses(503),
)
async def create(
    parserId: ParserId,
    inst: Inst,
    caller: CurrentCaller,
    lane: Evaluations,
    body: Annotated[NewEvaluation | None, Body()] = None,
) -> EvaluatedParser:
    """Read known-good documents again, and return the accuracy before and now; nothing is changed.

    They are the newest approved and corrected ones, unless `documentIds` names them. If `remainingDocuments`
    has ids, there was no time for them: evaluate them by another request.
    """
    return await evaluated(inst, caller, lane, parserId, (body or NewEvaluation()).document_ids)


async def evaluated(
    inst: Installation,
    caller: Caller,
    lane: Lane,
    parser_id: str,
    document_ids: Sequence[str] | None,
    on_progress: Callable[[int, int], None] = lambda read, count: None,
) -> EvaluatedParser:
    """Evaluate a parser in turn; raise InputError for too many documents, and its other errors."""
    most = MAX_DOCUMENTS
    if document_ids is not None and len(document_ids) > most:
        raise InputError(f"documentIds must have at most {most} items", "documentIds")
    work = partial(evaluate_parser, inst, caller.team_id, parser_id, document_ids, on_progress)
    return EvaluatedParser.of_evaluation(await lane.run(caller.team_id, work))
