"""The page Query: SQL over the team's published tables, results, charts, files and saved queries."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from fastapi import Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from docduck.api.request.lanes import Queries
from docduck.errors import InputError
from docduck.exports.formats import ResultFormat
from docduck.service.outputs import saved_queries
from docduck.service.outputs.team_queries import query_team, query_team_fully, team_tables
from docduck.warehouse.query_order import TeamResult
from docduck.web.member import Analyst, Visit
from docduck.web.page import page_link, see_other
from docduck.web.page_route import PageRouter
from docduck.web.query.chart import HEIGHT, WIDTH, ChartChoice, axes_of, chart_of
from docduck.web.query.sql_names import sql_name
from docduck.web.rest_bodies import shown_on
from docduck.web.result_download import download
from docduck.web.tables.shown_table import shown_table
from docduck.web.visit import Form, UserForm, form_value

router = PageRouter("/query")

LONGEST_LINK = 4000
"""Most characters of a query that an address holds."""

_PLACE = re.compile(r"\(line (\d+), column \d+\)|^LINE (\d+): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Query:
    """A query, its name and its chart."""

    sql: str
    name: str
    choice: ChartChoice

    @property
    def fits_link(self) -> bool:
        return 0 < len(self.sql) <= LONGEST_LINK

    @property
    def of_chart(self) -> dict[str, str]:
        """The part of an address that has the chart."""
        return {"kind": self.choice.kind, "x": self.choice.x, "y": self.choice.y}


@router.get("")
async def show(
    request: Request,
    at: Analyst,
    lane: Queries,
    sql: Annotated[str, Query(max_length=LONGEST_LINK)] = "",
    saved: Annotated[str, Query(max_length=36)] = "",
    name: Annotated[str, Query(max_length=255)] = "",
    kind: Annotated[str, Query(max_length=10)] = "",
    x: Annotated[str, Query(max_length=255)] = "",
    y: Annotated[str, Query(max_length=255)] = "",
) -> Response:
    """Return the page, with the result of the query that its address holds or names.

    A query that a page of another site leads to is shown, and not run.
    """
    if saved:
        chosen = await run_in_threadpool(saved_queries.get_saved_query, *at.team, saved)
        sql, name = chosen.sql, chosen.name
    query = _Query(sql, name, ChartChoice(kind, x, y))
    if not sql or request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return await run_in_threadpool(_page, at, query)
    return await _run(at, lane, query)


@router.post("")
async def run(form: UserForm, at: Analyst, lane: Queries) -> Response:
    """Lead to the address of a query, which has its result; return the result of one that is too long."""
    query = _query(form)
    if query.fits_link:
        return see_other("/query", sql=query.sql, name=query.name, **query.of_chart)
    return await _run(at, lane, query)


@router.post("/file")
async def download_result(form: UserForm, at: Analyst, lane: Queries) -> Response:
    """Return the whole result of a query as a file."""
    query, format_ = _query(form), form_value(form, "format")
    with shown_on(partial(_page, at, query), apart=()):
        if format_ not in list(ResultFormat):
            raise InputError(f"Choose one of the formats {', '.join(ResultFormat)}")
        return await lane.run(
            at.user.team_id,
            lambda: download(
                query_team_fully(*at.team, query.sql), ResultFormat(format_), query.name or "query"
            ),
        )


@router.post("/saved")
def save(form: UserForm, at: Analyst) -> Response:
    """Save a query under a name, in place of the one that has it."""
    query = _query(form)
    with shown_on(partial(_page, at, query), apart=()):
        saved = saved_queries.save_query(*at.team, query.name, query.sql, at.user.actor)
    return see_other("/query", saved=saved.id, **query.of_chart)


@router.post("/saved/{query_id}/delete")
def delete(query_id: str, form: UserForm, at: Analyst) -> Response:
    """Delete a saved query; the one in the editor stays."""
    saved_queries.delete_saved_query(*at.team, query_id, at.user.actor)
    return _page(at, _query(form))


async def _run(at: Visit, lane: Queries, query: _Query) -> Response:
    with shown_on(partial(_page, at, query), apart=()):
        result = await lane.run(at.user.team_id, lambda: query_team(*at.team, query.sql))
    return await run_in_threadpool(_page, at, query, result=result)


def _page(
    at: Visit, query: _Query, error: InputError | None = None, result: TeamResult | None = None
) -> Response:
    sql = query.sql
    return at.page(
        "query/query.html.j2",
        sql=sql,
        name=query.name,
        result=result,
        error=InputError(error.message, error.path or "sql") if error else None,
        error_line=_line_of(error.message) if error else None,
        chart=chart_of(result, query.choice) if result else None,
        chart_size=(WIDTH, HEIGHT),
        axes=axes_of(result, query.choice) if result else None,
        link=page_link("/query", sql=sql, **query.of_chart) if query.fits_link else None,
        formats=list(ResultFormat),
        saved=saved_queries.list_saved_queries(*at.team),
        tables=[
            shown_table(schema, table) for schema, tables in team_tables(*at.team).items() for table in tables
        ],
        sql_name=sql_name,
    )


def _line_of(message: str) -> int | None:
    """Return the line, from 1, that a message of DuckDB or of the check names; None without one."""
    match = _PLACE.search(message)
    return int(match[1] or match[2]) if match else None


def _query(form: Form) -> _Query:
    """Return the query of a form."""
    choice = ChartChoice(*(form_value(form, name)[:255] for name in ("kind", "x", "y")))
    return _Query(form_value(form, "sql"), form_value(form, "name"), choice)
