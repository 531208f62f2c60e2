"""Public IP addresses, the only ones to which a caller's URL may lead.

Sources: the IANA registries of special-purpose addresses (RFC 6890), and cloud providers' metadata services.
For IPv6, only 2000::/3 is allocated to the public (RFC 4291), which excludes loopback, IPv4-mapped and
-compatible, unique local, link-local, site-local and multicast addresses; some of its blocks are excluded,
too.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import psutil

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

ANYWHERE: tuple[Network, ...] = (IPv4Network("0.0.0.0/0"), IPv6Network("::/0"))
"""All networks, for hosts that the operator names."""

_NOT_PUBLIC_V4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network, RFC 791
            "10.0.0.0/8",  # private, RFC 1918
            "100.64.0.0/10",  # carrier-grade NAT, RFC 6598; 100.100.100.200 is a metadata service
            "127.0.0.0/8",  # loopback
            "169.254.0.0/16",  # link-local, RFC 3927; metadata services at .169.254, .170.2, .0.23
            "172.16.0.0/12",  # private, RFC 1918
            "192.0.0.0/24",  # IETF protocols, RFC 6890; 192.0.0.192 is a metadata service
            "192.0.2.0/24",  # documentation, RFC 5737
            "192.31.196.0/24",  # AS112, RFC 7535
            "192.52.193.0/24",  # AMT, RFC 7450
            "192.88.99.0/24",  # 6to4 relays, RFC 7526
            "192.168.0.0/16",  # private, RFC 1918
            "192.175.48.0/24",  # AS112, RFC 7534
            "198.18.0.0/15",  # benchmarks, RFC 2544
            "198.51.100.0/24",  # documentation, RFC 5737
            "203.0.113.0/24",  # documentation, RFC 5737
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, RFC 1112; the last is broadcast
        ),
    )
)
_PUBLIC_V6 = IPv6Network("2000::/3")
_NOT_PUBLIC_V6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # IETF protocols, RFC 2928: Teredo, benchmarks, ORCHID
            "2001:db8::/32",  # documentation, RFC 3849
            "2002::/16",  # 6to4, RFC 3056: an IPv4 address inside
            "2620:4f:8000::/48",  # AS112, RFC 7534
            "3fff::/20",  # documentation, RFC 9637
        ),
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")
"""The prefix by which DNS64 maps IPv4 addresses for IPv6-only hosts (RFC 6052)."""

_METADATA = frozenset(
    map(
        ip_address,
        (
            "169.254.169.254",
            "169.254.169.253",
            "169.254.170.2",
            "169.254.170.23",
            "169.254.0.23",
            "169.254.10.10",
            "168.63.129.16",
            "100.100.100.200",
            "192.0.0.192",
            "fd00:ec2::254",
            "fd00:ec2::23",
            "fd00:ec2::253",
            "fd20:ce::254",
            "fd00:42::42",
        ),
    )
)
"""Metadata services, which return a machine's credentials to every local caller."""


def is_public(address: Address) -> bool:
    """Return whether an address is public and no cloud's metadata service."""
    if address in _METADATA:
        return False
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_V4)
    if address in _NAT64:
        return is_public(IPv4Address(address.packed[12:]))
    return (
        address in _PUBLIC_V6
        and not any(address in network for network in _NOT_PUBLIC_V6)
        and not _is_isatap(address)
    )


def is_metadata(address: Address) -> bool:
    """Return whether an address, in any notation, belongs to a cloud's metadata service."""
    return address in _METADATA or any(inner in _METADATA for inner in embedded(address))


def embedded(address: Address) -> list[IPv4Address]:
    """Return the IPv4 addresses to which tunnels may forward packets for ``address``."""
    if isinstance(address, IPv4Address):
        return []
    packed = address.packed
    inner = []
    if packed[:10] == bytes(10) or packed[:12] == bytes(8) + b"\xff\xff\0\0" or address in _NAT64:
        inner.append(packed[12:])  # mapped, compatible, translated, NAT64
    if _is_isatap(address):
        inner.append(packed[12:])
    if address.sixtofour is not None:
        inner.append(packed[2:6])
    if address.teredo is not None:
        inner += [part.packed for part in address.teredo]
    return [IPv4Address(packed) for packed in inner]


def is_allowed(address: Address, networks: Iterable[Network]) -> bool:
    """Return whether callers' URLs may lead to ``address``: it is public, or in an allowed network.

    This host's own addresses are refused unless in an allowed network; metadata services are always refused.
    """
    if is_metadata(address):
        return False
    if any(address in network for network in networks):
        return True
    return is_public(address) and address not in own_addresses()


def own_addresses() -> set[Address]:
    """Return the addresses of this host's network interfaces."""
    addresses = set()
    for interface in psutil.net_if_addrs().values():
        for entry in interface:
            try:
                addresses.add(ip_address(entry.address.partition("%")[0]))
            except ValueError:
                continue  # an address of the hardware
    return addresses


def _is_isatap(address: IPv6Address) -> bool:
    """Return whether the last 64 bits contain an IPv4 address in ISATAP form (RFC 5214, 6.1)."""
    return address.packed[8:12] in (b"\0\0\x5e\xfe", b"\x02\0\x5e\xfe")
