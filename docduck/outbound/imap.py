"""Connections to mail servers by IMAP."""

from __future__ import annotations

import imaplib
from collections.abc import Iterator
from contextlib import contextmanager

from imap_tools import ImapToolsError
from imap_tools.errors import MailboxLoginError
from imap_tools.mailbox import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted

from docduck.outbound.mail_server import MailServer


class LoginRefused(Exception):
    """The server refuses the user name or the password."""


@contextmanager
def imap_connection(
    server: MailServer, seconds: float, *, password: str | None = None, token: str | None = None
) -> Iterator[BaseMailBox]:
    """Yield a connection that is logged in with a password or an OAuth 2.0 access token.

    Each step takes at most ``seconds``. Raise LoginRefused, OSError, and the errors of imaplib.
    """
    box = _connect(server, seconds)
    try:
        try:
            if token is not None:
                box.xoauth2(server.username or "", token, initial_folder=None)
            else:
                box.login_utf8(server.username or "", password or "", initial_folder=None)
        except (MailboxLoginError, imaplib.IMAP4.error) as error:
            if isinstance(error, imaplib.IMAP4.abort):
                raise
            raise LoginRefused from error
        # Servers tell what they can do for a user after the login.
        _, (capabilities, *_) = box.client.capability()
        if capabilities:
            box.client.capabilities = tuple(capabilities.decode("ascii", "replace").upper().split())
        yield box
    finally:
        try:
            box.logout()
        except (OSError, imaplib.IMAP4.error, ImapToolsError):
            box.client.shutdown()


def _connect(server: MailServer, seconds: float) -> BaseMailBox:
    if server.security == "none":
        return MailBoxUnencrypted(server.host, server.port, timeout=seconds)
    kind = MailBox if server.security == "tls" else MailBoxStartTls
    return kind(server.host, server.port, timeout=seconds, ssl_context=server.tls())
