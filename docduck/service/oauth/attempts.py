"""Limits of what new clients cost: registrations of an address, and documents fetched for a user."""

from __future__ import annotations

import hmac
import math
import uuid
from ipaddress import IPv6Address, ip_address, ip_network

from docduck import clock
from docduck.errors import TooMany
from docduck.service.core.installation import Installation
from docduck.service.core.rate_counters import Limits
from docduck.service.core.secret_key import derived_key

_PURPOSE = "docduck oauth clients 1"
_WINDOW, _DAY = 900, 86_400
_IPV6_PREFIX = 64
"""A provider gives a household or company at least this many bits to choose addresses from."""


class TooManyClients(TooMany):
    """Too many new clients; ``retry_after`` is in seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__("Too many new clients. Try again later")
        self.retry_after = retry_after


def count_client(inst: Installation, whose: str) -> None:
    """Count a new client of a network address, or of a user's id; raise TooManyClients beyond the limit."""
    now = clock.now().timestamp()
    key = derived_key(inst.settings, _PURPOSE)
    digest = hmac.digest(key, _network(whose).encode("utf-8", "replace"), "sha256")
    # The counters' shorter window is a quarter of an hour here.
    window = int(now // _WINDOW)
    limits = Limits(inst.settings.oauth_new_clients, 0)
    if not inst.rate_counts.take(str(uuid.UUID(bytes=digest[:16])), window, int(now // _DAY), limits).taken:
        raise TooManyClients(max(1, math.ceil((window + 1) * _WINDOW - now)))


def _network(whose: str) -> str:
    try:
        address = ip_address(whose)
    except ValueError:
        return whose
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _IPV6_PREFIX), strict=False))
    return str(address)
