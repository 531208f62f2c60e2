"""Resolving a URL's name to allowed addresses."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Protocol

from docduck.outbound.addresses import Address, is_allowed
from docduck.outbound.errors import DownloadFailed, UrlNotAllowed
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.urls import ParsedUrl

_MOST_ADDRESSES = 8
"""Most addresses of a name that are tried; the resolver returns the best first."""


class Resolver(Protocol):
    """Resolves a name; raises socket.gaierror."""

    async def __call__(self, name: str, port: int) -> Sequence[Address]: ...


async def system_resolver(name: str, port: int) -> Sequence[Address]:
    """Return the addresses from this host's resolver, in its order."""
    loop = asyncio.get_running_loop()
    results = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return [ip_address(str(place[0]).partition("%")[0]) for *_, place in results]


@dataclass(frozen=True, slots=True)
class Connecting:
    """How names are resolved, and which certificates are trusted; by default as the system does."""

    resolver: Resolver = system_resolver
    tls: ssl.SSLContext | None = None


SYSTEM = Connecting()


async def allowed_addresses(
    target: ParsedUrl, url: str, policy: OutboundPolicy, connecting: Connecting = SYSTEM
) -> list[Address]:
    """Return the addresses to connect to for ``target``, to which the caller's ``url`` led.

    One forbidden address refuses all, because with a public and a private one the server could choose which
    is used. Raise UrlNotAllowed, DownloadFailed.
    """
    if target.address is not None:
        addresses: Sequence[Address] = [target.address]
    else:
        try:
            async with asyncio.timeout(policy.connect_seconds):
                addresses = await connecting.resolver(target.host, target.port)
        except TimeoutError as error:
            raise DownloadFailed(url, "its host is not found in time", retryable=True) from error
        except (OSError, UnicodeError) as error:
            later = isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN
            raise DownloadFailed(url, "its host is not found", retryable=later) from error
    if not addresses:
        raise DownloadFailed(url, "its host is not found")
    if not all(is_allowed(address, policy.allowed_networks) for address in addresses):
        raise UrlNotAllowed(url)
    return list(dict.fromkeys(addresses))[:_MOST_ADDRESSES]
