"""Control characters of a code's text, which zxing-cpp spells in words or pictures."""

from __future__ import annotations

import re

GROUP = "\x1d"
"""The separator of groups; it also stands for FNC1."""
_CHARACTERS = {"GS": GROUP, "RS": "\x1e", "EOT": "\x04", "LF": "\n", "CR": "\r"}
_PICTURES = str.maketrans({chr(0x2400 + ord(char)): char for char in _CHARACTERS.values()})
_NAMED = re.compile(rf"<({'|'.join(_CHARACTERS)})>")


def with_controls(text: str) -> str:
    """Return the text of a code with its control characters themselves: ``<GS>`` and ``␝`` are 0x1D."""
    return _NAMED.sub(lambda name: _CHARACTERS[name[1]], text).translate(_PICTURES)
