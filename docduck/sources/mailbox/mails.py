"""A mail before it is read: its size, its subject, its sender and its Message-ID."""

from __future__ import annotations

from typing import Any

from docduck.documents.formats.mail.mime import parse_headers
from docduck.files.names import file_name
from docduck.sources.remote import FetchedItem, too_large

_MOST_HEADER_BYTES = 256 * 1024


def refusal(size: int | None, most: int) -> str | None:
    """Return why a mail of ``size`` bytes is refused, or None."""
    return too_large(size, most, "DOCDUCK_MAX_MAIL_BYTES")


def described(mail: bytes, **detail: Any) -> FetchedItem:
    """Return how a mail is called, where it came from (``detail``), and what identifies its copies."""
    head = mail[:_MOST_HEADER_BYTES].lstrip(b"\r\n")
    for end in (b"\r\n\r\n", b"\n\n"):
        head = head.partition(end)[0]
    headers = parse_headers(head.decode("utf-8", "surrogateescape"))
    subject = (headers.subject or "mail").replace("/", "-").replace("\\", "-")
    sender = next((sender.address.lower() for sender in headers.from_ if sender.address), None)
    message_id = (headers.message_id or "").strip().strip("<>").strip()
    return FetchedItem(
        file_name(f"{subject}.eml"),
        {**detail, "senderEmail": sender, "subject": headers.subject, "messageId": message_id or None},
        identity=f"mail:{message_id}" if message_id else None,
    )
