"""What the team uses."""

from __future__ import annotations

from docduck.api.routers import usage
from docduck.mcp.tool import READ, rest_tool
from docduck.mcp.views import USAGE

TOOLS = (
    rest_tool(
        usage.get,
        "get_usage",
        READ,
        "Return the team's documents and pages by parser, and its use of language models, in each of "
        "the last twelve months.",
        USAGE,
    ),
)
