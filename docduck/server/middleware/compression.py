"""Compression of the API's answers."""

from __future__ import annotations

from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from docduck.api.request.authentication import PREFIX

_LEAST_BYTES = 1000
_LEVEL = 5
_COMPRESSED = (
    "application/pdf",
    "application/vnd.apache.parquet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/zip",
    "image/*",
    "text/event-stream",
)
"""Types that are compressed already, or that are sent event by event."""


class Compression:
    """Compresses answers of the API by gzip for clients whose ``Accept-Encoding`` takes it.

    What is streamed is sent on chunk by chunk. Pages are not compressed: they mix secrets, such as the tokens
    of forms, with what others can put into them, and a browser sends its cookies along with requests of other
    sites, so that lengths would tell the secrets (BREACH). An API key is sent by no browser on its own.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._compressing = GZipMiddleware(app, _LEAST_BYTES, _LEVEL, exclude_content_types=_COMPRESSED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_of_api = scope["type"] == "http" and scope["path"].startswith(f"{PREFIX}/")
        app = self._compressing if is_of_api else self._plain
        await app(scope, receive, send)
