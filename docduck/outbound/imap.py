"""Connections to mail servers that the operator configured.

The operator is trusted, so private addresses are allowed. The server's certificate is checked; without TLS,
only this machine is connected to.
"""

from __future__ import annotations

import imaplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from imap_tools import ImapToolsError
from imap_tools.errors import MailboxLoginError
from imap_tools.mailbox import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted

from docduck.errors import InputError
from docduck.hosts import is_loopback

Security = Literal["tls", "starttls", "none"]
_SCHEMES: dict[str, tuple[Security, int]] = {
    "imaps": ("tls", 993),
    "imap": ("starttls", 143),
    "imap+plain": ("none", 143),
}


class LoginRefused(Exception):
    """The server refuses the user name or the password."""


@dataclass(frozen=True, slots=True)
class ImapEndpoint:
    """A mail server; ``ca`` is a file of certificate authorities besides the public ones."""

    host: str
    port: int
    security: Security
    username: str
    ca: Path | None = None


def imap_endpoint(url: str, username: str, ca: Path | None = None) -> ImapEndpoint:
    """Return the server at ``imaps://host``, or ``imap://host`` for STARTTLS; raise InputError.

    ``imap+plain://`` is without TLS, for this machine only.
    """
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES or not parts.hostname or parts.path.strip("/") or parts.username:
        raise InputError(f"must be imaps://host, or imap://host for STARTTLS, not {url}")
    security, port = _SCHEMES[parts.scheme]
    if security == "none" and not is_loopback(parts.hostname):
        raise InputError("imap+plain:// sends passwords in the clear; only this machine may be asked so")
    return ImapEndpoint(parts.hostname, parts.port or port, security, username, ca)


@contextmanager
def imap_connection(
    endpoint: ImapEndpoint, seconds: float, *, password: str | None = None, token: str | None = None
) -> Iterator[BaseMailBox]:
    """Yield a connection that is logged in with a password or an OAuth 2.0 access token.

    Each step takes at most ``seconds``. Raise LoginRefused, OSError, and the errors of imaplib.
    """
    box = _connect(endpoint, seconds)
    try:
        try:
            if token is not None:
                box.xoauth2(endpoint.username, token, initial_folder=None)
            else:
                box.login_utf8(endpoint.username, password or "", initial_folder=None)
        except (MailboxLoginError, imaplib.IMAP4.error) as error:
            if isinstance(error, imaplib.IMAP4.abort):
                raise
            raise LoginRefused from error
        yield box
    finally:
        try:
            box.logout()
        except (OSError, imaplib.IMAP4.error, ImapToolsError):
            box.client.shutdown()


def _connect(endpoint: ImapEndpoint, seconds: float) -> BaseMailBox:
    if endpoint.security == "none":
        return MailBoxUnencrypted(endpoint.host, endpoint.port, timeout=seconds)
    tls = ssl.create_default_context()
    if endpoint.ca is not None:
        tls.load_verify_locations(endpoint.ca)
    if endpoint.security == "tls":
        return MailBox(endpoint.host, endpoint.port, timeout=seconds, ssl_context=tls)
    return MailBoxStartTls(endpoint.host, endpoint.port, timeout=seconds, ssl_context=tls)
