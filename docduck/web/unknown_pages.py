"""Addresses that lead nowhere: a page for browsers, JSON for programs."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from docduck.errors import NotFound
from docduck.web.page_route import error_page

_PROGRAMS = ("/api", "/mcp", "/.well-known")
"""Beginnings of paths that are for programs alone."""


def tell_unknown_pages(app: FastAPI) -> None:
    """Have ``app`` answer browsers that ask for an unknown address with a page, other requests as before."""
    otherwise: Any = app.exception_handlers[HTTPException]

    async def handle(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404 and _is_browser(request):
            return await error_page(request, NotFound("There is no such page", "path", request.url.path))
        answer: Response = await otherwise(request, error)
        return answer

    app.add_exception_handler(HTTPException, handle)


def _is_browser(request: Request) -> bool:
    accepted = ", ".join(request.headers.getlist("accept")).lower()
    return "text/html" in accepted and not request.url.path.startswith(_PROGRAMS)
