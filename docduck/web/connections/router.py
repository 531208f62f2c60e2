"""The clients that users connected: their own under their profile, and those of a team for its managers."""

from __future__ import annotations

from starlette.responses import Response

from docduck.api.request.current_caller import Inst
from docduck.service.oauth.grants import list_grants, revoke_grant
from docduck.web.consent.scope_texts import scope_text
from docduck.web.member import Manager
from docduck.web.page import page, see_other
from docduck.web.page_route import PageRouter
from docduck.web.visit import CurrentUser, UserForm

router = PageRouter()

_TEMPLATE = "connections/list.html.j2"
_OWN, _TEAM = "/profile/connections", "/team/connections"


@router.get(_OWN)
def own(user: CurrentUser, inst: Inst) -> Response:
    """Return the clients that the user connected, in all their teams."""
    grants = list_grants(inst, user_id=user.user_id)
    return page(_TEMPLATE, user, grants=grants, scope_text=scope_text, path=_OWN, team=None)


@router.post(f"{_OWN}/{{grant_id}}/revoke")
def revoke_own(grant_id: str, _form: UserForm, user: CurrentUser, inst: Inst) -> Response:
    """End a connection of the user."""
    revoke_grant(inst, grant_id, user.user_id, user_id=user.user_id)
    return see_other(_OWN)


@router.get(_TEAM)
def of_team(at: Manager) -> Response:
    """Return the clients that members connected to the team."""
    grants = list_grants(at.inst, team_id=at.user.team_id)
    return at.page(_TEMPLATE, grants=grants, scope_text=scope_text, path=_TEAM, team=at.signed_in.team)


@router.post(f"{_TEAM}/{{grant_id}}/revoke")
def revoke_of_team(grant_id: str, _form: UserForm, at: Manager) -> Response:
    """End a connection of a member to the team."""
    revoke_grant(at.inst, grant_id, at.user.user_id, team_id=at.user.team_id)
    return see_other(_TEAM)
