"""The tools, in the order of their use, and the sets that a client can choose."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from starlette.requests import Request

from docduck.errors import InputError
from docduck.mcp.tool import Tool
from docduck.mcp.tools import (
    accuracy,
    classifiers,
    documents,
    exports,
    fields,
    folders,
    models,
    pages,
    parsers,
    processing,
    query,
    review_queue,
    reviews,
    settings,
    setup,
    team,
    usage,
    webhooks,
)

_MODULES = (
    team,
    parsers,
    setup,
    fields,
    processing,
    documents,
    pages,
    review_queue,
    accuracy,
    reviews,
    exports,
    query,
    folders,
    classifiers,
    models,
    webhooks,
    usage,
)

_OF_MODULES = [tool for module in _MODULES for tool in module.TOOLS]

TOOLS: Sequence[Tool] = (*_OF_MODULES, settings.describe_settings(_OF_MODULES))

_CORE = frozenset(
    {
        *("get_team", "list_parsers", "get_parser", "create_parser", "setup_parser", "update_parser"),
        *("suggest_fields", "set_fields", "delete_field", "describe_settings"),
        *("process_file", "process_urls", "create_upload_url", "wait_for_document", "get_document"),
        *("list_documents", "search_documents", "get_document_text", "get_page_image", "query"),
        *("update_document_data", "confirm_document", "reprocess_document", "delete_documents"),
        *("evaluate_parser", "export_documents"),
    }
)
_REVIEW = frozenset(
    {
        *("review_queue", "list_review_stages", "list_reviewers", "assign_reviewer"),
        *("approve_document", "reject_document", "reset_review", "explain_value"),
    }
)

TOOLSETS: Mapping[str, frozenset[str]] = {
    "core": _CORE,
    "review": _REVIEW,
    "admin": frozenset(tool.name for tool in TOOLS) - _CORE - _REVIEW,
}
"""Names of tools by set; those that are in no other are for admins."""

DEFAULT_TOOLSETS = ("core", "review")

TOOLSETS_HEADER = "X-MCP-Toolsets"
_ALL = "all"


def chosen_tools(request: Request) -> Collection[str]:
    """Return the names of the tools that a request chooses; raise InputError for a set that doesn't exist.

    It does so by ``/mcp?toolsets=core,admin``, or by a header. A set is no limit: what a client may call is
    said by its scopes and by its user's role.
    """
    text = request.query_params.get("toolsets", request.headers.get(TOOLSETS_HEADER, ""))
    names = [name.strip().lower() for name in text.split(",") if name.strip()] or DEFAULT_TOOLSETS
    if unknown := [name for name in names if name not in (*TOOLSETS, _ALL)]:
        known = ", ".join([*TOOLSETS, _ALL])
        raise InputError(f"There is no toolset '{unknown[0][:100]}'. Toolsets: {known}")
    chosen = TOOLSETS if _ALL in names else names
    return frozenset(tool for name in chosen for tool in TOOLSETS[name])
