"""Sending mails by a server that the operator configured.

The operator is trusted, so private addresses are allowed. The server's certificate is checked; without TLS,
only this machine is connected to.
"""

from __future__ import annotations

import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

from docduck.errors import InputError, Transient
from docduck.hosts import is_loopback
from docduck.outbound.imap import Security

_SCHEMES: dict[str, tuple[Security, int]] = {
    "smtps": ("tls", 465),
    "smtp": ("starttls", 587),
    "smtp+plain": ("none", 25),
}


@dataclass(frozen=True, slots=True)
class SmtpEndpoint:
    """A mail server; ``ca`` is a file of certificate authorities besides the public ones."""

    host: str
    port: int
    security: Security
    ca: Path | None = None


def smtp_endpoint(url: str, ca: Path | None = None) -> SmtpEndpoint:
    """Return the server at ``smtps://host``, or ``smtp://host`` for STARTTLS; raise InputError.

    ``smtp+plain://`` is without TLS, for this machine only.
    """
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise InputError(f"must be smtps://host, or smtp://host for STARTTLS, not {url}")
    security, port = _SCHEMES[parts.scheme]
    if security == "none" and not is_loopback(parts.hostname):
        raise InputError("smtp+plain:// sends mails in the clear; only this machine may be sent them so")
    return SmtpEndpoint(parts.hostname, parts.port or port, security, ca)


def send_mail(
    endpoint: SmtpEndpoint, mail: EmailMessage, seconds: float, username: str | None, password: str | None
) -> None:
    """Hand a mail over to the server; each step takes at most ``seconds``. Raise Transient.

    The message of the error has no address of the mail.
    """
    try:
        with _connect(endpoint, seconds) as client:
            if username is not None:
                client.login(username, password or "")
            client.send_message(mail)
    except (OSError, smtplib.SMTPException) as error:
        raise Transient(f"The mail server did not take the mail: {type(error).__name__}") from error


def _connect(endpoint: SmtpEndpoint, seconds: float) -> smtplib.SMTP:
    if endpoint.security == "none":
        return smtplib.SMTP(endpoint.host, endpoint.port, timeout=seconds)
    tls = ssl.create_default_context()
    if endpoint.ca is not None:
        tls.load_verify_locations(endpoint.ca)
    if endpoint.security == "tls":
        return smtplib.SMTP_SSL(endpoint.host, endpoint.port, timeout=seconds, context=tls)
    client = smtplib.SMTP(endpoint.host, endpoint.port, timeout=seconds)
    try:
        client.starttls(context=tls)
    except BaseException:
        client.close()
        raise
    return client
