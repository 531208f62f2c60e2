"""Redirect URIs: where users are sent back to with a code.

They are https URLs, or http URLs of the user's own machine, whose port is free (RFC 8252, 7.3) because a
program takes any that it gets, or have a scheme of their own, which the system leads to a program (RFC 8252,
7.1). Everything else of them is compared character by character.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

LONGEST = 2000
_LONGEST_SHOWN = 100

_LOOPBACK = r"localhost|127\.0\.0\.1|\[::1\]"
_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
_REST = r"(?:[/?][A-Za-z0-9._~:/?@!$&'()*+,;=%\[\]-]*)?"
_WEB = re.compile(rf"(https)://({_HOST})(:[0-9]{{1,5}})?({_REST})")
_OWN = re.compile(rf"(https?)://({_LOOPBACK})(:[0-9]{{1,5}})?({_REST})")
_PRIVATE = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(/{1,2}[A-Za-z0-9._~:/?@!$&'()*+,;=%-]+)")
_PUBLIC = frozenset(
    {"http", "https", "ws", "wss", "ftp", "javascript", "vbscript", "data", "file", "blob", "filesystem"}
    | {"about", "view-source", "mailto", "tel", "sms", "chrome", "resource", "jar", "intent", "urn"}
    | {"ftps", "sftp", "ssh", "telnet", "ldap", "ldaps", "smb", "nfs", "gopher", "news", "nntp", "irc"}
)
"""Schemes that have a meaning of their own, and lead to no program of a client."""


def is_redirect_uri(text: str) -> bool:
    """Return whether a client may have ``text`` as redirect URI; one with a fragment or a user may not."""
    if len(text) > LONGEST:
        return False
    return any(match is not None for match in (_OWN.fullmatch(text), _WEB.fullmatch(text), _private(text)))


def shown(uri: object) -> str:
    """Return what a client gave as redirect URI for a message: quoted, in ASCII, cut if it is long."""
    return ascii(uri)[:_LONGEST_SHOWN]


def is_registered(uri: str, registered: Sequence[str]) -> bool:
    """Return whether ``uri`` is one of the registered redirect URIs, on whichever port of this machine."""
    return is_redirect_uri(uri) and any(uri == known or _is_same_program(uri, known) for known in registered)


def is_program(uri: str) -> bool:
    """Return whether a redirect URI leads to a program on the user's machine, by address or by scheme."""
    return is_loopback(uri) or _private(uri) is not None


def is_loopback(uri: str) -> bool:
    """Return whether a redirect URI is an address of the user's machine."""
    return _OWN.fullmatch(uri) is not None


def host_of(uri: str) -> str:
    """Return the host to which a redirect URI leads, or its own scheme: ``cursor:``."""
    if private := _private(uri):
        return f"{private[1]}:"
    match = _OWN.fullmatch(uri) or _WEB.fullmatch(uri)
    assert match is not None
    return match[2]


def form_targets(uri: str) -> str:
    """Return the sources of a Content-Security-Policy that allow a form to lead to a redirect URI.

    Browsers also apply them to where the client redirects on, which is known for no website.
    """
    if private := _private(uri):
        return f"{private[1]}:"
    match = _OWN.fullmatch(uri)
    if match is None:
        return "https:"
    # Policies can't name IPv6 addresses.
    return f"{match[1]}:" if match[2].startswith("[") else f"{match[1]}://{match[2]}{match[3] or ''}"


def answer_url(uri: str, answer: Mapping[str, str | None]) -> str:
    """Return the redirect URI with the members of an answer that are not None."""
    query = urlencode({name: value for name, value in answer.items() if value is not None})
    return f"{uri}{'&' if '?' in uri else '?'}{query}"


def _private(uri: str) -> re.Match[str] | None:
    """Return the match of a redirect URI with a scheme of its own; None for others."""
    match = _PRIVATE.fullmatch(uri)
    return match if match is not None and match[1].lower() not in _PUBLIC else None


def _is_same_program(uri: str, registered: str) -> bool:
    match, other = _OWN.fullmatch(uri), _OWN.fullmatch(registered)
    if match is None or other is None or match[1] != "http":
        return False
    # No path is the path "/" (RFC 3986, 6.2.3): editors register one and ask for the other.
    return (match[1], match[2], match[4] or "/") == (other[1], other[2], other[4] or "/")
