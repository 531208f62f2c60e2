"""The team itself: its name, and further teams."""

from __future__ import annotations

from functools import partial

from starlette.responses import Response

from docduck.api.request.current_caller import Inst
from docduck.errors import Forbidden, InputError
from docduck.service.accounts.accounts import create_own_team, rename_team
from docduck.service.accounts.sessions import choose_team
from docduck.web.member import Manager, Visit
from docduck.web.page import page, see_other
from docduck.web.page_route import PageRouter
from docduck.web.rest_bodies import shown_on
from docduck.web.visit import CurrentUser, UserForm, form_value

router = PageRouter("/team")


@router.get("")
def show(at: Manager, done: str = "") -> Response:
    """Return the page of the team."""
    return _page(at, done="The team is renamed." if done == "name" else "")


@router.post("")
def rename(form: UserForm, at: Manager) -> Response:
    """Rename the team."""
    with shown_on(partial(_page, at)):
        rename_team(*at.team, form_value(form, "name"), at.user)
    return see_other("/team", done="name")


@router.get("/new")
def form(signed_in: CurrentUser, inst: Inst) -> Response:
    """Return the form for another team."""
    if not inst.settings.allow_team_creation:
        raise Forbidden("Teams are created by the operator of this server")
    return page("team/new.html.j2", signed_in, name="")


@router.post("/new")
def create(form: UserForm, signed_in: CurrentUser, inst: Inst) -> Response:
    """Create another team, and go on in it."""
    name = form_value(form, "name")
    with shown_on(lambda error: page("team/new.html.j2", signed_in, error=error, name=name)):
        team = create_own_team(inst, signed_in.user_id, name)
    choose_team(inst, signed_in, team.id)
    return see_other("/")


def _page(at: Visit, error: InputError | None = None, done: str = "") -> Response:
    may_create = at.inst.settings.allow_team_creation
    return at.page("team/team.html.j2", error=error, done=done, may_create_team=may_create)
