"""The page Query: SQL over the team's published tables, results, charts, files and saved queries."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.request.lanes import Queries
from docduck.errors import InputError
from docduck.exports.formats import ResultFormat
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.outputs import saved_queries
from docduck.service.outputs.team_queries import query_team, query_team_fully, team_tables
from docduck.warehouse.query_order import TeamResult
from docduck.web.analyst import Analyst
from docduck.web.page import page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.query.chart import HEIGHT, WIDTH, ChartChoice, axes_of, chart_of
from docduck.web.query.error_place import line_of
from docduck.web.query.sql_names import listed
from docduck.web.result_download import download
from docduck.web.visit import CurrentUser, Form, UserForm, form_value

router = APIRouter(prefix="/query", include_in_schema=False, route_class=PageRoute)

LONGEST_LINK = 4000
"""Most characters of a query that an address holds."""


@router.get("")
async def show(
    request: Request,
    inst: Inst,
    signed_in: CurrentUser,
    user: Analyst,
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
        chosen = await run_in_threadpool(saved_queries.get_saved_query, inst, user.team_id, saved)
        sql, name = chosen.sql, chosen.name
    choice = ChartChoice(kind, x, y)
    if not sql or request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return await run_in_threadpool(_page, inst, signed_in, user, sql, name, choice)
    return await _run(inst, signed_in, user, lane, sql, name, choice)


@router.post("")
async def run(form: UserForm, inst: Inst, signed_in: CurrentUser, user: Analyst, lane: Queries) -> Response:
    """Lead to the address of a query, which has its result; return the result of one that is too long."""
    sql, name, choice = _query(form)
    if 0 < len(sql) <= LONGEST_LINK:
        return RedirectResponse(_address(choice, sql=sql, name=name), 303)
    return await _run(inst, signed_in, user, lane, sql, name, choice)


@router.post("/file")
async def download_result(
    form: UserForm, inst: Inst, signed_in: CurrentUser, user: Analyst, lane: Queries
) -> Response:
    """Return the whole result of a query as a file."""
    sql, name, choice = _query(form)
    wanted = form_value(form, "format")
    try:
        if wanted not in list(ResultFormat):
            raise InputError(f"Choose one of the formats {', '.join(ResultFormat)}")
        return await lane.run(
            user.team_id,
            lambda: download(
                query_team_fully(inst, user.team_id, sql), ResultFormat(wanted), name or "query"
            ),
        )
    except InputError as error:
        return await run_in_threadpool(_page, inst, signed_in, user, sql, name, choice, error=error)


@router.post("/saved")
def save(form: UserForm, inst: Inst, signed_in: CurrentUser, user: Analyst) -> Response:
    """Save a query under a name, in place of the one that has it."""
    sql, name, choice = _query(form)
    try:
        saved = saved_queries.save_query(inst, user.team_id, name, sql, user.actor)
    except InputError as error:
        return _page(inst, signed_in, user, sql, name, choice, error=error)
    return RedirectResponse(_address(choice, saved=saved.id), 303)


@router.post("/saved/{query_id}/delete")
def delete(query_id: str, form: UserForm, inst: Inst, signed_in: CurrentUser, user: Analyst) -> Response:
    """Delete a saved query; the one in the editor stays."""
    saved_queries.delete_saved_query(inst, user.team_id, query_id, user.actor)
    return _page(inst, signed_in, user, *_query(form))


async def _run(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    lane: Queries,
    sql: str,
    name: str,
    choice: ChartChoice,
) -> Response:
    try:
        result = await lane.run(user.team_id, lambda: query_team(inst, user.team_id, sql))
    except InputError as error:
        return await run_in_threadpool(_page, inst, signed_in, user, sql, name, choice, error=error)
    return await run_in_threadpool(_page, inst, signed_in, user, sql, name, choice, result=result)


def _page(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    sql: str,
    name: str,
    choice: ChartChoice,
    *,
    result: TeamResult | None = None,
    error: InputError | None = None,
) -> Response:
    return page(
        "query/query.html.j2",
        signed_in,
        sql=sql,
        name=name,
        result=result,
        error=InputError(error.message, error.path or "sql") if error else None,
        error_line=line_of(error.message) if error else None,
        chart=chart_of(result, choice) if result else None,
        chart_size=(WIDTH, HEIGHT),
        axes=axes_of(result, choice) if result else None,
        link=_address(choice, sql=sql) if 0 < len(sql) <= LONGEST_LINK else None,
        formats=list(ResultFormat),
        saved=saved_queries.list_saved_queries(inst, user.team_id),
        tables=listed(team_tables(inst, user.team_id)),
    )


def _address(choice: ChartChoice, **values: str) -> str:
    return page_link("/query", **values, kind=choice.kind, x=choice.x, y=choice.y)


def _query(form: Form) -> tuple[str, str, ChartChoice]:
    """Return the query of a form, whose lines browsers end with CR and LF, its name and its chart."""
    choice = ChartChoice(*(form_value(form, name)[:255] for name in ("kind", "x", "y")))
    return form_value(form, "sql"), form_value(form, "name"), choice
