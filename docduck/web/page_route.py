"""The route of pages: errors are told as pages, and visitors are sent to the sign-in page."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from docduck.api.response.responses import request_id, response_for
from docduck.api.route import Route, check_texts
from docduck.errors import InputError, NotFound
from docduck.service.accounts.sessions import SignedIn
from docduck.web.error_route import ErrorRoute, public_message
from docduck.web.page import page
from docduck.web.rest_bodies import FormRefused
from docduck.web.visit import SignInNeeded, visitor

_log = logging.getLogger(__name__)

_TITLES = {
    400: "This can't be done",
    403: "Not allowed",
    404: "Not found",
    409: "This can't be done now",
    413: "Too large",
    429: "Too many attempts",
    503: "Not available for the moment",
}


class PageRoute(ErrorRoute):
    """A route whose errors are told as a page, or as JSON to the scripts of pages."""

    def check(self, request: Request) -> None:
        check_texts(request)

    async def error_response(self, request: Request, error: Exception) -> Response:
        is_json = wants_json(request)
        if isinstance(error, FormRefused):
            try:
                if not is_json:
                    return await run_in_threadpool(error.show, error.error)
                error = error.error
            except Exception as other:
                error = other
        if is_json:
            raise error
        if isinstance(error, SignInNeeded):
            return RedirectResponse(f"/sign-in?next={quote(error.way_on, safe='')}", 303)
        if isinstance(error, RequestValidationError):
            error = InputError("The address of this page is not valid")
        return await error_page(request, error)


class PageRouter(APIRouter):
    """The routes of pages below ``prefix``; what scripts alone ask for may have another ``route_class``."""

    def __init__(self, prefix: str = "", route_class: type[Route] = PageRoute) -> None:
        super().__init__(prefix=prefix, include_in_schema=False, route_class=route_class)


def wants_json(request: Request) -> bool:
    """Return whether a script of a page asks, rather than a browser."""
    return "application/json" in request.headers.get("accept", "")


async def error_page(request: Request, error: Exception) -> Response:
    """Return the page that tells an error; what is our own defect is logged, not told."""
    signed_in = await run_in_threadpool(_known_user, request)
    known = response_for(error, request_id(request))
    status = known.status_code
    headers = {name: known.headers[name] for name in ("Retry-After",) if name in known.headers}
    return page(
        "layout/error.html.j2",
        signed_in,
        status=status,
        headers=headers,
        title=_TITLES.get(status, "Something went wrong"),
        message=public_message(error, status),
        request_id=request_id(request),
    )


def _known_user(request: Request) -> SignedIn | None:
    """Return the signed-in user; None for a visitor, and while the catalog can't be read."""
    try:
        return visitor(request, request.app.state.installation)
    except Exception:
        _log.warning("The user of an error page is not known", exc_info=True)
        return None


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
