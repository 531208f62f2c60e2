"""What an endpoint works with: the installation, and who calls."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from docduck.api.request.lane import Lane
from docduck.hosts import is_own_host
from docduck.service.accounts.keys import Caller
from docduck.service.core.installation import Installation


def installation_of(request: Request) -> Installation:
    """The installation that the application serves."""
    found = request.app.state.installation
    assert isinstance(found, Installation)
    return found


def caller_of(request: Request) -> Caller:
    """Who calls, as the key says; set by ``authentication`` before any route is reached."""
    caller = request.scope["state"]["caller"]
    assert isinstance(caller, Caller)
    return caller


def large_requests_of(request: Request) -> Lane:
    """Return the lane of requests with large bodies."""
    found = request.app.state.large_requests
    assert isinstance(found, Lane)
    return found


def base_url_of(request: Request) -> str:
    """Where this API is reached from outside, without a slash at the end; empty where nobody knows.

    Anybody can send any Host header, so it counts only where it is a trusted one.
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
    return caller_of(request)


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


# Coroutines, because FastAPI would hand plain functions to a thread for every request.
Inst = Annotated[Installation, Depends(_installation)]
CurrentCaller = Annotated[Caller, Depends(_caller)]
Searches = Annotated[Lane, Depends(_searches)]
Corrections = Annotated[Lane, Depends(_corrections)]
BaseUrl = Annotated[str, Depends(_base_url)]
