"""What a parser has learned, and its accuracy on documents whose values are known."""

from __future__ import annotations

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.lanes import Evaluations
from docduck.api.request.params import ParserId
from docduck.api.routers import lessons
from docduck.api.routers.evaluations import evaluated
from docduck.api.schemas.evaluations import EvaluatedParser, NewEvaluation
from docduck.mcp.dependencies import Progress, from_threads
from docduck.mcp.tool import DELETE, READ, rest_tool, tool
from docduck.mcp.views import EVALUATED, QUOTED


@tool("evaluate_parser", "Evaluate a parser", "documents:read", READ, EVALUATED)
async def evaluate_parser(
    parserId: ParserId,
    call: CurrentCall,
    lane: Evaluations,
    progress: Progress,
    body: NewEvaluation | None = None,
) -> EvaluatedParser:
    """Read documents with known values again with the present fields; return the accuracy of each field, as
    read at first and now, and the wrong cells. Known: what people corrected, confirmed or approved, or truth:
    [{"documentId": "…", "data": {"Total": 119.0}}]. Evaluate remainingDocuments next.
    """
    report = from_threads(progress)
    return await evaluated(
        call,
        lane,
        parserId,
        body or NewEvaluation(),
        lambda read, count: report(read, count, f"{read} of {count} documents are read"),
    )


TOOLS = (
    rest_tool(
        lessons.list_,
        "list_lessons",
        READ,
        "Return what a parser learned from corrected and approved documents, newest first.",
        QUOTED,
    ),
    rest_tool(
        lessons.remove,
        "remove_lesson",
        DELETE,
        "Forget a lesson, such as one of a wrong correction. Documents keep their values; reprocess those "
        "that were read by it.",
    ),
    evaluate_parser,
)
