"""Validation of Host headers."""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address

_PORT = re.compile(r":\d{1,5}$")


def is_own_host(host: str, trusted: Collection[str]) -> bool:
    """Return whether a Host header names this machine or one of the ``trusted`` hosts.

    A trusted host without a port is trusted with every port.
    """
    host = host.lower()
    name = _PORT.sub("", host)
    return bool({host, name} & {one.lower() for one in trusted}) or _is_loopback(name)


def _is_loopback(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ip_address(name.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False
