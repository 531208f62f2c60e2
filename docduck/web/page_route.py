"""The route of pages: errors are told as pages, and visitors are sent to the sign-in page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import quote

from fastapi import HTTPException, Request
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse, Response

from docduck.api.response.responses import request_id, response_for
from docduck.api.route import Route, check_texts
from docduck.errors import DocduckError, InputError
from docduck.service.accounts.sessions import SignedIn
from docduck.web.page import page
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


class PageRoute(Route):
    """A route whose errors are told as a page, or as JSON to the scripts of pages."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_as_page(request: Request) -> Response:
            if wants_json(request):
                return await handle(request)
            try:
                check_texts(request)
                return await handle(request)
            except SignInNeeded as error:
                return RedirectResponse(f"/sign-in?next={quote(error.way_on, safe='')}", 303)
            except (ClientDisconnect, HTTPException):
                raise
            except RequestValidationError:
                return await error_page(request, InputError("The address of this page is not valid"))
            except Exception as error:
                return await error_page(request, error)

        return handle_as_page


def wants_json(request: Request) -> bool:
    """Return whether a script of a page asks, rather than a browser."""
    return "application/json" in request.headers.get("accept", "")


async def error_page(request: Request, error: Exception) -> Response:
    """Return the page that tells an error; what is our own defect is logged, not told."""
    signed_in = await run_in_threadpool(_known_user, request)
    known = response_for(error, request_id(request))
    status = known.status_code
    message = error.message if isinstance(error, DocduckError) and status != 500 else "Internal server error"
    headers = {name: known.headers[name] for name in ("Retry-After",) if name in known.headers}
    return page(
        "layout/error.html.j2",
        signed_in,
        status=status,
        headers=headers,
        title=_TITLES.get(status, "Something went wrong"),
        message=message,
        request_id=request_id(request),
    )


def _known_user(request: Request) -> SignedIn | None:
    """Return the signed-in user; None for a visitor, and while the catalog can't be read."""
    try:
        return visitor(request, request.app.state.installation)
    except Exception:
        _log.warning("The user of an error page is not known", exc_info=True)
        return None
