"""The team that the user connected."""

from __future__ import annotations

from docduck.api.request.current_caller import Inst
from docduck.api.schemas.base import ResponseModel
from docduck.mcp.signed_in import SignedInUser
from docduck.mcp.tool import READ, tool
from docduck.service.accounts.accounts import get_team as find_team
from docduck.service.oauth.resource import SCOPES


class ConnectedTeam(ResponseModel):
    """The team, and what the connection may do in it."""

    id: str
    name: str
    slug: str
    user_id: str
    role: str
    permissions: list[str]


@tool("get_team", "Get the team", "documents:read", READ)
def get_team(inst: Inst, caller: SignedInUser) -> ConnectedTeam:
    """Return the team that this connection works in, the signed-in user's role and what the connection may
    do.
    """
    team = find_team(inst, caller.team_id)
    return ConnectedTeam.of(
        team,
        user_id=caller.user_id,
        role=caller.role,
        permissions=[name for name in SCOPES if name in caller.permissions],
    )


TOOLS = (get_team,)
