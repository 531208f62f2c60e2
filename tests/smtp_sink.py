"""A mail server that keeps the mails that it is handed."""

from __future__ import annotations

import email
import email.policy
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.waiting import wait_for

_SECONDS = 10


class Sink:
    """The mails that arrived, and where the server is."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.url = ""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        return "250 OK"

    def wait(self, count: int) -> EmailMessage:
        """The newest of at least this many mails."""
        wait_for(lambda: len(self.mails) >= count, _SECONDS, lambda: "no mail arrived")
        return self.mails[-1]


@contextmanager
def running_sink() -> Iterator[Sink]:
    """A server on a port of its own, on this machine."""
    sink = Sink()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    controller = Controller(sink, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        sink.url = f"smtp+plain://127.0.0.1:{port}"
        yield sink
    finally:
        controller.stop()
