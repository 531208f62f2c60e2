"""The errors for a server's error responses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from docduck.client.errors import (
    ApiError,
    AuthenticationError,
    BadRequest,
    Conflict,
    NotFound,
    PermissionDenied,
    PreconditionFailed,
    RateLimited,
    ServerError,
)
from docduck.client.transport.steps import HttpResponse

_RETRYABLE = (429, 502, 503)
"""Statuses after which the same request may succeed later."""

_KINDS: Mapping[int, type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    412: PreconditionFailed,
    429: RateLimited,
}


def error_for(response: HttpResponse) -> ApiError:
    """Return the error for a response, which may also be a proxy's page."""
    if 300 <= response.status < 400:
        place = response.headers.get("location", "another address")
        return BadRequest(f"The server redirects to {place}: use that as base_url", response.status)
    kind = _KINDS.get(response.status, ServerError if response.status >= 500 else BadRequest)
    body = _object(response.body)
    message, code = body.get("message"), body.get("code")
    return kind(
        message if isinstance(message, str) else f"The server answered with status {response.status}",
        response.status,
        _objects(body.get("details")),
        _objects(body.get("notFound")),
        body.get("requestId") or response.headers.get("x-request-id"),
        response.status in _RETRYABLE,
        response.retry_after,
        code if isinstance(code, str) else "",
    )


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[Mapping[str, str]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
