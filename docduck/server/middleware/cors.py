"""Cross-Origin Resource Sharing: the pages that may call the API from a browser."""

from __future__ import annotations

from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp

from docduck.api.response.responses import METHODS, error_response
from docduck.error_codes import Code

_EXPOSED = (
    "X-Request-Id",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "Retry-After",
    "WWW-Authenticate",
    "ETag",
    "Idempotent-Replayed",
    "Content-Disposition",
    "X-Document-Count",
    "X-Row-Count",
    "X-Skipped-Documents",
    "X-Export-Warnings",
)


class Cors(CORSMiddleware):
    """Answers preflight requests, which have no key, and lets pages of ``origins`` read the responses."""

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=METHODS,
            allow_headers=("*",),
            expose_headers=_EXPOSED,
        )

    def preflight_response(self, request_headers: Headers) -> Response:
        response = super().preflight_response(request_headers)
        if response.status_code < 400:
            return response
        headers = {name: value for name, value in response.headers.items() if not name.startswith("content-")}
        code: Code = "origin_not_allowed"
        return error_response(response.status_code, code, "Not allowed from this origin", headers=headers)
