"""Signed and encrypted envelopes (CMS, RFC 5652; ``.p7m``); signatures are not checked."""

from __future__ import annotations

import base64
import binascii
import re

from docduck.documents.detection.content_types import SIGNED
from docduck.documents.detection.mail_sniff import is_mail
from docduck.errors import DamagedFile, EncryptedMail, UnsupportedFile

MOST_ENVELOPES = 5
"""Envelopes within one another that are opened."""

_PKCS7 = bytes.fromhex("06092a864886f70d0107")
_SIGNED_DATA, _DATA = _PKCS7 + b"\x02", _PKCS7 + b"\x01"
"""Object identifiers in DER: 1.2.840.113549.1.7.2 and .1 of the same arc."""
_ENCRYPTED = (
    _PKCS7 + b"\x03",
    _PKCS7 + b"\x06",
    bytes.fromhex("060b2a864886f70d0109100117"),
)
"""EnvelopedData, EncryptedData and AuthEnvelopedData (1.2.840.113549.1.9.16.1.23)."""
_HEAD = 40
_BASE64_HEAD = 400
_ARMOUR = re.compile(rb"\s*(?:-----BEGIN (?:PKCS7|CMS|PKCS #7 SIGNED DATA)-----\s*)?(?=MI)")
_OCTETS, _CONSTRUCTED = 0x04, 0x20
_DEPTH = 32


def is_envelope(data: bytes) -> bool:
    """Return whether ``data`` is a signed or an encrypted envelope."""
    return is_signed(data) or is_encrypted(data)


def is_signed(data: bytes) -> bool:
    """Return whether ``data`` begins as a CMS SignedData, in BER or in base64."""
    return _SIGNED_DATA in _head(data)


def is_encrypted(data: bytes) -> bool:
    """Return whether ``data`` begins as a CMS structure that only its recipients can open."""
    head = _head(data)
    return any(kind in head for kind in _ENCRYPTED)


def opened(data: bytes) -> tuple[bytes, str]:
    """Return what the envelopes around a file hold, and a name for it, which says if it is a mail.

    Raise ``EncryptedMail``, ``UnsupportedFile`` for a signature alone, and ``DamagedFile``.
    """
    for _ in range(MOST_ENVELOPES):
        if is_encrypted(data):
            raise EncryptedMail()
        if not is_signed(data):
            return data, "signed.eml" if is_mail(data, "signed.eml") else ""
        data = signed_content(data)
    raise DamagedFile("a signed envelope nested too deeply")


def signed_content(data: bytes) -> bytes:
    """Return the signed bytes; raise ``UnsupportedFile`` if there are none, and ``DamagedFile``."""
    if data[:1] != b"\x30":
        try:
            data = base64.b64decode(_ARMOUR.sub(b"", data, count=1).partition(b"-----")[0])
        except binascii.Error as error:
            raise DamagedFile(f"a signed envelope in broken base64: {error}") from error
    at = data.find(_DATA)
    if at < 0:
        raise UnsupportedFile(SIGNED)
    try:
        tag, start, end = _header(data, at + len(_DATA))
        if tag != 0xA0:
            raise UnsupportedFile(SIGNED)
        return b"".join(_octets(data, start, end, 0)[0])
    except IndexError as error:
        raise DamagedFile("a signed envelope that ends early") from error


def _head(data: bytes) -> bytes:
    """Return the first bytes of the structure; none if it can be none."""
    if data[:1] == b"\x30":
        return data[:_HEAD]
    armour = _ARMOUR.match(data[:_BASE64_HEAD])
    if armour is None:
        return b""
    text = b"".join(data[armour.end() : armour.end() + _BASE64_HEAD].split())[:80]
    try:
        return base64.b64decode(text[: len(text) // 4 * 4], validate=True)[:_HEAD]
    except binascii.Error:
        return b""


def _header(data: bytes, at: int) -> tuple[int, int, int | None]:
    """Return tag, start and end of the element at ``at``; end is None for an indefinite length."""
    tag, length = data[at], data[at + 1]
    start = at + 2
    if length == 0x80:
        return tag, start, None
    if length & 0x80:
        size = length & 0x7F
        if size > 8:
            raise DamagedFile("a signed envelope with an absurd length")
        length = int.from_bytes(data[start : start + size], "big")
        start += size
    if start + length > len(data):
        raise DamagedFile("a signed envelope that ends early")
    return tag, start, start + length


def _octets(data: bytes, start: int, end: int | None, depth: int) -> tuple[list[bytes], int]:
    """Return the octet strings from ``start`` to ``end`` (or the end-of-contents mark) and where they end."""
    if depth > _DEPTH:
        raise DamagedFile("a signed envelope nested too deeply")
    parts: list[bytes] = []
    at = start
    while end is None or at < end:
        if end is None and data[at : at + 2] == b"\x00\x00":
            return parts, at + 2
        tag, inner, stop = _header(data, at)
        if tag & _CONSTRUCTED:
            more, at = _octets(data, inner, stop, depth + 1)
            parts += more
        elif tag == _OCTETS and stop is not None:
            parts.append(data[inner:stop])
            at = stop
        else:
            raise DamagedFile("a signed envelope whose content is not octets")
    return parts, at
