"""What the OpenAPI document says of answers."""

from __future__ import annotations

from typing import Any

from docduck.api.schemas.base import Error

_ALWAYS = (400, 401, 403, 404, 429)
WORDS = {
    400: "Bad request",
    401: "No valid API key",
    403: "Access denied",
    404: "Not found",
    405: "Method not allowed",
    408: "The body did not arrive in time",
    409: "The present state does not allow it",
    413: "Too large",
    415: "Unsupported type",
    429: "Rate limit exceeded, or the team has too much of its kind under way",
    500: "Internal server error",
    503: "Something is away for the moment",
}


def answers(model: Any, *more: int, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a route: its success, and the errors that all routes share, and ``more``."""
    errors: dict[int | str, dict[str, Any]] = {
        code: {"model": Error, "description": WORDS[code]} for code in sorted({*_ALWAYS, *more})
    }
    return {status: {"model": model, "description": "Done"}, **errors}
