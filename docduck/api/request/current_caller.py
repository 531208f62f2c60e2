"""Dependencies of endpoints: the call with its installation, its caller and the base URL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from docduck.hosts import is_own_host
from docduck.service.accounts.caller import Caller
from docduck.service.core.installation import Installation


@dataclass(frozen=True, slots=True)
class Call:
    """A request: the installation that serves it, who sent it, and this API's URL from outside."""

    inst: Installation
    caller: Caller
    base_url: str

    @property
    def team_id(self) -> str:
        """The id of the caller's team."""
        return self.caller.team_id

    @property
    def team(self) -> tuple[Installation, str]:
        """The installation and the id of the team, with which use cases begin."""
        return self.inst, self.team_id

    @property
    def actor(self) -> str:
        """The caller's name in the audit log."""
        return self.caller.actor


def installation_of(request: Request) -> Installation:
    """Return the installation that the application serves."""
    inst = request.app.state.installation
    assert isinstance(inst, Installation)
    return inst


def caller_of(request: Request) -> Caller:
    """Return the caller, which is set before any route is reached.

    Over HTTP, ``authentication`` sets the owner of the key.
    """
    caller = request.scope["state"]["caller"]
    assert isinstance(caller, Caller)
    return caller


def base_url_of(request: Request) -> str:
    """Return this API's URL from outside, without a slash at the end; empty if it is not known.

    Clients can send any Host header, so only trusted hosts are used.
    """
    settings = installation_of(request).settings
    if settings.base_url:
        return settings.base_url.rstrip("/")
    host = request.headers.get("host", "").lower()
    known = is_own_host(host, settings.trusted_hosts or ())
    return f"{request.url.scheme}://{host}" if known else ""


async def _installation(request: Request) -> Installation:
    return installation_of(request)


async def _call(request: Request) -> Call:
    return Call(installation_of(request), caller_of(request), base_url_of(request))


async def _base_url(request: Request) -> str:
    return base_url_of(request)


# Coroutines, because FastAPI runs plain functions in a thread for every request.
Inst = Annotated[Installation, Depends(_installation)]
CurrentCall = Annotated[Call, Depends(_call)]
BaseUrl = Annotated[str, Depends(_base_url)]
