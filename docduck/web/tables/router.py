"""The pages of published tables: the list of them, the rows of one with filters and facets, and files."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from docduck.api.request.lanes import Queries
from docduck.errors import InputError, NotFound
from docduck.exports.formats import ResultFormat
from docduck.service.core.pages import Page
from docduck.service.outputs.team_queries import (
    count_team_rows,
    query_team_fully,
    query_team_together,
    team_tables,
)
from docduck.service.parsers.parsers import list_parsers
from docduck.web.member import Analyst, Visit
from docduck.web.page import page_link, with_query
from docduck.web.page_route import PageRouter
from docduck.web.result_download import download
from docduck.web.tables import statements
from docduck.web.tables.choice import Choice, choice_of, controls_of, kept_pairs
from docduck.web.tables.facets import facet_of
from docduck.web.tables.shown_table import ShownTable, shown_table

router = PageRouter("/tables")


@router.get("")
def show_tables(at: Analyst) -> Response:
    """Return the list of the team's tables, by parser."""
    tables = team_tables(*at.team)
    return at.page(
        "tables/list.html.j2",
        parsers=[parser for parser in list_parsers(*at.team) if parser.slug in tables],
        tables=tables,
        counts=count_team_rows(*at.team),
    )


@router.get("/{schema}/{name}")
async def show_table(schema: str, name: str, request: Request, at: Analyst, lane: Queries) -> Response:
    """Return a page of a table's rows, as its filters, order and facets are chosen."""
    table = await run_in_threadpool(_find, at, schema, name)
    choice, error = _chosen(table, request.query_params.multi_items() or _usual(table))
    return await lane.run(at.user.team_id, lambda: _page(at, table, choice, error))


@router.get("/{schema}/{name}/file")
async def download_table(
    schema: str,
    name: str,
    request: Request,
    at: Analyst,
    lane: Queries,
    format_: Annotated[ResultFormat, Query(alias="format")] = ResultFormat.CSV,
) -> Response:
    """Return all chosen rows of a table as a file."""
    table = await run_in_threadpool(_find, at, schema, name)
    sql = statements.select(table, choice_of(table, request.query_params.multi_items()))
    return await lane.run(
        at.user.team_id, lambda: download(query_team_fully(*at.team, sql), format_, f"{schema}-{name}")
    )


def _find(at: Visit, schema: str, name: str) -> ShownTable:
    for table in team_tables(*at.team).get(schema, ()):
        if table.name == name:
            return shown_table(schema, table)
    raise NotFound(f"There is no table {schema}.{name}", "table", f"{schema}.{name}")


def _chosen(table: ShownTable, pairs: list[tuple[str, str]]) -> tuple[Choice, InputError | None]:
    """Return what is chosen without what can't be, and what is wrong with that."""
    try:
        return choice_of(table, pairs), None
    except InputError as error:
        place = error.path
        valid = [
            (key, value)
            for key, value in pairs
            if place not in (key, key.partition(".")[2], value.removeprefix("-"))
        ]
        if not place or valid == pairs:
            raise
        return _chosen(table, valid)[0], InputError(error.message)


def _usual(table: ShownTable) -> list[tuple[str, str]]:
    """Return what is chosen without a query: a facet of the status, where there is one."""
    return [("facet", column.name) for column in table.columns if column.name == "status"]


def _page(at: Visit, table: ShownTable, choice: Choice, error: InputError | None) -> Response:
    faceted = [table.column(name) for name in choice.facets]
    rows, counts, *facets = query_team_together(
        *at.team,
        [
            statements.select(table, choice, statements.PAGE_ROWS),
            statements.count(table, choice),
            *(statements.facet(table, choice, column) for column in faceted),
        ],
    )
    chosen, total = (int(text or 0) for text in counts.rows[0])
    columns = table.shown(choice.all_columns)
    places = [rows.columns.index(column.name) for column in columns]
    document = rows.columns.index("document_id")
    path = f"/tables/{table.schema}/{table.name}"

    def link(other: Choice) -> str:
        return with_query(path, other.query())

    return at.page(
        "tables/table.html.j2",
        error=error,
        table=table,
        choice=choice,
        columns=columns,
        rows=[(row[document], [row[place] for place in places]) for row in rows.rows],
        first=(choice.page - 1) * statements.PAGE_ROWS + 1,
        chosen=chosen,
        total=total,
        listed=Page((), choice.page, statements.PAGE_ROWS, chosen),
        facets=[facet_of(column, result, choice) for column, result in zip(faceted, facets, strict=True)],
        unset=replace(choice, filters=(), page=1),
        controls_of=controls_of,
        kept_pairs=kept_pairs(choice, columns),
        link=link,
        page_link=lambda page: link(choice.at(page)),
        all_columns=replace(choice, all_columns=not choice.all_columns),
        sql_link=page_link("/query", sql=statements.select(table, choice)),
        file_link=lambda kind: f"{path}/file?format={kind}&{replace(choice, page=1).query()}".rstrip("&"),
        formats=list(ResultFormat),
        path=path,
    )
