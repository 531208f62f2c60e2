"""Mails to Document: the newest message is page 1, the earlier ones that it quotes follow."""

from __future__ import annotations

import textwrap

from PIL import Image

from docduck.documents.detection.ole import OLE_SIGNATURE
from docduck.documents.document import Attachment, Document, MailAddress, Page
from docduck.documents.formats.mail.html_text import visible_text
from docduck.documents.formats.mail.message import Message, selected_files
from docduck.documents.formats.mail.mime import parse_mime
from docduck.documents.formats.mail.outlook import parse_outlook
from docduck.documents.formats.mail.quotes import split_conversation
from docduck.documents.formats.nested_files import NestedReading
from docduck.documents.formats.page_drawing import draw_page
from docduck.documents.formats.plaintext import text_page
from docduck.documents.read_options import ReadOptions
from docduck.errors import EncryptedMail, UnsupportedFile

_WRAP_AT = 110
"""Characters after which a line without columns is wrapped."""


class MailReader:
    """Reads ``.eml`` and ``.msg``; each message of the conversation is one page, as long as it needs."""

    def __init__(self, nested: NestedReading) -> None:
        self._nested = nested

    def page_count(self, data: bytes, options: ReadOptions) -> int:
        """Return the number of messages."""
        return len(_page_texts(_parse(data)))

    def read(self, data: bytes, content_type: str, options: ReadOptions) -> Document:
        """Return the messages as pages, and those of the attachments after them if the options say so.

        Raise ``EncryptedMail`` if there is nothing that others than its recipient can read.
        """
        message = _parse(data)
        if message.encrypted:
            if not (_body(message).strip() or any(not file.inline for file in message.files)):
                raise EncryptedMail()
            message.warnings.append("A part of the mail is encrypted for its recipient and was left out")
        texts = _page_texts(message)
        document = Document(
            content_type,
            [],
            len(texts),
            attachments=message.files,
            warnings=list(message.warnings),
            mail=message.headers,
        )
        files: list[Attachment] = []
        if options.attachments != "apart":
            files = self._merged_files(message, options, document.warnings)
        if options.attachments == "only" and files:
            document.page_count, texts = 0, []
        self._nested.merge(document, files, options, lambda number: _page(number, texts[number - 1]))
        return document

    def _merged_files(self, message: Message, options: ReadOptions, warnings: list[str]) -> list[Attachment]:
        selected = selected_files(message.files, options.attachment_types)
        files = [file for file in selected if self._nested.can_read(file.content_type)]
        taken = {file.name for file in files}
        warnings += [
            f"{file.name} was left out: {UnsupportedFile().message}"
            for file in message.files
            if file.data and not file.inline and file.name not in taken and not options.attachment_types
        ]
        return files

    def render(self, data: bytes, number: int, width: int, options: ReadOptions) -> Image.Image:
        """Return a message drawn from its words."""
        return draw_page(_page(number, _page_texts(_parse(data))[number - 1]), width)


def _parse(data: bytes) -> Message:
    if data.startswith(OLE_SIGNATURE):
        return parse_outlook(data)
    return parse_mime(data)


def _page_texts(message: Message) -> list[str]:
    newest, *earlier = split_conversation(_body(message))
    texts = ["\n".join([*_header_lines(message), "", newest]), *earlier]
    for part in message.parts:
        texts += _page_texts(part)
    return texts


def _body(message: Message) -> str:
    """Return the body as text: of two forms the HTML one, unless it shows much less than the plain one."""
    if not message.html:
        return message.plain
    text = visible_text(message.html)
    return message.plain if len(text) < 0.5 * len(message.plain.strip()) else text


def _header_lines(message: Message) -> list[str]:
    headers = message.headers
    shown = (
        ("From", _list(headers.from_)),
        ("To", _list(headers.to)),
        ("Cc", _list(headers.cc)),
        ("Date", headers.date_text),
        ("Subject", headers.subject or ""),
        ("Attachments", ", ".join(headers.attachments)),
    )
    return [f"{label}: {value}" for label, value in shown if value]


def _list(addresses: tuple[MailAddress, ...]) -> str:
    return ", ".join(
        f"{a.name} <{a.address}>" if a.name and a.address else a.name or a.address for a in addresses
    )


def _page(number: int, text: str) -> Page:
    """Return one message on one page, which grows with its lines."""
    lines: list[str] = []
    for line in text.split("\n"):
        line = line.expandtabs().rstrip()
        if len(line) <= _WRAP_AT or "   " in line.strip():
            lines.append(line)
        else:
            lines += textwrap.wrap(line, _WRAP_AT, break_long_words=False, break_on_hyphens=False)
    return text_page(number, lines)
