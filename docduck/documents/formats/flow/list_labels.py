"""Labels of list items: bullets and ordinals."""

from __future__ import annotations

BULLET = "•"

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def ordinal(number: int, kind: str) -> str:
    """Return ``number`` in a format of lists: ``decimal``, ``lowerLetter``, ``upperRoman`` and the like."""
    if kind in ("lowerLetter", "upperLetter") and 0 < number < 1000:
        text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return text.upper() if kind == "upperLetter" else text
    if kind in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        text = ""
        for value, letters in _ROMAN:
            text += letters * (number // value)
            number %= value
        return text.upper() if kind == "upperRoman" else text
    return f"{number:02d}" if kind == "decimalZero" else str(number)
