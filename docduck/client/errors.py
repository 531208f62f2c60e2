"""The client's errors.

DocduckError
└── ApiError                  the server refused the request (``code`` says why), or could not be reached
    ├── BadRequest            400, 413, 415 …: the request is wrong; ``details`` has the places
    ├── AuthenticationError   401: no key, or one that is not valid
    ├── PermissionDenied      403: the key lacks the permission
    ├── NotFound              404: ``not_found`` lists what is missing
    ├── Conflict              409: the current state does not allow it
    │   └── PreconditionFailed    412: it has changed since, and ``if_match`` is not its version any more
    ├── RateLimited           429: too many requests; try again after ``retry_after`` seconds
    ├── ServerError           500 and above, or a response that is not the API's
    ├── ConnectionFailed      no response
    └── StillProcessing       a document was not processed in time
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docduck.errors import DocduckError


class ApiError(DocduckError):
    """A request that failed. ``status`` is None without a response; the server logs ``request_id``.

    ``code`` is the server's word for the error, such as ``parser_inactive``, listed in the API's README; it
    is empty if there is no response, or none of docduck's.
    """

    code = ""

    def __init__(
        self,
        message: str,
        status: int | None = None,
        details: Sequence[Mapping[str, str]] = (),
        not_found: Sequence[Mapping[str, str]] = (),
        request_id: str | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        code: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.details = tuple(details)
        self.not_found = tuple(not_found)
        self.request_id = request_id
        self.retryable = retryable
        self.retry_after = retry_after

    def __str__(self) -> str:
        """Return the message with the places, what is missing, the status and the request's id."""
        places = [f"{detail.get('path')}: {detail.get('message')}" for detail in self.details]
        missing = [f"{missed.get('type')} {missed.get('value')}" for missed in self.not_found]
        facts = [f"status {self.status}" if self.status else "", f"request {self.request_id or ''}".strip()]
        more = [text for text in (*places, *missing, *facts) if text and text != "request"]
        return f"{self.message} ({'; '.join(more)})" if more else self.message


class BadRequest(ApiError):
    """The request is wrong."""


class AuthenticationError(ApiError):
    """The key is missing or not valid."""


class PermissionDenied(ApiError):
    """The key lacks the permission."""


class NotFound(ApiError):
    """Something named in the request does not exist in the key's team."""


class Conflict(ApiError):
    """The current state does not allow the request."""


class PreconditionFailed(Conflict):
    """It has changed since: ``if_match`` is not its version any more."""


class RateLimited(ApiError):
    """Too many requests; try again after ``retry_after`` seconds."""


class ServerError(ApiError):
    """The server failed, or the response is not from docduck."""


class ConnectionFailed(ApiError):
    """The server could not be reached, or the connection broke."""

    def __init__(self, message: str) -> None:
        super().__init__(message, retryable=True)


class StillProcessing(ApiError):
    """A document was not processed in time; waiting again may help."""

    def __init__(self, message: str) -> None:
        super().__init__(message, retryable=True)
