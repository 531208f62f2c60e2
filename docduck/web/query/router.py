"""The page Query: SQL over the team's published tables, results, charts, CSV files and saved queries."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.request.lanes import Queries
from docduck.api.response.file_headers import UNTRUSTED
from docduck.api.route import require
from docduck.errors import Forbidden, InputError
from docduck.exports.csv_file import csv_text
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.permissions import may_query
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.outputs import saved_queries
from docduck.service.outputs.team_queries import query_team, query_team_fully, team_tables
from docduck.warehouse.names import quoted
from docduck.warehouse.query_order import TeamResult
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.query.chart import HEIGHT, WIDTH, chart_of
from docduck.web.visit import CurrentMember, CurrentUser, UserForm, form_value

router = APIRouter(prefix="/query", include_in_schema=False, route_class=PageRoute)

_CSV_HEADERS = {
    **UNTRUSTED,
    "Content-Disposition": 'attachment; filename="query.csv"',
    "Cache-Control": "no-store",
}


def _analyst(member: CurrentMember) -> TeamUser:
    """Return the member; raise Forbidden for reviewers, who see the documents that they review."""
    require(member, "documents:read")
    if not may_query(member.role):
        raise Forbidden
    return member


Analyst = Annotated[TeamUser, Depends(_analyst)]


@router.get("")
def show(
    inst: Inst,
    signed_in: CurrentUser,
    user: Analyst,
    saved: Annotated[str, Query(max_length=36)] = "",
) -> Response:
    """Return the page, with a saved query if one is chosen."""
    chosen = saved_queries.get_saved_query(inst, user.team_id, saved) if saved else None
    return _page(inst, signed_in, user, chosen.sql if chosen else "", name=chosen.name if chosen else "")


@router.post("")
async def run(form: UserForm, inst: Inst, signed_in: CurrentUser, user: Analyst, lane: Queries) -> Response:
    """Run a query, and return the page with its result, or with what is wrong."""
    sql, name = _sql(form), form_value(form, "name")
    try:
        result = await lane.run(user.team_id, lambda: query_team(inst, user.team_id, sql))
    except InputError as error:
        return await run_in_threadpool(_page, inst, signed_in, user, sql, name=name, error=error)
    return await run_in_threadpool(_page, inst, signed_in, user, sql, name=name, result=result)


@router.post("/csv")
async def download(
    form: UserForm, inst: Inst, signed_in: CurrentUser, user: Analyst, lane: Queries
) -> Response:
    """Return the whole result of a query as a CSV file."""
    sql = _sql(form)
    try:
        content = await lane.run(user.team_id, lambda: _csv(query_team_fully(inst, user.team_id, sql)))
    except InputError as error:
        return await run_in_threadpool(
            _page, inst, signed_in, user, sql, name=form_value(form, "name"), error=error
        )
    return Response(content, headers=_CSV_HEADERS, media_type="text/csv; charset=utf-8")


@router.post("/saved")
def save(form: UserForm, inst: Inst, signed_in: CurrentUser, user: Analyst) -> Response:
    """Save a query under a name, in place of the one that has it."""
    sql, name = _sql(form), form_value(form, "name")
    try:
        saved = saved_queries.save_query(inst, user.team_id, name, sql, user.actor)
    except InputError as error:
        return _page(inst, signed_in, user, sql, name=name, error=error)
    return RedirectResponse(f"/query?saved={saved.id}", 303)


@router.post("/saved/{query_id}/delete")
def delete(query_id: str, form: UserForm, inst: Inst, user: Analyst) -> Response:
    """Delete a saved query."""
    saved_queries.delete_saved_query(inst, user.team_id, query_id, user.actor)
    return RedirectResponse("/query", 303)


def _page(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    sql: str,
    *,
    name: str = "",
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
        chart=chart_of(result) if result else None,
        chart_size=(WIDTH, HEIGHT),
        saved=saved_queries.list_saved_queries(inst, user.team_id),
        tables=[
            (quoted(schema, table.name), table.columns)
            for schema, tables in team_tables(inst, user.team_id).items()
            for table in tables
        ],
    )


def _csv(result: TeamResult) -> bytes:
    return csv_text(result.columns, result.rows).encode("utf-8-sig", "replace")


def _sql(form: dict[str, list[str]]) -> str:
    """Return the query of a form, whose lines browsers end with CR and LF."""
    return form_value(form, "sql")
