"""The policy for connections to callers' URLs."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_network
from typing import Self

from docduck.outbound.addresses import Network
from docduck.settings import Settings

WEBHOOK_SECONDS, _WEBHOOK_CONNECT_SECONDS = 15, 5
"""How long a delivery to a webhook may take until its status is there, and until it is connected."""

DOWNLOAD_SECONDS = 300

_LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


@dataclass(frozen=True, slots=True)
class OutboundPolicy:
    """The limits of requests; times are in seconds.

    ``connect_seconds`` includes finding the server, ``read_seconds`` is the longest wait for the next bytes.
    """

    max_bytes: int = 100 * 1024 * 1024
    max_url_length: int = 4096
    max_redirects: int = 5
    seconds: float = DOWNLOAD_SECONDS
    connect_seconds: float = 10
    read_seconds: float = 30
    allowed_networks: tuple[Network, ...] = ()

    @classmethod
    def for_webhooks(cls, settings: Settings) -> Self:
        """Return the policy of deliveries to webhooks by an installation's settings."""
        local = _LOOPBACK if settings.allow_insecure_webhooks else ()
        return cls(
            seconds=WEBHOOK_SECONDS,
            connect_seconds=_WEBHOOK_CONNECT_SECONDS,
            read_seconds=WEBHOOK_SECONDS,
            allowed_networks=(*(settings.outbound_allowed_networks or ()), *local),
        )

    @classmethod
    def for_downloads(cls, settings: Settings) -> Self:
        """Return the policy of downloads by an installation's settings."""
        return cls(
            max_bytes=settings.max_file_bytes,
            allowed_networks=settings.outbound_allowed_networks or (),
        )
