"""Parsers: what is read from documents, and how."""

from __future__ import annotations

from docduck.api.routers import parsers
from docduck.mcp.tool import ADD, READ, SET, Settings, rest_tool
from docduck.mcp.views import PARSER, PARSERS

TOOLS = (
    rest_tool(parsers.list_, "list_parsers", READ, "Return the team's parsers, without fields.", PARSERS),
    rest_tool(
        parsers.get,
        "get_parser",
        READ,
        "Return a parser: its fields, review stages, and settings that are not the default.",
        PARSER,
    ),
    rest_tool(
        parsers.create,
        "create_parser",
        ADD,
        'Create a parser. Example: {"name": "Bills", "fields": [{"name": "Total", "type": "currency"}]}; '
        'or with "templateKey": "invoice", receipt, purchase_order, bank_statement …',
        PARSER,
        Settings("parser", ("name", "templateKey", "fields")),
    ),
    rest_tool(
        parsers.update,
        "update_parser",
        SET,
        "Change a parser; objects in settings are merged, arrays replaced. Fields have tools of their own.",
        PARSER,
        Settings("parser", ("name",)),
    ),
    rest_tool(
        parsers.duplicate,
        "duplicate_parser",
        ADD,
        "Copy a parser's settings, fields and review stages, without its documents.",
        PARSER,
    ),
)
