"""Authentication: every request for a resource needs an API key, and counts against its rate limit."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from docduck.api.request.key_limits import KeyShares, rate_exceeded, with_rate
from docduck.api.response.responses import error_response, response_for
from docduck.error_codes import Code
from docduck.errors import TooMany
from docduck.service.accounts.caller import KeyOwner
from docduck.service.accounts.keys import authenticate
from docduck.service.core.installation import Installation
from docduck.service.requests.rate_limits import RateLimit, count_request

PREFIX = "/api/v1"
PUBLIC = frozenset({f"{PREFIX}/openapi.json"})
"""Paths under the prefix that need no key."""

_NO_KEY: tuple[Code, str] = ("missing_key", "Missing API key")
_BAD_KEY: tuple[Code, str] = ("invalid_key", "Invalid API key")


class Authentication:
    """Passes on requests under ``/api/v1`` that have a valid key within its rate limit."""

    def __init__(self, app: ASGIApp, inst: Installation) -> None:
        self._app = app
        self._inst = inst
        self._shares = KeyShares()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _is_resource(scope["path"]):
            await self._app(scope, receive, send)
            return
        state = scope["state"]
        request_id = state.get("request_id")
        text = key_text(Headers(scope=scope).get("authorization"))
        if text is None:
            await _unauthorized(*_NO_KEY, request_id)(scope, receive, send)
            return
        try:
            admitted = await run_in_threadpool(self._admit, text)
        except Exception as error:
            await response_for(error, request_id)(scope, receive, send)
            return
        if admitted is None:
            await _unauthorized(*_BAD_KEY, request_id)(scope, receive, send)
            return
        state["caller"], rate = admitted
        send = with_rate(send, rate)
        if rate is not None and not rate.allowed:
            state["rate_limited"] = True
            await rate_exceeded(rate, request_id)(scope, receive, send)
            return
        try:
            with self._shares.request(state["caller"].key_id):
                await self._app(scope, receive, send)
        except TooMany as error:
            await response_for(error, request_id)(scope, receive, send)

    def _admit(self, text: str) -> tuple[KeyOwner, RateLimit | None] | None:
        caller = authenticate(self._inst, text)
        return None if caller is None else (caller, count_request(self._inst, caller.key_id))


def key_text(header: str | None) -> str | None:
    """Return the key in an Authorization header: ``Bearer <key>``, or the key alone; None without one."""
    if header is None or not header.strip():
        return None
    scheme, _, rest = header.strip().partition(" ")
    return (rest.strip() or None) if scheme.lower() == "bearer" else header.strip()


def _is_resource(path: str) -> bool:
    return (path == PREFIX or path.startswith(f"{PREFIX}/")) and path not in PUBLIC


def _unauthorized(code: Code, message: str, request_id: str | None) -> ASGIApp:
    return error_response(401, code, message, request_id, {"WWW-Authenticate": "Bearer"})
