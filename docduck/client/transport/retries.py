"""Retries: which requests are sent again, and after which pause."""

from __future__ import annotations

import random
import time
import uuid
from dataclasses import dataclass

from docduck.client.errors import ApiError
from docduck.client.transport.error_responses import error_for
from docduck.client.transport.steps import HttpResponse, Pause, Request, Steps

IDEMPOTENCY_KEY = "Idempotency-Key"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 20.0


@dataclass(frozen=True, slots=True)
class Retries:
    """At most ``times`` retries, none later than ``seconds`` after the first attempt."""

    times: int = 5
    seconds: float = 120.0

    def send(self, request: Request) -> Steps[HttpResponse]:
        """Return the response of a request that succeeded; raise ApiError.

        A request is sent again after a failed connection and after 429, 502 and 503, with growing pauses
        or after Retry-After. A POST has an Idempotency-Key, so that the server does it only once.
        """
        until = time.monotonic() + self.seconds
        attempt = 0
        while True:
            outcome = yield request
            assert outcome is not None
            if isinstance(outcome, HttpResponse) and outcome.status < 300:
                return outcome
            error = error_for(outcome) if isinstance(outcome, HttpResponse) else outcome
            pause = _pause(attempt, error.retry_after)
            again = error.retryable or (attempt > 0 and _is_in_progress(error))
            late = time.monotonic() + pause > until
            if not again or attempt >= self.times or late or not request.upload.repeatable:
                raise error
            yield Pause(pause)
            attempt += 1


def new_idempotency_key() -> str:
    """Return a new, unique key."""
    return str(uuid.uuid4())


def _is_in_progress(error: ApiError) -> bool:
    """Return whether the server is still working on an attempt whose response was lost."""
    return error.status == 409 and IDEMPOTENCY_KEY in error.message


def _pause(attempt: int, retry_after: float | None) -> float:
    """Return Retry-After, or a growing time; with jitter, so that clients do not retry all at once."""
    if retry_after is not None:
        return retry_after + random.uniform(0, 0.1 * retry_after + 0.1)
    return random.uniform(0.5, 1) * min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0**attempt)
