"""Responses for errors."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from docduck.api.response.database_errors import transient_error
from docduck.api.schemas.base import ErrorDetail, ErrorResponse, MissingItem
from docduck.error_codes import Code
from docduck.errors import (
    BodyTooSlow,
    Conflict,
    Defect,
    DocduckError,
    Forbidden,
    InputError,
    NotFound,
    NotSignedIn,
    PreconditionFailed,
    TooLarge,
    TooMany,
    Transient,
    UnsupportedType,
)
from docduck.service.core.schema import input_error

_log = logging.getLogger(__name__)

_RETRY_SECONDS = 5
_STATUS: Sequence[tuple[type[DocduckError], int]] = (
    (BodyTooSlow, 408),
    (NotFound, 404),
    (NotSignedIn, 401),
    (Forbidden, 403),
    (TooLarge, 413),
    (UnsupportedType, 415),
    (PreconditionFailed, 412),
    (Conflict, 409),
    (InputError, 400),
    (TooMany, 429),
    (Transient, 503),
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_HTTP_ERRORS: Mapping[int, tuple[Code, str]] = {
    404: ("unknown_path", "Not found"),
    405: ("method_not_allowed", "Method not allowed"),
}


def error_response(
    status: int,
    code: str,
    message: str,
    request_id: str | None = None,
    headers: Mapping[str, str] | None = None,
    **more: Any,
) -> Response:
    """Return a response with an error body; ``more`` holds attributes of it such as ``details``."""
    body = ErrorResponse(error=True, code=code, message=message, request_id=request_id, **more)
    return Response(body.model_dump_json(by_alias=True), status, headers, media_type="application/json")


def status_of(error: Exception) -> int:
    """Return the status of the response for ``error``."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def response_for(error: Exception, request_id: str | None = None) -> Response:
    """Return the response for ``error``; a defect is logged with its trace, which is not sent."""
    error = transient_error(error) or error
    status = status_of(error)
    if status == 500 or not isinstance(error, DocduckError):
        _log.error("request %s failed", request_id, exc_info=error)
        return error_response(500, Defect.code, "Internal server error", request_id)
    more: dict[str, Any] = {}
    headers: dict[str, str] = {}
    if isinstance(error, NotFound):
        more["not_found"] = [MissingItem(type=kind, value=value) for kind, value in error.missing]
    elif isinstance(error, InputError) and error.details and status == 400:
        more["details"] = [ErrorDetail(path=path, message=message) for path, message in error.details]
    if isinstance(error, InputError) and error.known:
        more["known"] = error.known
    if status in (429, 503):
        _log.warning("request %s: %s", request_id, error.message)
        seconds = (error.retry_after if isinstance(error, TooMany) else None) or _RETRY_SECONDS
        headers["Retry-After"] = str(seconds)
        if status == 429:
            more["retry_after"] = seconds
    if status == 408:
        headers["Connection"] = "close"
    return error_response(status, error.code, error.message, request_id, headers, **more)


def allowed_methods(app: FastAPI, scope: Scope) -> list[str]:
    """Return the methods that the scope's path supports, in their usual order (RFC 9110, 15.5.6)."""
    return [
        method
        for method in METHODS
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in app.router.routes)
    ]


def handle_errors(app: FastAPI) -> None:
    """Have ``app`` answer every error with an error body."""

    async def docduck(request: Request, error: Exception) -> Response:
        return response_for(error, request_id(request))

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code, message = _HTTP_ERRORS.get(error.status_code, (InputError.code, str(error.detail)))
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(allowed_methods(app, request.scope))
        return error_response(error.status_code, code, message, request_id(request), headers)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return response_for(input_error(error.errors()), request_id(request))

    async def gone(request: Request, error: Exception) -> Response:
        return response_for(
            InputError("The client went away", code="client_disconnected"), request_id(request)
        )

    app.add_exception_handler(DocduckError, docduck)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(ClientDisconnect, gone)


def request_id(request: Request) -> str | None:
    """Return the request's id, which its response has in X-Request-Id."""
    id_ = request.scope.get("state", {}).get("request_id")
    return str(id_) if id_ else None
