"""Validation of the text of callers' URLs.

URLs are parsed only here, and connections use the parsed parts, so that no second parser can find another
host in them. Ambiguous URLs are refused.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import quote, urljoin

import idna

from docduck.outbound.addresses import Address, is_allowed
from docduck.outbound.errors import UrlNotAllowed
from docduck.outbound.policy import OutboundPolicy

_URL = re.compile(r"(https?)://([^/?#]+)([^?#]*)(\?[^#]*)?(?:#.*)?", re.IGNORECASE)
_AUTHORITY = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:@%]+)(?::([0-9]{1,5}))?", re.IGNORECASE)
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_DEFAULT_PORTS = {"http": 80, "https": 443}

# fmt: off
_LOCAL_DOMAINS = frozenset({
    "localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan",
    "home.arpa", "in-addr.arpa", "ip6.arpa", "onion",
})
"""Domains of private hosts: RFC 6761, 6762, 8375, ICANN's SSAC 113, and common practice."""

_LOOPBACK: tuple[Address, ...] = (IPv4Address("127.0.0.1"), IPv6Address("::1"))

_METADATA_NAMES = frozenset({
    "metadata", "metadata.google.internal", "metadata.goog", "metadata.tencentyun.com", "metadata.nic.com",
    "metadata.azure.internal", "metadata.platformequinix.com", "metadata.packet.net", "instance-data",
    "instance-data.ec2.internal",
})

_CLOSED_PORTS = frozenset({
    # The "bad ports" of the Fetch standard: not web servers, and some mistake a request for their protocol.
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
    2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
    # The same for databases, caches and remote control.
    445, 873, 1433, 1521, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5900, 6379, 10250, 11211, 27017,
})
# fmt: on


@dataclass(frozen=True, slots=True)
class ParsedUrl:
    """The parts of a URL: ``host`` as in the Host header, ``address`` if it is one.

    ``path`` includes the query, in ASCII.
    """

    scheme: str
    host: str
    address: Address | None
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The Host header."""
        return self.host if self.port == _DEFAULT_PORTS[self.scheme] else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}"


def check_url(url: str, policy: OutboundPolicy) -> ParsedUrl:
    """Return the parsed ``url``; raise UrlNotAllowed. No name is resolved.

    Local names are allowed if private networks are: then their addresses decide.
    """
    target = _parsed(url, policy)
    if target is None:
        raise UrlNotAllowed(url)
    return target


def redirected(target: ParsedUrl, location: str, policy: OutboundPolicy) -> ParsedUrl | None:
    """Return the target of a redirect (RFC 9110, 10.2.2); None if it is not allowed."""
    # Spaces are invalid in URLs, but many servers send them.
    location = location.replace(" ", "%20")
    if len(location) > policy.max_url_length or _is_unsafe(location):
        return None
    if location.startswith("//"):
        location = f"{target.scheme}:{location}"
    elif not _SCHEME.match(location):
        location = urljoin(target.url, location)
    return _parsed(location, policy)


def _parsed(url: str, policy: OutboundPolicy) -> ParsedUrl | None:
    match = _URL.fullmatch(url)
    if match is None or len(url) > policy.max_url_length or _is_unsafe(url):
        return None
    scheme, authority, path, query = match.groups()
    parts = _AUTHORITY.fullmatch(authority)
    if parts is None:
        return None
    scheme = scheme.lower()
    port = int(parts[2] or _DEFAULT_PORTS[scheme])
    if port in _CLOSED_PORTS or port > 65535:
        return None
    host = _host(parts[1], policy)
    if host is None:
        return None
    # quote() doesn't change ASCII: percent signs of a path are sent as given.
    encoded = quote((path or "/") + (query or ""), safe="".join(map(chr, range(0x21, 0x7F))))
    return ParsedUrl(scheme, host[0], host[1], port, encoded)


def _host(text: str, policy: OutboundPolicy) -> tuple[str, Address | None] | None:
    """Return the host, and its address if it is one; None if it is not allowed."""
    address: Address
    try:
        if text.startswith("["):
            address = IPv6Address(text[1:-1])
            name = f"[{address}]"
        else:
            name = _name(text)
            if not _NUMBER.fullmatch(name.rpartition(".")[2]):
                return (name, None) if _is_name(name, policy) else None
            # A name that ends in a number is an address (URL standard); 127.1 and the like are refused.
            address = IPv4Address(name)
    except ValueError:
        return None
    return (name, address) if is_allowed(address, policy.allowed_networks) else None


def _name(text: str) -> str:
    """Return a host name in lower case and ASCII, without a final dot; raise ValueError."""
    if not text.isascii():
        text = idna.encode(text, uts46=True).decode("ascii")
    return text.lower().removesuffix(".")


def _is_name(name: str, policy: OutboundPolicy) -> bool:
    labels = name.split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels) or name in _METADATA_NAMES:
        return False
    if labels[-1] == "localhost":
        # It is this machine, whatever a name server says (RFC 6761, 6.3).
        return any(is_allowed(address, policy.allowed_networks) for address in _LOOPBACK)
    if policy.allowed_networks:
        return True
    return len(labels) > 1 and not any(".".join(labels[at:]) in _LOCAL_DOMAINS for at in range(len(labels)))


def _is_unsafe(url: str) -> bool:
    """Return whether it contains characters that parsers drop, convert or stop at."""
    return "\\" in url or any(unicodedata.category(character)[0] in "CZ" for character in url)
