"""Sending mails by SMTP."""

from __future__ import annotations

import smtplib
from email.message import EmailMessage

from docduck.errors import Transient
from docduck.outbound.mail_server import MailServer


def send_mail(server: MailServer, mail: EmailMessage, seconds: float, password: str | None) -> None:
    """Hand a mail over to the server; each step takes at most ``seconds``. Raise Transient.

    The message of the error has no address of the mail.
    """
    try:
        with _connect(server, seconds) as client:
            if server.username is not None:
                client.login(server.username, password or "")
            client.send_message(mail)
    except (OSError, smtplib.SMTPException) as error:
        raise Transient(f"The mail server did not take the mail: {type(error).__name__}") from error


def _connect(server: MailServer, seconds: float) -> smtplib.SMTP:
    if server.security == "none":
        return smtplib.SMTP(server.host, server.port, timeout=seconds)
    tls = server.tls()
    if server.security == "tls":
        return smtplib.SMTP_SSL(server.host, server.port, timeout=seconds, context=tls)
    client = smtplib.SMTP(server.host, server.port, timeout=seconds)
    try:
        client.starttls(context=tls)
    except BaseException:
        client.close()
        raise
    return client
