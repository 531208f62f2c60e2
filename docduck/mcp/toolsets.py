"""Which tools a client is told of: ``/mcp?toolsets=core,admin``, or the header ``X-MCP-Toolsets``.

A set is no limit: what a client may call is said by its scopes and by its user's role.
"""

from __future__ import annotations

from collections.abc import Collection

from starlette.requests import Request

from docduck.errors import InputError
from docduck.mcp.tools import DEFAULT_TOOLSETS, TOOLSETS

HEADER = "X-MCP-Toolsets"
ALL = "all"


def chosen_tools(request: Request) -> Collection[str]:
    """Return the names of the tools that a request chooses; raise InputError for a set that doesn't exist."""
    text = request.query_params.get("toolsets", request.headers.get(HEADER, ""))
    names = [name.strip().lower() for name in text.split(",") if name.strip()] or DEFAULT_TOOLSETS
    if unknown := [name for name in names if name not in (*TOOLSETS, ALL)]:
        raise InputError(f"There is no toolset '{unknown[0][:100]}'. Toolsets: {', '.join([*TOOLSETS, ALL])}")
    chosen = TOOLSETS if ALL in names else names
    return frozenset(tool for name in chosen for tool in TOOLSETS[name])
