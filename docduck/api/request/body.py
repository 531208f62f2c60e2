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

BODY_SECONDS = 30
"""How long the next bytes of a body may take."""
MAX_JSON_BYTES = 10 * 1024 * 1024
MAX_JSON_VALUES = 500_000
"""Numbers, texts, objects …."""

_SLOWEST = 1024
"""Bytes per second that must arrive once ``BODY_SECONDS`` have passed."""

LARGE_BYTES = 64 * 1024
"""Larger bodies are parsed in a thread, and their requests run in a lane of their own."""


async def chunks(request: Request) -> AsyncIterator[bytes]:
    """Yield the body as it arrives.

    Raise ClientDisconnect, and BodyTooSlow if nothing arrives for ``BODY_SECONDS``, or less than the lowest
    rate.
    """
    stream = aiter(request.stream())
    left: float = BODY_SECONDS
    while True:
        begin = time.monotonic()
        try:
            chunk = await asyncio.wait_for(anext(stream), min(BODY_SECONDS, max(0.0, left)))
        except TimeoutError as error:
            raise BodyTooSlow from error
        except StopAsyncIteration:
            return
        left += len(chunk) / _SLOWEST - (time.monotonic() - begin)
        yield chunk


async def read_body(request: Request) -> bytes:
    """Return the whole body, at most ``MAX_JSON_BYTES``; raise TooLarge, BodyTooSlow."""
    if not hasattr(request, "_body"):
        request._body = await read_limited(request, MAX_JSON_BYTES)
    return request._body


async def read_limited(request: Request, limit: int) -> bytes:
    """Return the whole body, at most ``limit`` bytes; raise the errors of ``chunks``, and TooLarge."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise TooLarge(f"Request body too large: at most {limit} bytes")
    body = bytearray()
    async for chunk in chunks(request):
        body += chunk
        if len(body) > limit:
            raise TooLarge(f"Request body too large: at most {limit} bytes")
    return bytes(body)


async def parse_body(body: bytes) -> Any:
    """Return the parsed JSON; a large body is parsed in a thread, so that other requests don't wait."""
    if len(body) <= LARGE_BYTES:
        return parse_json(body, MAX_JSON_VALUES)
    return await run_in_threadpool(parse_json, body, MAX_JSON_VALUES)
