"""Posting to a caller's URL, by the same policy as downloads. Redirects are not followed."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import httpx

from docduck.outbound.errors import DownloadFailed, UrlNotAllowed, failure_reason
from docduck.outbound.http import retry_after
from docduck.outbound.pinned_request import pinned_response
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.resolving import Resolver, allowed_addresses, system_resolver
from docduck.outbound.urls import check_url

NOT_ALLOWED = "its address is not allowed"
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
    *,
    resolver: Resolver = system_resolver,
    tls: ssl.SSLContext | None = None,
) -> PostResult:
    """Post ``content`` to ``url`` and return the result; errors don't name addresses."""
    try:
        async with asyncio.timeout(policy.seconds) as limit:
            target = check_url(url, policy)
            addresses = await allowed_addresses(target, url, policy, resolver)
            async with pinned_response(
                "POST", target, addresses, policy, headers=headers, content=content, tls=tls
            ) as response:
                waiting = retry_after(response.headers.get("retry-after"))
                result = PostResult(response.status_code, None, waiting)
                # The response is complete for its sender; its body has no use.
                limit.reschedule(None)
                await _drain(response)
                return result
    except UrlNotAllowed:
        return PostResult(None, NOT_ALLOWED)
    except DownloadFailed as error:
        return PostResult(None, error.reason)
    except httpx.TransportError as error:
        return PostResult(None, failure_reason(error)[0])
    except TimeoutError:
        return PostResult(None, f"it takes longer than {policy.seconds:g} s")


async def _drain(response: httpx.Response) -> None:
    """Read the beginning of a response's body, so that a short one doesn't break off for its sender."""
    size = 0
    with suppress(httpx.TransportError, TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for piece in response.aiter_raw():
                size += len(piece)
                if size > _DRAIN_BYTES:
                    return
