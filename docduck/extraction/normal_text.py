"""Normal forms of text.

``key`` compares words with the lexicon, ``value_key`` values with what a page prints, ``plain`` prepares
numbers and dates for parsers. All of them read any script.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LETTERS = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "ı": "i", "№": "no"}
_ACCENTS = re.compile("[\u0300-\u036f]+")
_NOT_KEY = re.compile(r"[^\w#%]+|_+")
_ZEROS = (
    0x0660, 0x06F0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6, 0x0E50,
    0x0ED0, 0x0F20, 0x1040, 0x17E0,
)  # fmt: skip
"""The digits 0 of the scripts that have digits of their own, from Arabic to Khmer; 1 to 9 follow each."""
_PLAIN = {
    **{zero + digit: str(digit) for zero in _ZEROS for digit in range(10)},
    **{full: chr(full - 0xFEE0) for full in range(0xFF01, 0xFF5F)},
    **dict(zip((0x066A, 0x066B, 0x066C, 0xFFE0, 0xFFE1, 0xFFE5, 0xFFE6), "%.,¢£¥₩", strict=True)),
}
"""Digits and signs of ASCII, and signs of currencies, by those that stand for them."""
_ACRONYM = re.compile(r"\b[A-Z]{2,5}\b")


def fold(text: str) -> str:
    """Return ``text`` case-folded and without accents."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    for letter, plain in _LETTERS.items():
        folded = folded.replace(letter, plain)
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", folded))
    return bare if bare.isascii() else unicodedata.normalize("NFC", bare)


@lru_cache(maxsize=65536)
def key(text: str) -> str:
    """Return ``text`` case-folded, without accents, of letters, digits, ``#`` and ``%`` alone."""
    return _NOT_KEY.sub("", fold(plain(text)))


def plain(text: str) -> str:
    """Return ``text`` with digits and signs of other scripts and of full width as ASCII has them.

    Every character stays at its place.
    """
    return text if text.isascii() else text.translate(_PLAIN)


def value_key(text: str) -> str:
    """Return the letters and digits of ``text``, case-folded: equal for two spellings of the same value."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum())


def words_of(name: str) -> list[str]:
    """Return the words of a name: ``invoice_number``, ``Invoice-Number`` and ``invoiceNumber`` alike."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word for word in re.split(r"[\s_\-/.,:;()]+", spaced) if word]


def acronyms(text: str) -> list[str]:
    """Return the words of two to five capitals in ``text``: "EIN" of "Operator EIN"."""
    return _ACRONYM.findall(text)


def squeeze(text: str) -> str:
    """Return ``text`` with each run of white space as one space, and none at the ends."""
    return " ".join(text.split())
