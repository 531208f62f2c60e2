"""The route of OAuth endpoints: errors are told as RFC 6749, 5.2 has it."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import JSONResponse, Response

from docduck.api.response.responses import request_id, response_for
from docduck.service.oauth.clients import TooManyClients
from docduck.service.oauth.protocol import OAuthError
from docduck.web.error_route import ErrorRoute, public_message

NOT_KEPT = {"Cache-Control": "no-store", "Pragma": "no-cache"}

_CODES = {429: "temporarily_unavailable", 500: "server_error", 503: "temporarily_unavailable"}


class OAuthRoute(ErrorRoute):
    """A route whose errors are told with a code and a description."""

    async def error_response(self, request: Request, error: Exception) -> Response:
        if isinstance(error, OAuthError):
            status, code = (401 if error.kind == "invalid_client" else 400), error.kind
        else:
            status = response_for(error, request_id(request)).status_code
            code = _CODES.get(status, "invalid_request")
        body = {"error": code, "error_description": public_message(error, status)}
        headers = {"Retry-After": str(error.retry_after)} if isinstance(error, TooManyClients) else {}
        return JSONResponse(body, status, {**NOT_KEPT, **headers})
