"""Sending a request until it is answered: when it is tried again, and how long after."""

from __future__ import annotations

import random
import time
import uuid
from dataclasses import dataclass

from docduck.client.effects import HttpResponse, Pause, Request, Steps
from docduck.client.errors import ApiError, ConnectionFailed, error_of

IDEMPOTENCY_KEY = "Idempotency-Key"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 20.0


@dataclass(frozen=True, slots=True)
class Retries:
    """At most ``times`` repetitions, none of which begins later than ``seconds`` after the first try."""

    times: int = 5
    seconds: float = 120.0

    def send(self, request: Request) -> Steps[HttpResponse]:
        """The answer of a request that succeeded; raises ApiError.

        A request is tried again when the connection failed and after 429, 502 and 503, with growing pauses
        or when Retry-After says. A POST carries an Idempotency-Key, so that the server does it once only.
        """
        until = time.monotonic() + self.seconds
        attempt = 0
        while True:
            error: ApiError
            try:
                answer = yield request
            except ConnectionFailed as failure:
                error = failure
            else:
                assert answer is not None
                if answer.status < 300:
                    return answer
                error = error_of(answer)
            pause = _pause(attempt, error.retry_after)
            again = error.retryable or (attempt > 0 and _is_first_one_s(error))
            late = time.monotonic() + pause > until
            if not again or attempt >= self.times or late or not request.upload.repeatable:
                raise error
            yield Pause(pause)
            attempt += 1


def new_idempotency_key() -> str:
    """A key that no other request has."""
    return str(uuid.uuid4())


def _is_first_one_s(error: ApiError) -> bool:
    """Whether the server is still busy with the try whose answer was lost."""
    return error.status == 409 and IDEMPOTENCY_KEY in error.message


def _pause(attempt: int, asked: float | None) -> float:
    """What the server asks for, or longer each time; at random, so that clients do not come back as one."""
    if asked is not None:
        return asked + random.uniform(0, 0.1 * asked + 0.1)
    return random.uniform(0.5, 1) * min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0**attempt)
