"""Limits on what visitors without a key may do: attempts by network address, account or the like."""

from __future__ import annotations

import math
import uuid
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from docduck import clock
from docduck.errors import Transient
from docduck.service.core.installation import Installation
from docduck.service.core.rate_counters import Counts, Limits
from docduck.service.core.secrets import signature_of

_DAY = 86_400
_IPV6_PREFIX = 64
"""A provider gives a household or company at least this many bits to choose addresses from."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt; ``waiting`` is None if it was counted, otherwise the seconds until the next one."""

    waiting: int | None
    _key_id: str
    _counts: Counts

    def give_back(self, inst: Installation) -> None:
        """Don't count the attempt after all; it stays counted if the counters can't be reached."""
        with suppress(Transient):
            inst.rate_counts.give_back(self._key_id, self._counts)


def count_attempt(inst: Installation, purpose: str, whose: str, most: int, window_seconds: int) -> int | None:
    """Count an attempt; return None, or the seconds until the next one if there were ``most`` in the window.

    Raise the errors of ``take_attempt``.
    """
    return take_attempt(inst, purpose, whose, most, window_seconds).waiting


def take_attempt(inst: Installation, purpose: str, whose: str, most: int, window_seconds: int) -> Attempt:
    """Count an attempt unless there were ``most`` in the window.

    ``whose`` can't be found out from what is stored. Raise Transient if the counters can't be reached, so
    that nothing passes uncounted.
    """
    digest = signature_of(inst.settings, purpose, whose)
    now = clock.now().timestamp()
    # The counters' shorter window is not a minute here.
    window = int(now // window_seconds)
    key_id = str(uuid.UUID(bytes=digest[:16]))
    counts = inst.rate_counts.take(key_id, window, int(now // _DAY), Limits(most, 0))
    waiting = None if counts.taken else max(1, math.ceil((counts.minute + 1) * window_seconds - now))
    return Attempt(waiting, key_id, counts)


def client_network(address: str) -> str:
    """Return what tells clients apart: an IPv4 address, or the network of an IPv6 address."""
    try:
        client = ip_address(address)
    except ValueError:
        return address
    if isinstance(client, IPv6Address):
        if client.ipv4_mapped is None:
            return str(ip_network((int(client), _IPV6_PREFIX), strict=False))
        return str(client.ipv4_mapped)
    return str(client)


def waiting_time(seconds: int) -> str:
    """Return a waiting time as ``1 minute`` or ``5 minutes``, rounded up."""
    minutes = math.ceil(seconds / 60)
    return f"{minutes} {'minute' if minutes == 1 else 'minutes'}"
