"""One request to an address that was checked, and to no other.

The connection goes to the address itself; the name of the URL stands in the Host header, in TLS's server
name, and is what the certificate must be for. So it doesn't matter what the name resolves to next. Nothing
comes from the environment (no proxy, no .netrc), no cookie or credential is sent, and nothing is followed.
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
from docduck.outbound.policy import Policy
from docduck.outbound.urls import ParsedUrl

# Its lines hold headers, and so the queries of redirects, which may be secret.
logging.getLogger("httpcore").setLevel(logging.WARNING)


@lru_cache(maxsize=1)
def public_trust() -> ssl.SSLContext:
    """TLS that trusts the public certificate authorities; made once, as reading them takes time."""
    return httpx.create_ssl_context(trust_env=False)


@asynccontextmanager
async def pinned_response(
    method: str,
    target: ParsedUrl,
    addresses: Sequence[Address],
    policy: Policy,
    *,
    headers: Mapping[str, str],
    content: bytes = b"",
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[httpx.Response]:
    """The response, its body yet to be read with ``aiter_raw``; the first address that can be connected to
    is used. Raises httpx.TransportError."""
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
    policy: Policy,
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
