"""A request to a checked address only.

It connects to the address itself; the URL's name is only used in the Host header, as TLS server name and to
verify the certificate, so a later DNS answer has no effect. Proxies and .netrc are ignored, no cookies or
credentials are sent, and redirects are not followed.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from ipaddress import IPv6Address

import httpx

from docduck.outbound.addresses import Address
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.urls import ParsedUrl

# Its log lines contain headers, which may hold secrets in URLs of redirects.
logging.getLogger("httpcore").setLevel(logging.WARNING)


@lru_cache(maxsize=1)
def public_trust() -> ssl.SSLContext:
    """Return a TLS context that trusts public certificate authorities; cached, as loading them takes time."""
    return httpx.create_ssl_context(trust_env=False)


@asynccontextmanager
async def pinned_response(
    method: str,
    target: ParsedUrl,
    addresses: Sequence[Address],
    policy: OutboundPolicy,
    *,
    headers: Mapping[str, str],
    content: bytes = b"",
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[httpx.Response]:
    """Yield the response, whose body is to be read with ``aiter_raw``; use the first address that accepts a
    connection. Raise httpx.TransportError.
    """
    if tls is None:
        tls = await asyncio.to_thread(public_trust)
    async with httpx.AsyncHTTPTransport(verify=tls, trust_env=False) as transport:
        for number, address in enumerate(addresses, 1):
            request = _request(method, target, address, policy, headers, content)
            try:
                response = await transport.handle_async_request(request)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if number == len(addresses):
                    raise
                continue
            try:
                yield response
            finally:
                await response.aclose()
            return


def _request(
    method: str,
    target: ParsedUrl,
    address: Address,
    policy: OutboundPolicy,
    headers: Mapping[str, str],
    content: bytes,
) -> httpx.Request:
    at = f"[{address}]" if isinstance(address, IPv6Address) else str(address)
    limits = httpx.Timeout(policy.read_seconds, connect=policy.connect_seconds)
    return httpx.Request(
        method,
        f"{target.scheme}://{at}:{target.port}{target.path}",
        headers={"Host": target.authority, **headers},
        content=content,
        extensions={"timeout": limits.as_dict(), "sni_hostname": target.host.strip("[]")},
    )
