"""The mail receiver: accepts mails to the addresses of parsers and classifiers, and no others.

SMTP (RFC 5321) with STARTTLS is for a mail server or the internet in front of it, LMTP (RFC 2033) for a mail
server. A mail is stored and registered before it is confirmed; one to an inactive parser or classifier is
confirmed and dropped.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import operator
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from docduck.errors import DocduckError, InputError
from docduck.service.core.installation import Installation
from docduck.service.core.mail_addresses import update_addresses
from docduck.service.sources.received_mails import DROPPED, receive_mail
from docduck.service.sources.targets import find_recipient
from docduck.settings import Settings

MAX_CONNECTIONS = 50
"""Of each port; an SMTP client has a fifth of them, its network half."""
MAX_RECIPIENTS = 50
"""Of one mail."""

_log = logging.getLogger(__name__)
_COMMAND_SECONDS = 60
"""How long a sender may take for each command."""
_LONGEST_LINE = 1024 * 1024
_OF_CLIENT = 0.2
_OF_NETWORK = 0.5
_SESSION_SECONDS = 600.0
"""How long a session may last without a mail, whatever else it sends."""
_TAKEN = "250 2.0.0 OK, it is stored"
_DROPPED = "250 2.0.0 OK"
_LATER = "451 4.3.0 The mail can't be stored now; try again"
# Its lines contain mails, and addresses, which are secrets: whoever knows one can send documents.
logging.getLogger("mail.log").setLevel(logging.ERROR)


class _Handler:
    """Replies to the commands of senders."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        try:
            target = await asyncio.to_thread(find_recipient, self._inst, address)
        except Exception:
            _log.exception("a recipient could not be looked up")
            return _LATER
        if target is None:
            return "550 5.1.1 No such address"
        if address not in envelope.rcpt_tos:
            envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        mail = envelope.original_content or b""
        replies = [await asyncio.to_thread(self._receive, mail, address) for address in envelope.rcpt_tos]
        if isinstance(server, LMTP):
            # One reply for each recipient (RFC 2033, 4.2).
            return "\r\n".join(replies)
        # SMTP has one reply for all recipients: the mail is sent again as long as one of them has to wait.
        return min(replies, key=lambda reply: (not reply.startswith("451"), not reply.startswith("250")))

    def _receive(self, mail: bytes, address: str) -> str:
        try:
            target = find_recipient(self._inst, address)
            if target is None:
                return "550 5.1.1 No such address"
            refusal = receive_mail(self._inst, target, mail, address)
        except DocduckError as error:
            _log.warning("a mail could not be stored: %s", error.message)
            return _LATER
        except Exception:
            _log.exception("a mail could not be stored")
            return _LATER
        if refusal is None:
            return _TAKEN
        if refusal in DROPPED:
            _log.warning("a mail to %s was dropped: %s", target.label, refusal)
            return _DROPPED
        _log.info("a mail was not accepted: %s", refusal)
        return "550 5.7.1 The sender is not accepted" if refusal == "sender_filtered" else _LATER


class _Receiver(Controller):
    """A server that accepts a limited number of connections at a time."""

    def __init__(self, handler: _Handler, settings: Settings, port: int, protocol: type[SMTP]) -> None:
        self._protocol = _limited(protocol, MAX_CONNECTIONS)
        super().__init__(
            handler,
            hostname=settings.bind_host,
            port=port,
            data_size_limit=settings.max_mail_bytes,
            tls_context=_tls(settings),
            timeout=_COMMAND_SECONDS,
            ident="docduck",
            server_hostname=settings.mail_domain or "docduck",
            decode_data=False,
        )

    def factory(self) -> SMTP:
        """Return the protocol of a new connection."""
        return self._protocol(self.handler, **self.SMTP_kwargs)


def _limited(protocol: type[SMTP], most: int) -> type[SMTP]:
    """Return ``protocol`` with at most ``most`` connections at a time; further ones get 421.

    An SMTP client gets a fifth of them and its network half, so that no stranger holds all; the client of
    LMTP is the mail server, which may have all.
    """
    live: dict[SMTP, tuple[str, str]] = {}
    parts = (1.0, 1.0) if protocol is LMTP else (_OF_CLIENT, _OF_NETWORK)
    limits = [max(1, int(most * part)) for part in parts]

    class Limited(protocol):  # type: ignore[valid-type, misc]
        line_length_limit = _LONGEST_LINE

        def connection_made(self, transport: Any) -> None:
            if self not in live:
                places = _client(transport.get_extra_info("peername"))
                held = [sum(others[i] == place for others in live.values()) for i, place in enumerate(places)]
                if len(live) >= most or any(map(operator.ge, held, limits)):
                    transport.write(b"421 4.3.2 Too many connections; try again\r\n")
                    transport.close()
                    return
                live[self] = places
                self.end = self.loop.call_later(_SESSION_SECONDS, self.expire)
            super().connection_made(transport)

        @syntax("DATA")
        async def smtp_DATA(self, arg: str) -> None:
            is_mail = bool(self.envelope and self.envelope.rcpt_tos)
            await super().smtp_DATA(arg)
            if is_mail and self in live:
                self.end.cancel()
                self.end = self.loop.call_later(_SESSION_SECONDS, self.expire)

        def expire(self) -> None:
            if self.transport is not None:
                self.transport.write(b"421 4.4.2 No mail was sent for too long; connect again\r\n")
                self.transport.close()

        def connection_lost(self, error: Exception | None) -> None:
            if live.pop(self, None):
                self.end.cancel()
                super().connection_lost(error)

    return Limited


def _client(peer: tuple[Any, ...] | None) -> tuple[str, str]:
    """Return the address of a client and its network: /24 of IPv4, /64 of IPv6."""
    try:
        address = ipaddress.ip_address(peer[0] if peer else "")
    except ValueError:
        return "", ""
    address = getattr(address, "ipv4_mapped", None) or address
    network = ipaddress.ip_network((address, 24 if address.version == 4 else 64), strict=False)
    return str(address), str(network)


@contextmanager
def mail_receiver(inst: Installation) -> Iterator[list[str]]:
    """Receive mails while the block runs, if the settings say so; yield the addresses of the servers.

    Raise InputError for wrong settings and a port that is taken.
    """
    settings = inst.settings
    if settings.mail_domain is None:
        if settings.mail_smtp_port is not None or settings.mail_lmtp_port is not None:
            raise InputError("The mail receiver needs DOCDUCK_MAIL_DOMAIN, the domain of its addresses")
        yield []
        return
    update_addresses(inst)
    handler = _Handler(inst)
    wanted: list[tuple[int | None, type[SMTP], str, str]] = [
        (settings.mail_smtp_port, SMTP, "smtp", "DOCDUCK_MAIL_SMTP_PORT"),
        (settings.mail_lmtp_port, LMTP, "lmtp", "DOCDUCK_MAIL_LMTP_PORT"),
    ]
    started: list[_Receiver] = []
    addresses: list[str] = []
    try:
        for port, protocol, scheme, setting in wanted:
            if port is None:
                continue
            receiver = _Receiver(handler, settings, port, protocol)
            try:
                receiver.start()
            except OSError as error:
                receiver.loop.close()
                words = f"Can't receive mails at port {port} ({setting}): {error.strerror}"
                raise InputError(words) from error
            started.append(receiver)
            addresses.append(f"{scheme}://{settings.bind_host}:{port}")
        yield addresses
    finally:
        for receiver in started:
            receiver.stop()


def _tls(settings: Settings) -> ssl.SSLContext | None:
    if settings.mail_tls_certificate is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(settings.mail_tls_certificate, settings.mail_tls_key)
    except (OSError, ssl.SSLError) as error:
        raise InputError(f"DOCDUCK_MAIL_TLS_CERTIFICATE can't be used: {error}") from error
    return context
