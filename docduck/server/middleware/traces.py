"""Requests in traces of documents."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from docduck import tracing


class TracedRequests:
    """Documents that a request uploads began to come with it, and are linked to its ``traceparent``."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            tracing.begin_request(Headers(scope=scope).get("traceparent"))
        await self._app(scope, receive, send)
