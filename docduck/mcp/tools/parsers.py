"""Parsers: what is read from documents, and how."""

from __future__ import annotations

from docduck.api.routers import parsers
from docduck.mcp.tool import ADD, READ, SET, RestTools

_rest = RestTools(parsers.router)

TOOLS = (
    _rest.tool(
        parsers.list_, "list_parsers", READ, "Return a page of the team's parsers, without their fields."
    ),
    _rest.tool(
        parsers.get, "get_parser", READ, "Return a parser with its settings, fields and review stages."
    ),
    _rest.tool(
        parsers.create,
        "create_parser",
        ADD,
        'Create a parser, with fields of its own or from a template. Example: {"name": "Bills", '
        '"fields": [{"name": "Total", "type": "currency"}]}, or {"name": "Bills", "templateKey": '
        '"invoice"}.',
    ),
    _rest.tool(
        parsers.update,
        "update_parser",
        SET,
        "Change the properties and settings that are given; objects are merged, arrays are replaced. "
        "Fields have tools of their own.",
    ),
    _rest.tool(
        parsers.duplicate,
        "duplicate_parser",
        ADD,
        "Copy a parser's settings, fields and review stages; its documents are not copied.",
    ),
)
