"""RFC 5322 and MIME to a Message. Nothing is raised: broken parts are read as far as possible."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import Message as MimePart

from docduck.documents.detection.signed_envelope import is_encrypted, is_signed, opened
from docduck.documents.document import Attachment, MailAddress, MailHeaders
from docduck.documents.formats.mail import mime_part as mime
from docduck.documents.formats.mail import tnef
from docduck.documents.formats.mail.headers import decode_words, parse_addresses, parse_date
from docduck.documents.formats.mail.message import Message
from docduck.errors import DocumentError

MAX_PARTS = 1000
"""Parts read of one mail."""
MAX_DEPTH = 30
"""Levels of multiparts and digests within one another."""

_SIGNATURES = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
_REPORTS = frozenset({"message/delivery-status", "message/disposition-notification", "text/rfc822-headers"})
_OPAQUE = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_CID = re.compile(r"""cid:([^"'\s>)]+)""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _File:
    attachment: Attachment
    content_id: str
    named: bool
    declared: bool


def parse_mime(data: bytes) -> Message:
    """Return the message in ``data``."""
    return _message(mime.parse(data), 0)


def parse_headers(text: str) -> MailHeaders:
    """Return the headers of a block of header lines, as in .msg files."""
    return _headers(mime.parse(text.encode("utf-8", "surrogateescape")), [])


def _message(root: MimePart, depth: int) -> Message:
    walk = _Walk(root, depth)
    html = "\n".join(walk.html)
    content_ids = {content_id.lower() for content_id in _CID.findall(html)}
    names = []
    for file in walk.files:
        in_text = bool(file.content_id) and file.content_id.lower() in content_ids
        if file.named and (file.declared or not in_text):
            names.append(file.attachment.name)
        file.attachment.inline |= in_text
    return Message(
        headers=_headers(root, names),
        plain="\n".join(walk.plain),
        html=html,
        files=[file.attachment for file in walk.files],
        parts=walk.parts,
        warnings=walk.warnings,
        encrypted=walk.encrypted,
    )


class _Walk:
    """A message's parts, sorted into body, files and messages shown in it."""

    def __init__(self, root: MimePart, depth: int) -> None:
        self.plain: list[str] = []
        self.html: list[str] = []
        self.files: list[_File] = []
        self.parts: list[Message] = []
        self.warnings: list[str] = []
        self.encrypted = False
        stack: list[tuple[MimePart, str, int]] = [(root, "", depth)]
        seen = 0
        while stack:
            part, parent, level = stack.pop()
            seen += 1
            if seen > MAX_PARTS or level > MAX_DEPTH:
                self.warnings.append(f"Only {MAX_PARTS} parts and {MAX_DEPTH} levels of the mail were read")
                break
            kind = mime.content_type(part, parent)
            children = part.get_payload()
            if kind == "multipart/encrypted":
                self.encrypted = True
            elif kind.startswith("multipart/") and isinstance(children, list):
                stack += [(c, kind, level + 1) for c in reversed(children) if isinstance(c, MimePart)]
            elif (signed := _signed_mail(part, kind)) is not None:
                stack.append((signed, kind, level + 1))
            else:
                self._leaf(part, kind, parent, level)

    def _leaf(self, part: MimePart, kind: str, parent: str, level: int) -> None:
        name, declared = mime.file_name(part), mime.disposition(part) == "attachment"
        apart = declared or bool(name)
        if kind == "message/rfc822":
            self._nested(part, name, shown=parent == "multipart/digest" and not apart, level=level)
        elif kind == "text/html" and not apart:
            self.html.append(mime.body_text(part))
        elif kind in ("text/plain", "text", "text/enriched") and not apart:
            self._plain(self._deciphered(mime.body_text(part)), parent)
        elif kind in _REPORTS and not apart:
            self._plain(_report_text(part), parent)
        elif kind.startswith("multipart/") and not apart:
            self._plain(mime.body_text(part), parent)
        else:
            file_name = name or f"part-{len(self.files) + 1}.{_suffix(kind)}"
            file = Attachment(file_name, kind, mime.payload(part), inline=kind in _SIGNATURES)
            if kind in tnef.CONTENT_TYPES or tnef.is_tnef(file.data):
                file.inline = True
                self.files += [_File(inner, "", True, True) for inner in tnef.unwrap(file.data)]
            if is_encrypted(file.data):
                self.encrypted = True
                return
            content_id = mime.header(part, "Content-ID").strip("<> ")
            self.files.append(_File(file, content_id, bool(name), declared))

    def _deciphered(self, text: str) -> str:
        """Return a text without what is encrypted by PGP in it."""
        before, begin, rest = text.partition("-----BEGIN PGP MESSAGE-----")
        self.encrypted |= bool(begin)
        return before + rest.partition("-----END PGP MESSAGE-----")[2] if begin else text

    def _plain(self, text: str, parent: str) -> None:
        self.plain.append(text)
        if parent != "multipart/alternative" and self.html and text.strip():
            escaped = text.replace("&", "&amp;").replace("<", "&lt;")
            self.html.append(f"<pre>{escaped}</pre>")

    def _nested(self, part: MimePart, name: str, *, shown: bool, level: int) -> None:
        data = mime.nested_mail(part)
        inner = mime.parse(data)
        if shown:
            self.parts.append(_message(inner, level + 1))
            return
        subject = decode_words(mime.header(inner, "Subject")).replace("/", "-").replace("\\", "-")
        file_name = name or f"{subject or 'message'}.eml"
        # A forwarded mail that was left without a body and files is no document.
        file = Attachment(file_name, "message/rfc822", data, inline=_is_blank(inner))
        self.files.append(_File(file, "", bool(name), True))


def _signed_mail(part: MimePart, kind: str) -> MimePart | None:
    """Return the mail inside an opaque-signed part (RFC 8551, 3.5.2); None for any other part."""
    if kind not in _OPAQUE and not mime.file_name(part).lower().endswith(".p7m"):
        return None
    data = mime.payload(part)
    if not is_signed(data):
        return None
    try:
        content, name = opened(data)
    except DocumentError:
        return None
    return mime.parse(content) if name else None


def _is_blank(mail: MimePart) -> bool:
    """Return whether a mail has neither text nor parts; what is before the parts of a mail is no text."""
    content = mail.get_payload()
    if not isinstance(content, str):
        return not content
    return not content.strip() or (mail.get_content_maintype() == "multipart" and "--" not in content)


def _headers(root: MimePart, attachments: list[str]) -> MailHeaders:
    date = mime.header(root, "Date")
    return MailHeaders(
        subject=decode_words(mime.header(root, "Subject")) or None,
        from_=_addresses(root, "From") or _addresses(root, "Sender"),
        to=_addresses(root, "To"),
        cc=_addresses(root, "Cc"),
        bcc=_addresses(root, "Bcc"),
        reply_to=_addresses(root, "Reply-To"),
        date=parse_date(date) if date else None,
        date_text=date,
        message_id=mime.header(root, "Message-ID") or None,
        in_reply_to=mime.header(root, "In-Reply-To") or None,
        attachments=tuple(attachments),
    )


def _addresses(root: MimePart, name: str) -> tuple[MailAddress, ...]:
    return tuple(address for text in mime.headers(root, name) for address in parse_addresses(text))


def _report_text(part: MimePart) -> str:
    """Return a delivery report's fields; the standard parser takes each block of them for a message."""
    blocks = part.get_payload()
    if not isinstance(blocks, list):
        return mime.body_text(part)
    lines = [
        "\n".join(f"{key}: {' '.join(str(value).split())}" for key, value in block.raw_items())
        for block in blocks
        if isinstance(block, MimePart)
    ]
    return "\n\n".join(lines)


def _suffix(kind: str) -> str:
    return kind.rpartition("/")[2].split("+")[0].removeprefix("x-") or "bin"
