"""Normal forms of text.

``key`` compares words with the lexicon, whose languages are written in Latin letters. ``value_key`` compares
values with what a page prints, in any script.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LETTERS = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "ı": "i", "№": "no"}
_ACCENTS = re.compile("[\u0300-\u036f]+")
_NOT_KEY = re.compile(r"[^a-z0-9#%]+")
_ACRONYM = re.compile(r"\b[A-Z]{2,5}\b")


def fold(text: str) -> str:
    """Return ``text`` case-folded and without accents."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    for letter, plain in _LETTERS.items():
        folded = folded.replace(letter, plain)
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", folded))


@lru_cache(maxsize=65536)
def key(text: str) -> str:
    """Return ``text`` case-folded, without accents, and without anything but a–z, 0–9, ``#`` and ``%``."""
    return _NOT_KEY.sub("", fold(text))


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
