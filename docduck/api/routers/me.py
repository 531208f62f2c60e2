"""What the caller's key is."""

from __future__ import annotations

from pydantic import Field

from docduck.api.request.current_caller import CurrentCall
from docduck.api.route import ANY_KEY, ResourceRouter
from docduck.api.schemas.base import ResponseModel, Timestamp
from docduck.service.accounts.accounts import get_team
from docduck.service.accounts.caller import KeyOwner
from docduck.service.accounts.keys import get_key
from docduck.service.accounts.permissions import PERMISSIONS
from docduck.service.parsers.parser_listing import parser_names

router = ResourceRouter("/me", "Me", read=ANY_KEY)


class MyTeam(ResponseModel):
    """The team that the key belongs to."""

    id: str = Field(description="The team's id")
    name: str = Field(description="The team's name", examples=["Acme"])
    slug: str = Field(description="Names the team in the tables", examples=["acme"])


class MyKey(ResponseModel):
    """A key without its text."""

    id: str = Field(description="The key's id")
    name: str = Field(description="What the key was named", examples=["my-script"])
    prefix: str = Field(description="The eight characters after `docduck_`", examples=["Ab12Cd34"])
    created_at: Timestamp = Field(description="When the key was created")
    expires_at: Timestamp | None = Field(description="When the key stops to work; null if it doesn't")


class MyParser(ResponseModel):
    """A parser that the key is limited to."""

    id: str = Field(description="The parser's id")
    name: str = Field(description="The parser's name")


class Me(ResponseModel):
    """Whom a request is from, and what it may do."""

    team: MyTeam = Field(description="The team whose documents it sees")
    api_key: MyKey | None = Field(description="The key; null for commands on the server's own machine")
    permissions: list[str] = Field(description="What it may do", examples=[["documents:read"]])
    parsers: list[MyParser] | None = Field(description="The parsers that it is limited to; null for all")


@router.get("", summary="Get what your key is")
def get(call: CurrentCall) -> Me:
    """Return the team of the key, what the key may do, with which parsers, and until when."""
    caller, names = call.caller, parser_names(*call.team)
    key = get_key(*call.team, caller.key_id) if isinstance(caller, KeyOwner) else None
    parsers = None
    if caller.parser_ids is not None:
        parsers = [MyParser(id=id_, name=name) for id_, name in names.items() if id_ in caller.parser_ids]
    return Me(
        team=MyTeam.of(get_team(call.inst, call.team_id)),
        api_key=None if key is None else MyKey.of(key),
        permissions=[name for name in PERMISSIONS if name in caller.permissions],
        parsers=parsers,
    )
