"""Reading a request's body, within limits of size and time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from docduck.api.request.strict_json import parse_json
from docduck.errors import BodyTooSlow, TooLarge
from docduck.settings import Settings

_SLOWEST = 1024
"""Bytes a second that a body must come with, once ``api_body_seconds`` are used up."""

LARGE_BYTES = 64 * 1024
"""A larger body is parsed in a thread, and its request waits for its turn."""


async def chunks(request: Request, seconds: float) -> AsyncIterator[bytes]:
    """The body as it arrives; raises ClientDisconnect, and BodyTooSlow when nothing comes for ``seconds``,
    or when bytes come so slowly that the client could hold its connection for ever.
    """
    stream = aiter(request.stream())
    left = seconds
    while True:
        begin = time.monotonic()
        try:
            chunk = await asyncio.wait_for(anext(stream), min(seconds, max(0.0, left)))
        except TimeoutError as error:
            raise BodyTooSlow from error
        except StopAsyncIteration:
            return
        left += len(chunk) / _SLOWEST - (time.monotonic() - begin)
        yield chunk


async def read_body(request: Request, settings: Settings) -> bytes:
    """Return the whole body, at most ``max_json_bytes``; raise TooLarge, BodyTooSlow."""
    if hasattr(request, "_body"):
        return request._body
    limit = settings.max_json_bytes
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise TooLarge(f"Request body too large: at most {limit} bytes")
    body = bytearray()
    async for chunk in chunks(request, settings.api_body_seconds):
        body += chunk
        if len(body) > limit:
            raise TooLarge(f"Request body too large: at most {limit} bytes")
    request._body = bytes(body)
    return request._body


async def json_of(body: bytes, settings: Settings) -> Any:
    """What ``parse_json`` gives, without holding up other requests where the body is large."""
    if len(body) <= LARGE_BYTES:
        return parse_json(body, settings.max_json_values)
    return await run_in_threadpool(parse_json, body, settings.max_json_values)
