"""The content of a signed envelope (CMS SignedData, RFC 5652; ``.p7m``), without checking its signature."""

from __future__ import annotations

import base64
import binascii

from docduck.errors import DamagedFile

_SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
"""The object identifier 1.2.840.113549.1.7.2 in DER."""
_DATA = bytes.fromhex("06092a864886f70d010701")
_OCTETS, _CONSTRUCTED = 0x04, 0x20
_DEPTH = 32


def is_signed(data: bytes) -> bool:
    """Return whether ``data`` begins as a CMS SignedData, in BER or in base64."""
    if data[:1] == b"\x30":
        return _SIGNED_DATA in data[:40]
    if data[:2] in (b"MI", b"MF"):
        head = b"".join(data[:400].split())[:80]
        try:
            return _SIGNED_DATA in base64.b64decode(head[: len(head) // 4 * 4], validate=True)[:40]
        except binascii.Error:
            return False
    return False


def signed_content(data: bytes) -> bytes:
    """Return the signed bytes; raise ``DamagedFile`` if there are none or the structure is broken."""
    if data[:1] != b"\x30":
        try:
            data = base64.b64decode(data)
        except binascii.Error as error:
            raise DamagedFile(f"a signed envelope in broken base64: {error}") from error
    at = data.find(_DATA)
    if at < 0:
        raise DamagedFile("a signed envelope without its content")
    try:
        tag, start, end = _header(data, at + len(_DATA))
        if tag != 0xA0:
            raise DamagedFile("a signed envelope without its content")
        return b"".join(_octets(data, start, end, 0)[0])
    except IndexError as error:
        raise DamagedFile("a signed envelope that ends early") from error


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
