"""Dependency of tools that act as the user who connected the client."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from docduck.service.accounts.caller import TeamUser


async def _user(request: Request) -> TeamUser:
    caller = request.scope["state"]["caller"]
    assert isinstance(caller, TeamUser)
    return caller


SignedInUser = Annotated[TeamUser, Depends(_user)]
