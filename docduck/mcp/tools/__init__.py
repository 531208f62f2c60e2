"""The tools, in the order of their use."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.mcp.tool import Tool
from docduck.mcp.tools import (
    classifiers,
    documents,
    evaluation,
    exports,
    fields,
    folders,
    lessons,
    pages,
    parsers,
    processing,
    query,
    reviews,
    team,
    usage,
    webhooks,
)

_MODULES = (
    team,
    parsers,
    fields,
    processing,
    documents,
    pages,
    lessons,
    evaluation,
    reviews,
    exports,
    query,
    folders,
    classifiers,
    webhooks,
    usage,
)

TOOLS: Sequence[Tool] = tuple(tool for module in _MODULES for tool in module.TOOLS)
