"""The error responses of routes in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from docduck.api.schemas.base import ErrorResponse

DESCRIPTIONS = {
    400: "Bad request",
    401: "No valid API key",
    403: "Access denied",
    404: "Not found",
    405: "Method not allowed",
    408: "The body did not arrive in time",
    409: "The current state does not allow it",
    413: "Too large",
    415: "Unsupported type",
    429: "Rate limit or the team's quota exceeded, or too many requests of this kind in progress",
    500: "Internal server error",
    503: "Temporarily unavailable",
}


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the ``responses`` of a route: the errors that ``openapi`` does not add by itself."""
    return {status: {"model": ErrorResponse, "description": DESCRIPTIONS[status]} for status in statuses}
