"""Outlook's .msg files (MS-OXMSG, properties by MS-OXPROPS) to a Message."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import olefile

from docduck.documents.detection.signed_envelope import is_encrypted
from docduck.documents.document import Attachment, MailAddress, MailHeaders
from docduck.documents.formats.mail.compose import as_mime
from docduck.documents.formats.mail.compressed_rtf import decompress, rtf_body
from docduck.documents.formats.mail.headers import decode_charset, parse_addresses
from docduck.documents.formats.mail.message import Message
from docduck.documents.formats.mail.mime import parse_headers
from docduck.documents.formats.mail.mime_part import clean_file_name

PROPERTIES = "__properties_version1.0"
"""The stream that every .msg has."""

MAX_ATTACHMENTS = 1000
MAX_DEPTH = 10
"""Messages attached to attached messages."""

_SUBJECT, _BODY, _RTF, _HTML, _HEADERS, _MESSAGE_ID = 0x0037, 0x1000, 0x1009, 0x1013, 0x007D, 0x1035
_SENT, _DELIVERED, _CREATED = 0x0039, 0x0E06, 0x3007
_SENDER_NAME, _SENDER_ADDRESS, _SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_ON_BEHALF_NAME, _ON_BEHALF_ADDRESS, _ON_BEHALF_SMTP = 0x0042, 0x0065, 0x5D02
_DISPLAY_TO, _DISPLAY_CC = 0x0E04, 0x0E03
_NAME, _ADDRESS, _SMTP, _KIND = 0x3001, 0x3003, 0x39FE, 0x0C15
_DATA, _SHORT_NAME, _LONG_NAME, _MIME, _CONTENT_ID, _HIDDEN = 0x3701, 0x3704, 0x3707, 0x370E, 0x3712, 0x7FFE
_INTERNET_CODEPAGE, _CODEPAGE = 0x3FDE, 0x3FFD
_STREAM = re.compile(r"__substg1\.0_([0-9A-Fa-f]{4})([0-9A-Fa-f]{4})$")
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_PREFIX = re.compile(r"^\x01.")

Path = tuple[str, ...]


def parse_outlook(data: bytes) -> Message:
    """Return the message in ``data``. What is broken beyond reading raises whatever olefile raises."""
    with olefile.OleFileIO(io.BytesIO(data)) as ole:
        tree = _Tree(ole)
        return _message(tree, (), 0)


class _Tree:
    """The streams and storages of an OLE file, by folder."""

    def __init__(self, ole: Any) -> None:
        self.ole = ole
        self.children: dict[Path, list[str]] = {}
        for entry in ole.listdir(streams=True, storages=True):
            self.children.setdefault(tuple(entry[:-1]), []).append(entry[-1])

    def stream(self, path: Path) -> bytes:
        try:
            with self.ole.openstream(list(path)) as stream:
                return bytes(stream.read())
        except (OSError, ValueError, IndexError):
            return b""


@dataclass(frozen=True, slots=True)
class _Properties:
    """The properties of a message, recipient or attachment: streams by tag, fixed values by tag."""

    tree: _Tree
    path: Path
    streams: dict[int, tuple[str, str]]
    fixed: dict[int, bytes]
    charset: str

    @staticmethod
    def read(tree: _Tree, path: Path, header: int, charset: str = "") -> _Properties:
        """Return the properties at ``path``; ``header`` is the length of their stream's header (MS-OXMSG
        2.4.1).
        """
        streams: dict[int, tuple[str, str]] = {}
        for name in tree.children.get(path, ()):
            if match := _STREAM.match(name):
                streams.setdefault(int(match[1], 16), (name, match[2].upper()))
        data = tree.stream((*path, PROPERTIES))[header:]
        fixed = {}
        for at in range(0, len(data) - 15, 16):
            tag = int.from_bytes(data[at + 2 : at + 4], "little")
            fixed[tag] = data[at + 8 : at + 16]
        found_properties = _Properties(tree, path, streams, fixed, charset)
        if charset:
            return found_properties
        page = found_properties.number(_CODEPAGE) or found_properties.number(_INTERNET_CODEPAGE)
        return replace(found_properties, charset=_codepage(page))

    def inner(self, prefix: str) -> Iterator[_Properties]:
        """Yield the properties of the recipients or attachments, whose storages begin with ``prefix``."""
        for name in sorted(self.tree.children.get(self.path, ())):
            if name.startswith(prefix):
                yield _Properties.read(self.tree, (*self.path, name), 8, self.charset)

    def binary(self, tag: int) -> bytes:
        stream = self.streams.get(tag)
        return self.tree.stream((*self.path, stream[0])) if stream else b""

    def text(self, tag: int) -> str:
        data = self.binary(tag)
        kind = self.streams[tag][1] if data else ""
        text = data.decode("utf-16-le", "replace") if kind == "001F" else decode_charset(data, self.charset)
        return text.split("\x00")[0] if tag != _BODY else text.replace("\x00", "")

    def line(self, tag: int) -> str:
        return " ".join(self.text(tag).split())

    def number(self, tag: int) -> int:
        return int.from_bytes(self.fixed.get(tag, b"")[:4], "little")

    def moment(self, tag: int) -> datetime | None:
        """Return a FILETIME: 100 nanoseconds since 1601, UTC."""
        ticks = int.from_bytes(self.fixed.get(tag, b""), "little")
        try:
            return _EPOCH + timedelta(microseconds=ticks // 10) if ticks else None
        except OverflowError:
            return None


def _message(tree: _Tree, path: Path, depth: int) -> Message:
    properties = _Properties.read(tree, path, 24 if depth else 32)
    found, names = _files(properties, depth)
    files = [each for each in found if not is_encrypted(each[0].data)]
    transport = properties.text(_HEADERS)
    headers = _headers(properties, transport)
    html, plain = _html(properties), properties.text(_BODY)
    warnings = []
    if not html and not plain.strip() and (compressed := properties.binary(_RTF)):
        try:
            html, plain = rtf_body(decompress(compressed))
        except ValueError as error:
            warnings.append(f"The mail's text could not be read: {error}")
    markup = html.lower()
    for file, content_id in files:
        file.inline |= bool(content_id) and f"cid:{content_id.lower()}" in markup
    return Message(
        headers=replace(
            headers,
            attachments=tuple(
                name
                for each, name in zip(found, names, strict=True)
                if name and not each[0].inline and each in files
            ),
        ),
        plain=plain,
        html=html,
        files=[file for file, _ in files],
        warnings=warnings,
        encrypted=len(files) < len(found),
    )


def _html(properties: _Properties) -> str:
    data = properties.binary(_HTML)
    if not data:
        return ""
    if properties.streams[_HTML][1] == "001F":
        return data.decode("utf-16-le", "replace")
    stated = re.search(rb"charset\s*=\s*[\"']?([\w-]+)", data[:2000])
    internet = (
        _codepage(properties.number(_INTERNET_CODEPAGE)) if _INTERNET_CODEPAGE in properties.fixed else ""
    )
    return decode_charset(data, internet or (stated[1].decode() if stated else properties.charset))


def _headers(properties: _Properties, transport: str) -> MailHeaders:
    """Return the transport headers, completed by the properties."""
    headers = parse_headers(transport) if transport.strip() else MailHeaders()
    recipients = _recipients(properties)
    subject = _PREFIX.sub("", properties.text(_SUBJECT)).strip()
    sent = properties.moment(_SENT) or properties.moment(_DELIVERED) or properties.moment(_CREATED)
    return replace(
        headers,
        subject=" ".join(subject.split()) or headers.subject,
        from_=headers.from_ or _sender(properties),
        to=headers.to or recipients[1] or _displayed(properties.line(_DISPLAY_TO)),
        cc=headers.cc or recipients[2] or _displayed(properties.line(_DISPLAY_CC)),
        bcc=headers.bcc or recipients[3],
        date=headers.date or sent,
        date_text=headers.date_text or (sent.strftime("%Y-%m-%d %H:%M:%S UTC") if sent else ""),
        message_id=headers.message_id or properties.line(_MESSAGE_ID) or None,
    )


def _sender(properties: _Properties) -> tuple[MailAddress, ...]:
    name = properties.line(_ON_BEHALF_NAME) or properties.line(_SENDER_NAME)
    candidates = [
        properties.line(tag) for tag in (_ON_BEHALF_SMTP, _SENDER_SMTP, _ON_BEHALF_ADDRESS, _SENDER_ADDRESS)
    ]
    return _mailbox(name, candidates)


def _mailbox(name: str, candidates: list[str]) -> tuple[MailAddress, ...]:
    """Return the mailbox of a name, with the first candidate that is an address.

    Exchange has names of its own for mailboxes, which have no ``@``.
    """
    address = next((a for a in [*candidates, name] if "@" in a and " " not in a), "")
    name = name.strip("'\"")
    name = "" if name == address else name
    return (MailAddress(name, address),) if name or address else ()


def _displayed(text: str) -> tuple[MailAddress, ...]:
    return tuple(
        a
        for part in text.split(";")
        for a in (parse_addresses(part) if "@" in part else _mailbox(part.strip(), []))
    )


def _recipients(message: _Properties) -> dict[int, tuple[MailAddress, ...]]:
    """Return mailboxes by kind: 1 To, 2 Cc, 3 Bcc (PidTagRecipientType)."""
    addresses: dict[int, tuple[MailAddress, ...]] = {1: (), 2: (), 3: ()}
    for properties in message.inner("__recip_version1.0_"):
        kind = properties.number(_KIND) & 0xF
        mailbox = _mailbox(properties.line(_NAME), [properties.line(_SMTP), properties.line(_ADDRESS)])
        addresses[kind if kind in addresses else 1] += mailbox
    return addresses


def _files(message: _Properties, depth: int) -> tuple[list[tuple[Attachment, str]], list[str]]:
    """Return attachments with their Content-IDs, and their names as stated in the mail."""
    files: list[tuple[Attachment, str]] = []
    names: list[str] = []
    for attached in islice(message.inner("__attach_version1.0_"), MAX_ATTACHMENTS):
        stated_name = clean_file_name(
            attached.line(_LONG_NAME) or attached.line(_SHORT_NAME) or attached.line(_NAME)
        )
        embedded = (*attached.path, f"__substg1.0_{_DATA:04X}000D")
        if embedded in message.tree.children and depth < MAX_DEPTH:
            inner = _message(message.tree, embedded, depth + 1)
            data, kind = as_mime(inner), "message/rfc822"
            name = f"{(stated_name or inner.headers.subject or 'message').replace('/', '-')}"
            name = name if name.lower().endswith((".msg", ".eml")) else f"{name}.eml"
        else:
            data, kind = attached.binary(_DATA), attached.line(_MIME).lower() or "application/octet-stream"
            name = stated_name or f"part-{len(files) + 1}"
        hidden = attached.number(_HIDDEN) & 0xFF == 1
        files.append((Attachment(name, kind, data, inline=hidden), attached.line(_CONTENT_ID)))
        names.append(stated_name and name)
    return files, names


def _codepage(number: int) -> str:
    """Return the name of a Windows code page for ``decode_charset``; empty if unknown."""
    named = {
        65001: "utf-8",
        1200: "utf-16-le",
        20127: "ascii",
        28591: "latin-1",
        936: "gb18030",
        20866: "koi8-r",
    }
    if number in named:
        return named[number]
    if 28592 <= number <= 28605:
        return f"iso-8859-{number - 28590}"
    return f"cp{number}" if number else ""
