"""The state of a rate limit in responses: ``X-RateLimit-*`` on each, and the refusal beyond the limit."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import Message, Send

from docduck.api.response.responses import error_response
from docduck.service.requests.rate_limits import RateLimit


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
    return error_response(429, "Rate limit exceeded", request_id, headers, retry_after=seconds)
