"""The team itself: its name, and further teams."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.errors import Forbidden, InputError
from docduck.service.accounts.accounts import create_own_team, rename_team
from docduck.service.accounts.sessions import choose_team
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.visit import CurrentManager, CurrentUser, UserForm, form_value

router = APIRouter(include_in_schema=False, route_class=PageRoute)


@router.get("/team")
def show(signed_in: CurrentUser, by: CurrentManager, inst: Inst, done: str = "") -> Response:
    """Return the page of the team."""
    notice = "The team is renamed." if done == "name" else ""
    return page(
        "team/team.html.j2", signed_in, done=notice, may_create_team=inst.settings.allow_team_creation
    )


@router.post("/team")
def rename(form: UserForm, signed_in: CurrentUser, by: CurrentManager, inst: Inst) -> Response:
    """Rename the team."""
    try:
        rename_team(inst, by.team_id, form_value(form, "name"), by)
    except InputError as error:
        may_create = inst.settings.allow_team_creation
        return page("team/team.html.j2", signed_in, error=error, may_create_team=may_create)
    return RedirectResponse("/team?done=name", 303)


@router.get("/team/new")
def form(signed_in: CurrentUser, inst: Inst) -> Response:
    """Return the form for another team."""
    if not inst.settings.allow_team_creation:
        raise Forbidden("Teams are created by the operator of this server")
    return page("team/new.html.j2", signed_in, name="")


@router.post("/team/new")
def create(form: UserForm, signed_in: CurrentUser, inst: Inst) -> Response:
    """Create another team, and go on in it."""
    try:
        team = create_own_team(inst, signed_in.user_id, form_value(form, "name"))
    except Forbidden:
        raise
    except InputError as error:
        return page("team/new.html.j2", signed_in, error=error, name=form_value(form, "name"))
    choose_team(inst, signed_in, team.id)
    return RedirectResponse("/", 303)
