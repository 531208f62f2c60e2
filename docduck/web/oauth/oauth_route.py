"""The route of OAuth endpoints: errors are told as RFC 6749, 5.2 has it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import HTTPException, Request
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response

from docduck.api.response.responses import request_id, response_for
from docduck.api.route import Route
from docduck.errors import DocduckError
from docduck.service.oauth.clients import TooManyClients
from docduck.service.oauth.errors import OAuthError

NOT_KEPT = {"Cache-Control": "no-store", "Pragma": "no-cache"}

_CODES = {429: "temporarily_unavailable", 500: "server_error", 503: "temporarily_unavailable"}


class OAuthRoute(Route):
    """A route whose errors are told with a code and a description."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_for_client(request: Request) -> Response:
            try:
                return await handle(request)
            except (ClientDisconnect, HTTPException):
                raise
            except Exception as error:
                return _refusal(request, error)

        return handle_for_client


def _refusal(request: Request, error: Exception) -> Response:
    if isinstance(error, OAuthError):
        status, code = (401 if error.code == "invalid_client" else 400), error.code
    else:
        status = response_for(error, request_id(request)).status_code
        code = _CODES.get(status, "invalid_request")
    message = error.message if isinstance(error, DocduckError) and status != 500 else "Internal server error"
    headers = {"Retry-After": str(error.retry_after)} if isinstance(error, TooManyClients) else {}
    return JSONResponse({"error": code, "error_description": message}, status, {**NOT_KEPT, **headers})
