"""A request to a checked URL whose response is wanted, by the same policy as downloads.

Redirects are not followed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx

from docduck.errors import Transient
from docduck.outbound.errors import DownloadFailed, UrlNotAllowed, failure_reason
from docduck.outbound.http import HttpResponse
from docduck.outbound.pinned_request import pinned_response
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.resolving import SYSTEM, Connecting, allowed_addresses
from docduck.outbound.urls import check_url

NOT_ALLOWED = "its address is not allowed"


async def exchange(
    method: str,
    url: str,
    policy: OutboundPolicy,
    *,
    headers: Mapping[str, str] | None = None,
    content: bytes = b"",
    connecting: Connecting = SYSTEM,
) -> HttpResponse:
    """Send a request and return the response, whatever its status.

    Raise Transient as ``checked_response`` does, and for a response larger than the policy's ``max_bytes``.
    """
    sent = {"User-Agent": "docduck", "Accept-Encoding": "identity", **(headers or {})}
    body = bytearray()
    async with checked_response(method, url, content, sent, policy, connecting) as (response, _):
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > policy.max_bytes:
                raise Transient(f"its answer is longer than {policy.max_bytes} bytes")
        return HttpResponse(response.status_code, bytes(body))


@asynccontextmanager
async def checked_response(
    method: str,
    url: str,
    content: bytes,
    headers: Mapping[str, str],
    policy: OutboundPolicy,
    connecting: Connecting,
) -> AsyncIterator[tuple[httpx.Response, asyncio.Timeout]]:
    """Send a request; yield the response, which is yet to be read, and the time limit of all.

    Raise Transient if the URL is not allowed, or its server can't be reached or is too slow. The message
    names neither addresses nor the URL's path.
    """
    try:
        async with asyncio.timeout(policy.seconds) as limit:
            target = check_url(url, policy)
            addresses = await allowed_addresses(target, url, policy, connecting)
            async with pinned_response(
                method, target, addresses, policy, headers=headers, content=content, tls=connecting.tls
            ) as response:
                yield response, limit
    except UrlNotAllowed as error:
        raise Transient(NOT_ALLOWED) from error
    except DownloadFailed as error:
        raise Transient(error.reason) from error
    except httpx.TransportError as error:
        raise Transient(failure_reason(error)[0]) from error
    except TimeoutError as error:
        raise Transient(f"it takes longer than {policy.seconds:g} s") from error
