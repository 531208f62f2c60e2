"""Headers and content of one MIME part, however broken."""

from __future__ import annotations

import re
from email.message import Message as MimePart
from email.parser import BytesParser
from email.policy import Compat32
from email.utils import collapse_rfc2231_value

from docduck.documents.formats.mail.headers import decode_charset, decode_words, header_text

_MBOX = re.compile(rb"^From \S+.*\r?\n")
_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f]+")
_LONGEST_NAME = 255
_MOST_PARAMETERS = 20_000
"""Characters of a header with parameters; the standard parser takes as long as the square of them."""


class _Bounded(Compat32):
    """The standard policy, with headers of parameters cut to ``_MOST_PARAMETERS``."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_MOST_PARAMETERS] if name.lower() in _WITH_PARAMETERS else value


_WITH_PARAMETERS = ("content-type", "content-disposition")
_POLICY = _Bounded()


def parse(data: bytes) -> MimePart:
    """Return the parsed mail; if its structure can't be parsed, its headers and the rest as one body."""
    data = _MBOX.sub(b"", data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n\t "), count=1)
    try:
        return BytesParser(policy=_POLICY).parsebytes(data)
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError):
        return BytesParser(policy=_POLICY).parsebytes(data, headersonly=True)


def headers(part: MimePart, name: str) -> list[str]:
    """Return the values of all headers of a name, unfolded, encoded words not decoded."""
    lower_name = name.lower()
    return [header_text(str(value)) for key, value in part.raw_items() if key.lower() == lower_name]


def header(part: MimePart, name: str) -> str:
    """Return the first non-empty of ``headers``, or an empty string."""
    return next((text for text in headers(part, name) if text), "")


def content_type(part: MimePart, parent: str) -> str:
    """Return the MIME type in lower case; what a part of ``parent`` is by default where it states none."""
    stated = _TYPE.match(header(part, "Content-Type").strip("\"' "))
    if stated:
        return stated[0].lower()
    return "message/rfc822" if parent == "multipart/digest" else "text/plain"


def disposition(part: MimePart) -> str:
    """Return ``attachment``, ``inline`` or an empty string."""
    return header(part, "Content-Disposition").split(";")[0].strip().lower()


def file_name(part: MimePart) -> str:
    """Return the file name without any folder, decoded by RFC 2231 or 2047; empty if it has none."""
    for name, parameter in (("Content-Disposition", "filename"), ("Content-Type", "name")):
        try:
            value = part.get_param(parameter, None, name)
            text = collapse_rfc2231_value(value) if value else ""
        except (LookupError, ValueError, TypeError, AttributeError):
            continue
        if clean_name := clean_file_name(decode_words(header_text(text))):
            return clean_name
    return ""


def clean_file_name(text: str) -> str:
    """Return ``text`` as a file name without folders and control characters; it may become empty."""
    name = re.split(r"[/\\]", _UNSAFE.sub(" ", text).strip().strip('"'))[-1].strip()
    return name[-_LONGEST_NAME:] if name.strip(".") else ""


def payload(part: MimePart) -> bytes:
    """Return the decoded content; a broken transfer encoding is decoded as far as possible."""
    try:
        data = part.get_payload(decode=True)
    except (ValueError, TypeError, LookupError, AssertionError, IndexError):
        data = None
    if isinstance(data, bytes):
        return data
    text = part.get_payload()
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else b""


def body_text(part: MimePart) -> str:
    """Return a text part's text, with soft line breaks of ``format=flowed`` (RFC 3676) joined."""
    text = decode_charset(payload(part), _parameter(part, "charset")).replace("\r\n", "\n")
    if _parameter(part, "format").lower() != "flowed":
        return text
    return _unflowed(text, _parameter(part, "delsp").lower() == "yes")


def nested_mail(part: MimePart) -> bytes:
    """Return the mail inside a ``message/rfc822`` part; base64 is accepted, too, against the standard."""
    children = part.get_payload()
    inner = children[0] if isinstance(children, list) and children else None
    if not isinstance(inner, MimePart):
        return payload(part)
    if (
        header(part, "Content-Transfer-Encoding").lower() in ("base64", "quoted-printable")
        and not inner.keys()
    ):
        inner["Content-Transfer-Encoding"] = header(part, "Content-Transfer-Encoding")
        return payload(inner)
    try:
        return inner.as_bytes()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return b""


def _parameter(part: MimePart, name: str) -> str:
    try:
        value = part.get_param(name)
        return collapse_rfc2231_value(value).strip("\"' ") if value else ""
    except (LookupError, ValueError, TypeError, AttributeError):
        return ""


def _unflowed(text: str, drop_space: bool) -> str:
    parts: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        bare = line.lstrip(">")
        depth = len(line) - len(bare)
        bare = bare.removeprefix(" ")
        if depth == open_depth and bare != "-- ":
            if drop_space:
                parts[-1] = parts[-1][:-1]
        else:
            parts.append("\n" * bool(parts) + (">" * depth + " " if depth else ""))
        parts.append(bare)
        flows = bare.endswith(" ") and bare != "-- "
        open_depth = depth if flows else -1
    return "".join(parts)
