"""The path below which the Dagster UI is served, so that docduck's pages can show it at the same path."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

PREFIX = "/dagster"


class BelowPrefix:
    """An ASGI application around ``app``, which serves paths below the prefix.

    Pages at other paths lead there, and programs that send to them are answered from there.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", PREFIX)
        if path == PREFIX or path.startswith(f"{PREFIX}/"):
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            query = scope["query_string"].decode("latin-1")
            place = quote(f"{PREFIX}{path}") + (f"?{query}" if query else "")
            await RedirectResponse(place, 307)(scope, receive, send)
        else:
            await self._app({**scope, "path": f"{PREFIX}{path}"}, receive, send)
