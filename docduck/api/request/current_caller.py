"""Dependencies of endpoints: the installation, the caller, and the application's lanes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from docduck.api.request.lane import Lane
from docduck.hosts import is_own_host
from docduck.service.accounts.caller import Caller, KeyOwner
from docduck.service.core.installation import Installation


def installation_of(request: Request) -> Installation:
    """Return the installation that the application serves."""
    found = request.app.state.installation
    assert isinstance(found, Installation)
    return found


def caller_of(request: Request) -> KeyOwner:
    """Return the owner of the key, which ``authentication`` has set before any route is reached."""
    caller = request.scope["state"]["caller"]
    assert isinstance(caller, KeyOwner)
    return caller


def large_requests_of(request: Request) -> Lane:
    """Return the lane of requests with large bodies."""
    found = request.app.state.large_requests
    assert isinstance(found, Lane)
    return found


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


async def _caller(request: Request) -> Caller:
    caller = request.scope["state"]["caller"]
    assert isinstance(caller, Caller)
    return caller


async def _base_url(request: Request) -> str:
    return base_url_of(request)


async def _searches(request: Request) -> Lane:
    found = request.app.state.searches
    assert isinstance(found, Lane)
    return found


async def _corrections(request: Request) -> Lane:
    found = request.app.state.corrections
    assert isinstance(found, Lane)
    return found


async def _classifications(request: Request) -> Lane:
    found = request.app.state.classifications
    assert isinstance(found, Lane)
    return found


async def _evaluations(request: Request) -> Lane:
    found = request.app.state.evaluations
    assert isinstance(found, Lane)
    return found


async def _exports(request: Request) -> Lane:
    found = request.app.state.exports
    assert isinstance(found, Lane)
    return found


# Coroutines, because FastAPI runs plain functions in a thread for every request.
Inst = Annotated[Installation, Depends(_installation)]
CurrentCaller = Annotated[Caller, Depends(_caller)]
Searches = Annotated[Lane, Depends(_searches)]
Corrections = Annotated[Lane, Depends(_corrections)]
Exports = Annotated[Lane, Depends(_exports)]
Evaluations = Annotated[Lane, Depends(_evaluations)]
Classifications = Annotated[Lane, Depends(_classifications)]
BaseUrl = Annotated[str, Depends(_base_url)]
