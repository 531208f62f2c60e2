"""What a parser has learned."""

from __future__ import annotations

from docduck.api.routers import lessons
from docduck.mcp.tool import DELETE, READ, RestTools

_rest = RestTools(lessons.router)

TOOLS = (
    _rest.tool(
        lessons.list_,
        "list_lessons",
        READ,
        "Return what a parser has learned of its fields from corrected and approved documents, newest first.",
    ),
    _rest.tool(
        lessons.remove,
        "remove_lesson",
        DELETE,
        "Forget one lesson of a parser, such as one of a wrong correction. Documents keep their values; "
        "reprocess those that were read by it.",
    ),
)
