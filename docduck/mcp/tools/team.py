"""The team that the user connected, and its parsers."""

from __future__ import annotations

from itertools import islice

from pydantic import Field

from docduck.api.request.current_caller import Inst
from docduck.api.schemas.base import ResponseModel
from docduck.mcp.dependencies import SignedInUser
from docduck.mcp.tool import READ, tool
from docduck.service.accounts.accounts import get_team as find_team
from docduck.service.oauth.protocol import SCOPES
from docduck.service.parsers.parser_listing import parser_names

_MOST_PARSERS = 200


class NamedParser(ResponseModel):
    """A parser of the team."""

    id: str
    name: str


class ConnectedTeam(ResponseModel):
    """The team, what the connection may do in it, and its parsers."""

    id: str
    name: str
    slug: str
    user_id: str
    role: str
    permissions: list[str]
    parsers: list[NamedParser] = Field(description=f"By name, at most {_MOST_PARSERS}")
    parser_count: int = Field(
        ge=0, description="How many parsers there are; those that `parsers` lacks are in list_parsers"
    )


@tool("get_team", "Get the team", "documents:read", READ)
def get_team(inst: Inst, caller: SignedInUser) -> ConnectedTeam:
    """Return the connected team, what you may do in it, and the ids and names of its parsers."""
    team = find_team(inst, caller.team_id)
    names = parser_names(inst, caller.team_id)
    return ConnectedTeam.of(
        team,
        user_id=caller.user_id,
        role=caller.role,
        permissions=[name for name in SCOPES if name in caller.permissions],
        parsers=[NamedParser(id=id_, name=name) for id_, name in islice(names.items(), _MOST_PARSERS)],
        parser_count=len(names),
    )


TOOLS = (get_team,)
