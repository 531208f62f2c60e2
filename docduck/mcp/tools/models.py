"""The language models that can be named in settings."""

from __future__ import annotations

from docduck.api.routers import models
from docduck.mcp.tool import READ, rest_tool

TOOLS = (
    rest_tool(
        models.list_,
        "list_models",
        READ,
        "Return the language models that parsers and classifiers can name in their settings.",
    ),
)
