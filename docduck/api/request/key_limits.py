"""The limits of an API key: its concurrent requests, and its rate, which each response tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import Message, Send

from docduck.api.response.responses import error_response
from docduck.error_codes import Code
from docduck.errors import TooMany
from docduck.service.requests.rate_limits import RateLimit

REQUESTS_PER_KEY = 64


class KeyShares:
    """Counts the running requests of each key, at most ``REQUESTS_PER_KEY``."""

    def __init__(self) -> None:
        self._running: Counter[str] = Counter()

    @contextmanager
    def request(self, key_id: str) -> Iterator[None]:
        """Count a request while the block runs; raise TooMany beyond the limit."""
        if self._running[key_id] >= REQUESTS_PER_KEY:
            raise TooMany(f"At most {REQUESTS_PER_KEY} requests at once are answered for one API key")
        self._running[key_id] += 1
        try:
            yield
        finally:
            self._running[key_id] -= 1
            if not self._running[key_id]:
                del self._running[key_id]


def with_rate(send: Send, rate: RateLimit | None) -> Send:
    """Return a ``send`` that adds the headers to the response; without a limit, there are none."""
    if rate is None:
        return send

    async def send_with_rate(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["X-RateLimit-Limit"] = str(rate.limit)
            headers["X-RateLimit-Remaining"] = str(rate.remaining)
            headers["X-RateLimit-Reset"] = str(rate.reset)
        await send(message)

    return send_with_rate


def rate_exceeded(rate: RateLimit, request_id: str | None) -> Response:
    """Return the refusal of a request beyond its limit."""
    seconds = rate.retry_after
    headers = {"Retry-After": str(seconds)}
    code: Code = "rate_limited"
    return error_response(429, code, "Rate limit exceeded", request_id, headers, retry_after=seconds)
