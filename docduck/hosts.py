"""Validation of Host and Origin headers."""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

_PORT = re.compile(r":\d{1,5}$")


def is_own_host(host: str, trusted: Collection[str]) -> bool:
    """Return whether a Host header names this machine or one of the ``trusted`` hosts.

    A trusted host without a port is trusted with every port. An empty header names nobody.
    """
    host = host.lower()
    name = _PORT.sub("", host)
    return name != "" and (bool({host, name} & {own.lower() for own in trusted}) or is_loopback(name))


def is_own_origin(origin: str, trusted: Collection[str]) -> bool:
    """Return whether an Origin header is that of a page of this machine or of a ``trusted`` host.

    ``null``, which browsers send for sandboxed pages and files, is nobody's.
    """
    try:
        return is_own_host(urlsplit(origin).netloc, trusted)
    except ValueError:
        return False


def is_loopback(name: str) -> bool:
    """Return whether the name of a host, or an address, is this machine."""
    if name == "localhost":
        return True
    try:
        return ip_address(name.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False
