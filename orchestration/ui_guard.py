"""A guard around the Dagster UI that allows commands only from its own pages and from programs.

Any page that an operator visits can make the browser send requests to the UI. Such a request names a
foreign origin, or a host that is not the UI's (DNS rebinding), or is one that browsers send without a
preflight request: a GET, or a POST that is not JSON. All of these are refused.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from docduck.hosts import is_own_host

_READING = ("GET", "HEAD")
_COMMANDS = ("application/json", "application/graphql")


class UiGuard:
    """An ASGI application around ``app`` that serves only ``hosts`` and loopback names."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] = ()) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope, Headers(scope=scope))
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refusal})
        else:
            await PlainTextResponse(refusal, 403)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> str | None:
        """Return why the request is refused, or None if it is allowed."""
        host = headers.get("host", "")
        if not is_own_host(host, self._hosts):
            return (
                f"This UI does not answer for the host '{host}': open it by a loopback address, or name the"
                " host in DOCDUCK_TRUSTED_HOSTS"
            )
        if scope["type"] == "http" and scope["method"] in _READING:
            is_page = not scope["path"].endswith("/graphql") or "text/html" in headers.get("accept", "")
            return None if is_page else "Queries and commands are sent by POST"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return f"Requests from pages of '{origin}' are refused"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return "Requests from pages of other sites are refused"
        if scope["type"] == "http" and not headers.get("content-type", "").lower().startswith(_COMMANDS):
            return f"Send {_COMMANDS[0]}"
        return None
