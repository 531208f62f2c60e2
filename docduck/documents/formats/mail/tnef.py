"""``winmail.dat``, in which Outlook wraps attachments for other mail programs (MS-OXTNEF)."""

from __future__ import annotations

from collections.abc import Iterator

from docduck.documents.document import Attachment
from docduck.documents.formats.mail.headers import decode_charset
from docduck.documents.formats.mail.mime_part import clean_file_name

CONTENT_TYPES = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
MAX_FILES = 1000

_SIGNATURE = b"\x78\x9f\x3e\x22"
_NEW_FILE, _TITLE, _DATA, _PROPERTIES, _CODEPAGE = 0x9002, 0x8010, 0x800F, 0x9005, 0x9007
_LONG_NAME = 0x3707
_STRING8, _UNICODE = 0x001E, 0x001F


def is_tnef(data: bytes) -> bool:
    """Return whether ``data`` is a TNEF stream."""
    return data.startswith(_SIGNATURE)


def unwrap(data: bytes) -> list[Attachment]:
    """Return the files inside a TNEF stream, as far as it is readable."""
    files: list[Attachment] = []
    charset = "cp1252"
    for tag, value in _attributes(data):
        if tag == _CODEPAGE:
            charset = f"cp{int.from_bytes(value[:4], 'little')}"
        elif tag == _NEW_FILE and len(files) < MAX_FILES:
            files.append(Attachment(f"part-{len(files) + 1}", "application/octet-stream", b""))
        elif files and tag == _TITLE:
            title = clean_file_name(decode_charset(value, charset).split("\x00")[0])
            files[-1].name = title or files[-1].name
        elif files and tag == _DATA:
            files[-1].data = value
        elif files and tag == _PROPERTIES and (name := clean_file_name(_long_name(value, charset))):
            files[-1].name = name
    return [file for file in files if file.data]


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield attribute ids and values: level, id, type, length, value, checksum (MS-OXTNEF 2.1.3)."""
    at = 6
    while at + 9 <= len(data):
        tag = int.from_bytes(data[at + 1 : at + 3], "little")
        size = int.from_bytes(data[at + 5 : at + 9], "little")
        yield tag, data[at + 9 : at + 9 + size]
        at += 9 + size + 2


def _long_name(properties: bytes, charset: str) -> str:
    """Return the long file name among a file's properties: tag (kind, id), count 1, length, text."""
    for kind in (_UNICODE, _STRING8):
        head = kind.to_bytes(2, "little") + _LONG_NAME.to_bytes(2, "little") + b"\x01\x00\x00\x00"
        at = properties.find(head)
        if at >= 0:
            start = at + len(head) + 4
            size = int.from_bytes(properties[start - 4 : start], "little")
            raw = properties[start : start + size]
            text = raw.decode("utf-16-le", "replace") if kind == _UNICODE else decode_charset(raw, charset)
            return text.split("\x00")[0]
    return ""
