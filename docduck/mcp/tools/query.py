"""SQL over the team's published tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import Query
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.lanes import Queries
from docduck.api.schemas.base import ResponseModel, omitted_if_none
from docduck.errors import InputError
from docduck.mcp.tool import READ, tool
from docduck.mcp.views import QUOTED
from docduck.service.core.installation import Installation
from docduck.service.outputs.team_queries import query_team, team_tables
from docduck.warehouse.names import quoted
from docduck.warehouse.query_order import TeamResult, UnknownName

_MOST_CHARACTERS = 16_000
"""Of the rows of a result, or of the columns that are listed."""
_LISTED_CHARACTERS = 4000
"""Of the tables that an error lists."""


class PublishedTable(ResponseModel):
    """A table, with the SQL types of its columns."""

    table: str = Field(examples=["invoices.documents"])
    columns: dict[str, str] | None = omitted_if_none("Left out where the list is long: DESCRIBE the table")


class QueryResult(ResponseModel):
    """The first rows of a query, or the tables."""

    tables: list[PublishedTable] | None = omitted_if_none()
    columns: list[str] | None = omitted_if_none()
    types: list[str] | None = omitted_if_none()
    rows: list[list[str | None]] | None = omitted_if_none("Values as text, cut to 500 characters")
    has_more_rows: bool = False


@tool("query", "Query the tables", "exports:read", READ, QUOTED)
async def query(
    call: CurrentCall,
    lane: Queries,
    sql: Annotated[str | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> QueryResult:
    """Run one SELECT (DuckDB) over the tables of all parsers and return its first rows; without sql, return
    the tables and their columns. Tables are published some time after a change. Example: {"sql": "SELECT
    sum(total) FROM invoices.documents"}.
    """
    team_id = call.team_id
    if sql is None:
        return QueryResult(tables=await run_in_threadpool(lambda: list(_tables(call.inst, team_id))))
    result = await lane.run(team_id, lambda: _result(call.inst, team_id, sql, limit))
    return QueryResult(
        columns=list(result.columns),
        types=list(result.types),
        rows=[list(row) for row in result.rows],
        has_more_rows=result.more,
    )


def _result(inst: Installation, team_id: str, sql: str, rows: int) -> TeamResult:
    """Return the first rows; raise InputError, which lists the tables if a name is unknown, and Transient."""
    try:
        result = query_team(inst, team_id, sql, rows, _MOST_CHARACTERS)
    except UnknownName as error:
        texts = (
            f"{table.table}({', '.join(map(quoted, table.columns or ()))})"
            for table in _tables(inst, team_id)
        )
        listed = "; ".join(texts) or "none"
        cut = f"{listed[:_LISTED_CHARACTERS]}…" if len(listed) > _LISTED_CHARACTERS else listed
        raise InputError(f"{error.message}\nTables: {cut}", "sql") from error
    if result.more and not result.rows:
        raise InputError(f"A row has more than {_MOST_CHARACTERS:,} characters. Select fewer columns", "sql")
    return result


def _tables(inst: Installation, team_id: str) -> Iterator[PublishedTable]:
    left = _MOST_CHARACTERS
    for schema, tables in team_tables(inst, team_id).items():
        for table in tables:
            left -= sum(len(name) + len(kind) for name, kind in table.columns)
            yield PublishedTable(
                table=quoted(schema, table.name), columns=dict(table.columns) if left >= 0 else None
            )


TOOLS = (query,)
