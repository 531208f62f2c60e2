"""The policy for connections to callers' URLs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from docduck.outbound.addresses import Network
from docduck.settings import Settings


@dataclass(frozen=True, slots=True)
class DownloadPolicy:
    """The limits of downloads; times are in seconds."""

    max_bytes: int = 100 * 1024 * 1024
    max_url_length: int = 4096
    max_redirects: int = 5
    seconds: float = 300
    connect_seconds: float = 10
    read_seconds: float = 30
    allowed_networks: tuple[Network, ...] = ()

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the policy by an installation's settings."""
        return cls(
            max_bytes=settings.max_file_bytes,
            max_url_length=settings.max_url_length,
            max_redirects=settings.max_redirects,
            seconds=settings.download_seconds,
            connect_seconds=settings.download_connect_seconds,
            read_seconds=settings.download_read_seconds,
            allowed_networks=settings.outbound_allowed_networks or (),
        )
