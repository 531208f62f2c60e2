"""Tiling patterns that PDFium would draw for hours, because their tiles are tiny or overlap."""

from __future__ import annotations

import re
from collections.abc import Sequence

LEAST_AREA = 0.25
"""Smallest product of a pattern's steps, in square points."""
MOST_OVERLAP, MOST_NESTED_OVERLAP = 4.0, 1.1
"""Largest size of a tile in steps: of any pattern, and of one whose content may paint patterns."""
_NEAR = 4096
"""Bytes of a pattern's dictionary before its type, and after it, at most."""

_NUMBER = rb"\s*([-+]?\d*\.?\d+|[-+]?\d+\.)(?![^\s/\]>]|\s+\d+\s+R)"
_NO_TYPE = b"0"
_END = re.compile(rb"stream|obj")


def _name(name: str) -> bytes:
    """Return the expression for a PDF name, each letter of which may be written as ``#`` and two digits."""
    return b"/" + b"".join(b"(?:%c|#(?i:%02x))" % (ord(c), ord(c)) for c in name)


_TYPE = re.compile(_name("PatternType") + rb"\s*(\+?0*1(?:\.\d*)?)(?!\d)")
_STEPS = tuple(
    re.compile(_name(name) + rb"(?![^\s/\d.+-])(?:" + _NUMBER + rb")?") for name in ("XStep", "YStep")
)
_BOX = re.compile(_name("BBox") + rb"\s*(?:\[" + _NUMBER * 4 + rb"\s*\])?")
_MATRIX = re.compile(_name("Matrix") + rb"\s*(?:\[" + _NUMBER * 6 + rb"\s*\])?")
_PAINTS = re.compile(
    b"|".join(
        (
            _name("Pattern") + rb"\s*(?:<<|\d)",
            *(_name(name) for name in ("XObject", "Font", "ExtGState")),
            _name("Resources") + rb"\s*\d",
        )
    )
)


def without_endless_patterns(data: bytes) -> bytes:
    """Return the PDF ``data`` with such patterns marked as none; nothing is painted in their place.

    A pattern's dictionary is that of a stream, and so is never compressed or encrypted.
    """
    endless: list[tuple[int, int]] = []
    end, bad = 0, False
    for match in _TYPE.finditer(data):
        if match.start() >= end:
            start = max(data.rfind(b"obj", max(match.start() - _NEAR, end), match.start()), 0)
            closing = _END.search(data, match.start(), match.start() + _NEAR)
            end = closing.start() if closing else match.start() + _NEAR
            bad = _is_endless(data[start:end] if start else b"")
        if bad:
            endless.append(match.span(1))
    if not endless:
        return data
    changed = bytearray(data)
    for first, last in endless:
        changed[first:last] = _NO_TYPE * (last - first)
    return bytes(changed)


def _is_endless(dictionary: bytes) -> bool:
    steps = [_values(pattern, dictionary) for pattern in _STEPS]
    boxes, matrices = _values(_BOX, dictionary), _values(_MATRIX, dictionary)
    unknown = any(None in values for values in (*steps, boxes, matrices))
    if b"%" in dictionary or unknown or not (all(steps) and boxes):
        return True  # a comment, or a reference, can hide what PDFium reads
    across, down = (min(abs(step[0]) for step in values if step) for values in steps)
    scale = min((abs(m[0] * m[3] - m[1] * m[2]) for m in matrices if m), default=1.0)
    if across * down * scale < LEAST_AREA:
        return True
    most = MOST_NESTED_OVERLAP if _PAINTS.search(dictionary) else MOST_OVERLAP
    return any(
        abs(box[2] - box[0]) > most * across or abs(box[3] - box[1]) > most * down for box in boxes if box
    )


def _values(pattern: re.Pattern[bytes], dictionary: bytes) -> Sequence[tuple[float, ...] | None]:
    """Return the numbers of each entry, or None for an entry without any."""
    return [
        None if match[1] is None else tuple(float(number) for number in match.groups())
        for match in pattern.finditer(dictionary)
    ]
