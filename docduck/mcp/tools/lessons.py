"""What a parser has learned."""

from __future__ import annotations

from docduck.api.routers import lessons
from docduck.mcp.tool import DELETE, READ, rest_tool
from docduck.mcp.views import QUOTED

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
)
