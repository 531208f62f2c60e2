"""Messages written as RFC 5322, so that a mail attached to a .msg becomes a document of its own."""

from __future__ import annotations

from email.encoders import encode_base64
from email.header import Header
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

from docduck.documents.document import MailAddress
from docduck.documents.formats.mail.message import Message


def as_mime(message: Message) -> bytes:
    """Return ``message`` with its headers, both forms of its body and its files."""
    mail = MIMEMultipart("mixed")
    headers = message.headers
    for name, value in (
        ("Subject", Header(headers.subject or "", "utf-8").encode()),
        ("From", _joined(headers.from_)),
        ("To", _joined(headers.to)),
        ("Cc", _joined(headers.cc)),
        ("Date", headers.date.strftime("%a, %d %b %Y %H:%M:%S %z") if headers.date else ""),
        ("Message-ID", headers.message_id or ""),
    ):
        if value.strip():
            mail[name] = value
    body = MIMEMultipart("alternative")
    for text, subtype in ((message.plain, "plain"), (message.html, "html")):
        if text:
            body.attach(MIMEText(text, subtype, "utf-8"))
    if body.get_payload():
        mail.attach(body)
    for file in message.files:
        main, _, sub = file.content_type.partition("/")
        part = (
            MIMEBase(main, sub)
            if sub and main not in ("message", "multipart")
            else MIMEBase("application", "octet-stream")
        )
        part.set_payload(file.data)
        encode_base64(part)
        part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", file.name))
        mail.attach(part)
    return mail.as_bytes()


def _joined(addresses: tuple[MailAddress, ...]) -> str:
    return ", ".join(
        f"{Header(a.name, 'utf-8').encode()} <{a.address}>" if a.name else a.address
        for a in addresses
        if a.address
    )
