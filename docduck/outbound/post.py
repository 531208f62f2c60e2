"""Posting to a caller's URL, by the same policy as downloads. Redirects are not followed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import httpx

from docduck.errors import Transient
from docduck.outbound.exchange import checked_response
from docduck.outbound.http import retry_after
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.resolving import SYSTEM, Connecting

_DRAIN_BYTES, _DRAIN_SECONDS = 64 * 1024, 1.0


@dataclass(frozen=True, slots=True)
class PostResult:
    """The status of the response, or why there is none; ``retry_after`` is in seconds."""

    status: int | None
    error: str | None = None
    retry_after: float | None = None


async def post(
    url: str,
    content: bytes,
    headers: Mapping[str, str],
    policy: OutboundPolicy,
    connecting: Connecting = SYSTEM,
) -> PostResult:
    """Post ``content`` to ``url`` and return the result; errors don't name addresses."""
    try:
        sending = checked_response("POST", url, content, headers, policy, connecting)
        async with sending as (response, limit):
            waiting = retry_after(response.headers.get("retry-after"))
            # The response is complete for its sender; its body has no use.
            limit.reschedule(None)
            await _drain(response)
            return PostResult(response.status_code, None, waiting)
    except Transient as error:
        return PostResult(None, error.message)


async def _drain(response: httpx.Response) -> None:
    """Read the beginning of a response's body, so that a short one doesn't break off for its sender."""
    size = 0
    with suppress(httpx.TransportError, TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for piece in response.aiter_raw():
                size += len(piece)
                if size > _DRAIN_BYTES:
                    return
