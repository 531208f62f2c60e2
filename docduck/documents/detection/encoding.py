"""Decoding of bytes in an unknown encoding, and recognition of text."""

from __future__ import annotations

import codecs
import re

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_SAMPLE = 8192
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def decode_text(data: bytes) -> str:
    """Return ``data`` as text: by its byte order mark, else UTF-8, UTF-16 without a mark, or Windows-1252.

    Bytes undefined in Windows-1252 become U+FFFD; nothing is raised.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data.decode(name, errors="replace")
    if wide := _wide_encoding(data):
        return data.decode(wide, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def looks_like_text(data: bytes) -> bool:
    """Return whether ``data`` reads as text in an encoding ``decode_text`` knows."""
    if not data:
        return False
    if any(data.startswith(mark) for mark, _ in _BOMS) or _wide_encoding(data):
        return True
    sample = data[:_SAMPLE]
    if b"\x00" in sample:
        return False
    return len(_CONTROLS.findall(sample)) <= len(sample) // 200


def _wide_encoding(data: bytes) -> str | None:
    """Return the UTF-16 of a text without a mark: every second byte is mostly zero, always on one side."""
    sample = data[: _SAMPLE // 2 * 2]
    if len(sample) < 4 or len(data) % 2:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.7 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None
