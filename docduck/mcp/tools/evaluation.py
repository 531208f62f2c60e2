"""The accuracy of a parser on documents whose values are known."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from docduck.api.request.current_caller import CurrentCaller, Inst
from docduck.api.request.lanes import Evaluations
from docduck.api.request.params import ParserId
from docduck.api.routers.evaluations import evaluated
from docduck.api.schemas.evaluations import EvaluatedParser
from docduck.mcp.dependencies import Progress, from_threads
from docduck.mcp.tool import READ, tool
from docduck.mcp.views import QUOTED
from docduck.service.core.property_types import Uuid


@tool("evaluate_parser", "Evaluate a parser", "documents:read", READ, QUOTED)
async def evaluate_parser(
    parserId: ParserId,
    inst: Inst,
    caller: CurrentCaller,
    lane: Evaluations,
    progress: Progress,
    documentIds: Annotated[list[Uuid] | None, Query(min_length=1)] = None,
) -> EvaluatedParser:
    """Read approved and corrected documents of a parser again with its present fields, and return the
    accuracy of each field: before (as they were read at first) and now. Nothing is changed. If
    remainingDocuments has ids, call it again with them as documentIds.
    """
    report = from_threads(progress)
    return await evaluated(
        inst,
        caller,
        lane,
        parserId,
        documentIds,
        lambda read, count: report(read, count, f"{read} of {count} documents are read"),
    )


TOOLS = (evaluate_parser,)
