"""The extractor of a mail's headers: subject, sender, recipients, date and so on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from zoneinfo import ZoneInfo

from docduck.documents.document import Box, Document, Line, MailAddress, MailHeaders, Page
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.mail.headers import header_fields, mailbox_part
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.options import ExtractOptions, ReadingLocale
from docduck.extraction.page.page_view import ATTACHMENTS
from docduck.extraction.result import Finding, Location
from docduck.fields import FieldType

_CONFIDENCE = 0.99
_SHOWN_AS = {
    "subject": "Subject:",
    "sender": "From:",
    "sender_address": "From:",
    "sender_name": "From:",
    "recipients": "To:",
    "cc": "Cc:",
    "date": "Date:",
    "attachments": ATTACHMENTS,
}
"""The labels of the header lines on page 1."""


class MailExtractor:
    """Finds the values that a mail states in its headers."""

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings for fields that mean a header; those whose header the mail lacks are absent."""
        findings = Findings()
        if document.mail is None:
            return findings
        lines = _header_lines(document.pages)
        for name, (header, certain) in header_fields(queries).items():
            query = next(q for q in queries if q.name == name)
            value = _value(document.mail, header, query, options.locale)
            if value is not None and value != []:
                findings.scalars[name] = _finding(value, lines, _SHOWN_AS.get(header, ""))
            elif certain:
                findings.absent.add(name)
        return findings


def _value(mail: MailHeaders, header: str, query: FieldQuery, locale: ReadingLocale) -> Any:
    match header:
        case "subject" | "message_id" | "in_reply_to":
            return getattr(mail, header)
        case "sender_address":
            return next((a.address for a in mail.from_ if a.address), None)
        case "sender_name":
            return next((a.name or a.address for a in mail.from_), None)
        case "sender":
            return next((_mailbox(a, query) for a in mail.from_), None)
        case "recipients":
            return _mailboxes(mail.to, query)
        case "cc" | "bcc" | "reply_to":
            return _mailboxes(getattr(mail, header), query)
        case "date":
            return _date(mail, query, locale)
    return _attachments(mail.attachments, query)


def _mailbox(mailbox: MailAddress, query: FieldQuery) -> str:
    """Return the address or the name where the field asks for one of them, else both."""
    part = mailbox_part(query)
    if part == "name":
        return mailbox.name or mailbox.address
    if part == "address" or query.type is FieldType.LIST or not (mailbox.name and mailbox.address):
        return mailbox.address or mailbox.name
    return f"{mailbox.name} <{mailbox.address}>"


def _mailboxes(mailboxes: tuple[MailAddress, ...], query: FieldQuery) -> list[str] | str | None:
    texts = [_mailbox(mailbox, query) for mailbox in mailboxes]
    return texts if query.type is FieldType.LIST else ", ".join(texts) or None


def _date(mail: MailHeaders, query: FieldQuery, locale: ReadingLocale) -> str | None:
    if query.type is FieldType.TEXT:
        return mail.date_text or None
    if mail.date is None:
        return None
    moment = mail.date
    if locale.time_zone != "auto" and moment.tzinfo is not None:
        # A moment at either end of the calendar has no date in some zones.
        with suppress(OverflowError):
            moment = moment.astimezone(ZoneInfo(locale.time_zone))
    return moment.date().isoformat()


def _attachments(names: tuple[str, ...], query: FieldQuery) -> Any:
    match query.type:
        case FieldType.NUMBER:
            return len(names)
        case FieldType.BOOLEAN:
            return bool(names)
        case FieldType.LIST:
            return list(names)
    return ", ".join(names) or None


def _header_lines(pages: Sequence[Page]) -> list[Line]:
    """Return the lines of page 1 that may show the headers."""
    first = next((page for page in pages if page.number == 1), None)
    return list(first.lines)[:40] if first else []


def _finding(value: Any, lines: list[Line], label: str) -> Finding:
    line = next((line for line in lines if label and line.words[0].text == label), None)
    if line is None or len(line.words) < 2:
        return Finding(value, _CONFIDENCE, source="structured")
    words = line.words[1:]
    some = [
        w for part in (value if isinstance(value, list) else [value]) for w in words if str(part) in w.text
    ]
    box = Box.around(word.box for word in some or words)
    text = " ".join(word.text for word in some or words)
    return Finding(value, _CONFIDENCE, (Location(1, box, text),), text, "structured")
