"""A request to a checked URL whose response is wanted, by the same policy as downloads.

Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping

import httpx

from docduck.errors import Transient
from docduck.outbound.errors import DownloadFailed, UrlNotAllowed, failure_reason
from docduck.outbound.http import HttpResponse
from docduck.outbound.pinned_request import pinned_response
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.resolving import Resolver, allowed_addresses, system_resolver
from docduck.outbound.urls import check_url


async def exchange(
    method: str,
    url: str,
    policy: OutboundPolicy,
    *,
    headers: Mapping[str, str] | None = None,
    content: bytes = b"",
    resolver: Resolver = system_resolver,
    tls: ssl.SSLContext | None = None,
) -> HttpResponse:
    """Send a request and return the response, whatever its status.

    Raise Transient if the URL is not allowed, its server can't be reached or is too slow, or the response is
    larger than the policy's ``max_bytes``. The message names neither addresses nor the URL's path.
    """
    sent = {"User-Agent": "docduck", "Accept-Encoding": "identity", **(headers or {})}
    body = bytearray()
    try:
        async with asyncio.timeout(policy.seconds):
            target = check_url(url, policy)
            addresses = await allowed_addresses(target, url, policy, resolver)
            async with pinned_response(
                method, target, addresses, policy, headers=sent, content=content, tls=tls
            ) as response:
                async for piece in response.aiter_raw():
                    body += piece
                    if len(body) > policy.max_bytes:
                        raise Transient(f"its answer is longer than {policy.max_bytes} bytes")
                return HttpResponse(response.status_code, bytes(body))
    except UrlNotAllowed as error:
        raise Transient("its address is not allowed") from error
    except DownloadFailed as error:
        raise Transient(error.reason) from error
    except httpx.TransportError as error:
        raise Transient(failure_reason(error)[0]) from error
    except TimeoutError as error:
        raise Transient(f"it takes longer than {policy.seconds:g} s") from error
