"""Resources, which users attach to a conversation: the team's tables as CSV, and its documents as JSON.

What was read from documents is data from outside, which is said in ``_meta``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from starlette.requests import Request

from docduck.api.request.current_caller import caller_of, installation_of
from docduck.api.request.lane import Lane
from docduck.api.request.lanes import lane_of
from docduck.api.response.responses import request_id, response_for
from docduck.api.route import require
from docduck.errors import NotFound
from docduck.exports.csv_file import csv_text
from docduck.service.accounts.permissions import Permission
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import show_document
from docduck.service.outputs.team_queries import query_team, team_tables
from docduck.warehouse.names import quoted

_Context = ServerRequestContext[Any, Request]

MOST_ROWS, _MOST_CHARACTERS = 200, 100_000
"""Of a table."""
PAGE = 100
UNTRUSTED, CUT = "docduck/untrusted", "docduck/cut"
"""Keys of ``_meta``: whether the text is from outside, and whether there are more rows than it has."""

_TABLE = re.compile(r"docduck://tables/([a-z0-9_-]{1,63})/([a-z0-9_]{1,63})")
_DOCUMENT = re.compile(r"docduck://documents/([0-9A-Fa-f-]{36})")
_CSV, _JSON = "text/csv", "application/json"

_TEMPLATES = types.ListResourceTemplatesResult(
    resource_templates=[
        types.ResourceTemplate(
            uri_template="docduck://documents/{documentId}",
            name="document",
            title="Document",
            description="The values that were read from a document, by field",
            mime_type=_JSON,
        ),
        types.ResourceTemplate(
            uri_template="docduck://tables/{schema}/{table}",
            name="table",
            title="Table",
            description=f"The first {MOST_ROWS} rows of a table of a parser; the schema is the parser's slug",
            mime_type=_CSV,
        ),
    ]
)


class Resources:
    """Lists and reads resources, in turns of ``lane``."""

    def __init__(self, lane: Lane) -> None:
        self._lane = lane

    @staticmethod
    def permission(uri: object) -> str | None:
        """Return the permission to read a resource; None if there can be none of this URI."""
        if not isinstance(uri, str):
            return None
        if _TABLE.fullmatch(uri):
            return Permission.EXPORTS_READ
        return Permission.DOCUMENTS_READ if _DOCUMENT.fullmatch(uri) else None

    async def list(
        self, context: _Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Return a page of the team's tables; none without the permission, as clients list unasked."""
        request = _request(context)
        caller, inst = caller_of(request), installation_of(request)
        if Permission.EXPORTS_READ not in caller.permissions:
            return types.ListResourcesResult(resources=[])
        begin = _begin(params)
        try:
            tables = await self._lane.run(caller.team_id, lambda: team_tables(inst, caller.team_id))
        except Exception as error:
            raise _problem(error, request) from error
        listed = [
            types.Resource(
                uri=f"docduck://tables/{schema}/{table.name}",
                name=f"{schema}.{table.name}",
                description=f"Columns: {', '.join(name for name, _ in table.columns)}"[:500],
                mime_type=_CSV,
            )
            for schema, tables_of in sorted(tables.items())
            for table in tables_of
        ]
        end = begin + PAGE
        return types.ListResourcesResult(
            resources=listed[begin:end], next_cursor=str(end) if end < len(listed) else None
        )

    async def templates(
        self, context: _Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Return what resources' URIs look like."""
        return _TEMPLATES

    async def read(
        self, context: _Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Return a table or a document; raise MCPError."""
        request = _request(context)
        try:
            kind, text, is_cut = await self._text(request, params.uri)
        except Exception as error:
            raise _problem(error, request) from error
        content = types.TextResourceContents(
            uri=params.uri, mime_type=kind, text=text, _meta={UNTRUSTED: True, CUT: is_cut}
        )
        return types.ReadResourceResult(contents=[content])

    async def _text(self, request: Request, uri: str) -> tuple[str, str, bool]:
        """Return the type and text of a resource, and whether there are more rows; raise NotFound."""
        caller, inst = caller_of(request), installation_of(request)
        permission = self.permission(uri)
        if permission is None:
            raise NotFound(f"There is no resource {uri[:200]}", "uri", uri[:200])
        require(caller, permission)
        work: Callable[[], tuple[str, str, bool]]
        if table := _TABLE.fullmatch(uri):
            schema, name = table.groups()
            work, lane = lambda: _table(inst, caller.team_id, schema, name), lane_of(request, "queries")
        else:
            document_id = uri.rpartition("/")[2]
            work, lane = lambda: _document(inst, caller.team_id, document_id), self._lane
        return await lane.run(caller.team_id, work)


def _table(inst: Installation, team_id: str, schema: str, name: str) -> tuple[str, str, bool]:
    if name not in {table.name for table in team_tables(inst, team_id).get(schema, ())}:
        raise NotFound(f"There is no table {schema}.{name}", "table", f"{schema}.{name}")
    sql = f"FROM {quoted(schema, name)} LIMIT {MOST_ROWS + 1}"
    result = query_team(inst, team_id, sql, MOST_ROWS, _MOST_CHARACTERS)
    return _CSV, csv_text(result.columns, result.rows), result.more


def _document(inst: Installation, team_id: str, document_id: str) -> tuple[str, str, bool]:
    view = show_document(inst, team_id, None, document_id)
    rows = [value for value in view.data.values() if isinstance(value, list)]
    content = {
        "id": view.id,
        "name": view.name,
        "parserId": view.parser_id,
        "status": view.status,
        "externalId": view.external_id,
        "data": {
            name: value[:MOST_ROWS] if isinstance(value, list) else value for name, value in view.data.items()
        },
    }
    return _JSON, json.dumps(content, ensure_ascii=False), any(len(table) > MOST_ROWS for table in rows)


def _begin(params: types.PaginatedRequestParams | None) -> int:
    """Return where a page begins; raise MCPError for a cursor that was not returned before."""
    cursor = params.cursor if params is not None and params.cursor is not None else "0"
    if not re.fullmatch("[0-9]{1,9}", cursor):
        raise MCPError(types.INVALID_PARAMS, "cursor is none of this server's")
    return int(cursor)


def _request(context: _Context) -> Request:
    request = context.request
    assert request is not None
    return request


def _problem(error: Exception, request: Request) -> MCPError:
    """Return ``error`` with the REST API's message; defects are logged, not shown."""
    response = response_for(error, request_id(request))
    code = types.INTERNAL_ERROR if response.status_code >= 500 else types.INVALID_PARAMS
    return MCPError(code, str(json.loads(bytes(response.body))["message"]))
