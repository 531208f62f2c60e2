"""What goes wrong between this program and a server of docduck.

DocduckError
└── ApiError                  the server refused, or could not be reached
    ├── BadRequest            400, 413, 415 …: what was sent is wrong; ``details`` says where
    ├── AuthenticationError   401: no key, or one that is not valid
    ├── PermissionDenied      403: the key may not do this
    ├── NotFound              404: ``not_found`` lists what is missing
    ├── Conflict              409: the thing's present state does not allow it
    ├── RateLimited           429: ``retry_after`` seconds from now there is room again
    ├── ServerError           500 and above, or an answer that is not the API's
    ├── ConnectionFailed      no answer came
    └── StillProcessing       a document was not done in the time that was given
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from docduck.client.effects import HttpResponse
from docduck.errors import DocduckError

RETRYABLE = (429, 502, 503)
"""Statuses that say that the same request may be answered later."""


class ApiError(DocduckError):
    """A request that failed; ``status`` is None when no answer came, the server's log has ``request_id``."""

    def __init__(
        self,
        message: str,
        status: int | None = None,
        details: Sequence[Mapping[str, str]] = (),
        not_found: Sequence[Mapping[str, str]] = (),
        request_id: str | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.details = tuple(details)
        self.not_found = tuple(not_found)
        self.request_id = request_id
        self.retryable = retryable
        self.retry_after = retry_after

    def __str__(self) -> str:
        """The message with all that helps to find the mistake."""
        places = [f"{one.get('path')}: {one.get('message')}" for one in self.details]
        missing = [f"{one.get('type')} {one.get('value')}" for one in self.not_found]
        facts = [f"status {self.status}" if self.status else "", f"request {self.request_id or ''}".strip()]
        told = [one for one in (*places, *missing, *facts) if one and one != "request"]
        return f"{self.message} ({'; '.join(told)})" if told else self.message


class BadRequest(ApiError):
    """What was sent is wrong."""


class AuthenticationError(ApiError):
    """There is no key, or it is not valid."""


class PermissionDenied(ApiError):
    """The key may not do this."""


class NotFound(ApiError):
    """Something named in the request does not exist for the key's team."""


class Conflict(ApiError):
    """The present state of a thing does not allow what was asked."""


class RateLimited(ApiError):
    """Too many requests; ``retry_after`` says in how many seconds there is room again."""


class ServerError(ApiError):
    """The server failed, or what answered is no server of docduck."""


class ConnectionFailed(ApiError):
    """The server could not be reached, or the connection broke."""

    def __init__(self, message: str) -> None:
        super().__init__(message, retryable=True)


class StillProcessing(ApiError):
    """A document was not done in the time that was given; waiting again may help."""

    def __init__(self, message: str) -> None:
        super().__init__(message, retryable=True)


_KINDS: Mapping[int, type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    429: RateLimited,
}


def error_of(answer: HttpResponse) -> ApiError:
    """The error that an answer tells (contract F); a proxy's page becomes one as well."""
    if 300 <= answer.status < 400:
        place = answer.headers.get("location", "another address")
        return BadRequest(f"The server redirects to {place}: give that as base_url", answer.status)
    kind = _KINDS.get(answer.status, ServerError if answer.status >= 500 else BadRequest)
    body = _object(answer.body)
    message = body.get("message")
    return kind(
        message if isinstance(message, str) else f"The server answered with status {answer.status}",
        answer.status,
        _objects(body.get("details")),
        _objects(body.get("notFound")),
        body.get("requestId") or answer.headers.get("x-request-id"),
        answer.status in RETRYABLE,
        answer.retry_after,
    )


def _object(body: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _objects(value: Any) -> list[Mapping[str, str]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
