"""Answers fields that ask for a mail's headers: subject, sender, recipients, date and so on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from zoneinfo import ZoneInfo

from docduck.documents.document import Box, Document, Line, MailAddress, MailHeaders, Page
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.mail.fields import header_fields, wanted_part
from docduck.extraction.options import ExtractOptions, ReadingLocale
from docduck.extraction.result import Finding, Location
from docduck.fields import Field, FieldType

_CONFIDENCE = 0.99
_SHOWN_AS = {
    "subject": "Subject:",
    "sender": "From:",
    "sender_address": "From:",
    "sender_name": "From:",
    "recipients": "To:",
    "cc": "Cc:",
    "date": "Date:",
    "attachments": "Attachments:",
}
"""The labels of the header lines on page 1."""


class MailExtractor:
    """Knows the values that a mail states in its headers."""

    name = "mail"

    def find(self, document: Document, fields: Sequence[Field], options: ExtractOptions) -> Findings:
        """Findings for fields that mean a header; those whose header the mail lacks are absent."""
        found = Findings()
        if document.mail is None:
            return found
        lines = _header_lines(document.pages)
        for name, (header, certain) in header_fields(fields).items():
            field = next(f for f in fields if f.name == name)
            value = _value(document.mail, header, field, options.locale)
            if value is not None and value != []:
                found.scalars[name] = _finding(value, lines, _SHOWN_AS.get(header, ""))
            elif certain:
                found.absent.add(name)
        return found


def _value(mail: MailHeaders, header: str, field: Field, locale: ReadingLocale) -> Any:
    match header:
        case "subject":
            return mail.subject
        case "sender_address":
            return next((a.address for a in mail.from_ if a.address), None)
        case "sender_name":
            return next((a.name or a.address for a in mail.from_), None)
        case "sender":
            return next((_mailbox(a, field) for a in mail.from_), None)
        case "recipients":
            return _mailboxes(mail.to, field)
        case "cc":
            return _mailboxes(mail.cc, field)
        case "bcc":
            return _mailboxes(mail.bcc, field)
        case "reply_to":
            return _mailboxes(mail.reply_to, field)
        case "date":
            return _date(mail, field, locale)
        case "message_id":
            return mail.message_id
        case "in_reply_to":
            return mail.in_reply_to
    return _attachments(mail.attachments, field)


def _mailbox(mailbox: MailAddress, field: Field) -> str:
    """Address or name where the field asks for one of them, else both as mails show them."""
    part = wanted_part(field)
    if part == "name":
        return mailbox.name or mailbox.address
    if part == "address" or field.type is FieldType.LIST or not (mailbox.name and mailbox.address):
        return mailbox.address or mailbox.name
    return f"{mailbox.name} <{mailbox.address}>"


def _mailboxes(mailboxes: tuple[MailAddress, ...], field: Field) -> list[str] | str | None:
    shown = [_mailbox(mailbox, field) for mailbox in mailboxes]
    return shown if field.type is FieldType.LIST else ", ".join(shown) or None


def _date(mail: MailHeaders, field: Field, locale: ReadingLocale) -> str | None:
    if field.type is FieldType.TEXT:
        return mail.date_text or None
    if mail.date is None:
        return None
    moment = mail.date
    if locale.time_zone != "auto" and moment.tzinfo is not None:
        # A moment at either end of the calendar has no date in some zones.
        with suppress(OverflowError):
            moment = moment.astimezone(ZoneInfo(locale.time_zone))
    return moment.date().isoformat()


def _attachments(names: tuple[str, ...], field: Field) -> Any:
    match field.type:
        case FieldType.NUMBER:
            return len(names)
        case FieldType.BOOLEAN:
            return bool(names)
        case FieldType.LIST:
            return list(names)
    return ", ".join(names) or None


def _header_lines(pages: Sequence[Page]) -> list[Line]:
    """The lines of page 1 that may be its headers."""
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
