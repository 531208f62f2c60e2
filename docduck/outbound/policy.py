"""The policy for connections to callers' URLs."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_network
from typing import Self

from docduck.outbound.addresses import Network
from docduck.settings import Settings

_LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


@dataclass(frozen=True, slots=True)
class OutboundPolicy:
    """The limits of requests; times are in seconds."""

    max_bytes: int = 100 * 1024 * 1024
    max_url_length: int = 4096
    max_redirects: int = 5
    seconds: float = 300
    connect_seconds: float = 10
    read_seconds: float = 30
    allowed_networks: tuple[Network, ...] = ()

    @classmethod
    def for_webhooks(cls, settings: Settings) -> Self:
        """Return the policy of deliveries to webhooks by an installation's settings."""
        local = _LOOPBACK if settings.allow_insecure_webhooks else ()
        return cls(
            max_url_length=settings.max_url_length,
            seconds=settings.webhook_seconds,
            connect_seconds=settings.webhook_connect_seconds,
            read_seconds=settings.webhook_seconds,
            allowed_networks=(*(settings.outbound_allowed_networks or ()), *local),
        )

    @classmethod
    def for_downloads(cls, settings: Settings) -> Self:
        """Return the policy of downloads by an installation's settings."""
        return cls(
            max_bytes=settings.max_file_bytes,
            max_url_length=settings.max_url_length,
            max_redirects=settings.max_redirects,
            seconds=settings.download_seconds,
            connect_seconds=settings.download_connect_seconds,
            read_seconds=settings.download_read_seconds,
            allowed_networks=settings.outbound_allowed_networks or (),
        )
