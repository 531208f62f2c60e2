"""Mail servers that the operator configured, by IMAP (``imap``) and SMTP (``smtp``).

The operator is trusted, so private addresses are allowed. The server's certificate is checked; without TLS,
only this machine is connected to.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from docduck.errors import InputError
from docduck.hosts import is_loopback

Protocol = Literal["imap", "smtp"]
Security = Literal["tls", "starttls", "none"]
_SCHEMES: Mapping[str, Security] = {"{}s": "tls", "{}": "starttls", "{}+plain": "none"}
_PORTS: Mapping[Protocol, Mapping[Security, int]] = {
    "imap": {"tls": 993, "starttls": 143, "none": 143},
    "smtp": {"tls": 465, "starttls": 587, "none": 25},
}
_IN_THE_CLEAR: Mapping[Protocol, str] = {
    "imap": "imap+plain:// sends passwords in the clear; only this machine may be asked so",
    "smtp": "smtp+plain:// sends mails in the clear; only this machine may be sent them so",
}


@dataclass(frozen=True, slots=True)
class MailServer:
    """A mail server; ``ca`` is a file of certificate authorities besides the public ones."""

    host: str
    port: int
    security: Security
    username: str | None = None
    ca: Path | None = None

    def tls(self) -> ssl.SSLContext:
        """Return the context of a connection; raise OSError if ``ca`` can't be read."""
        context = ssl.create_default_context()
        if self.ca is not None:
            context.load_verify_locations(self.ca)
        return context


def mail_server(
    protocol: Protocol, url: str, username: str | None = None, ca: Path | None = None
) -> MailServer:
    """Return the server at ``imaps://host``, or ``imap://host`` for STARTTLS; raise InputError.

    ``imap+plain://`` is without TLS, for this machine only.
    """
    parts = urlsplit(url)
    schemes = {scheme.format(protocol): security for scheme, security in _SCHEMES.items()}
    if parts.scheme not in schemes or not parts.hostname or parts.path.strip("/") or parts.username:
        # The address is not shown: it may hold a password.
        raise InputError(
            f"must be {protocol}s://host, or {protocol}://host for STARTTLS, without user, password and path"
        )
    security = schemes[parts.scheme]
    if security == "none" and not is_loopback(parts.hostname):
        raise InputError(_IN_THE_CLEAR[protocol])
    return MailServer(parts.hostname, parts.port or _PORTS[protocol][security], security, username, ca)
