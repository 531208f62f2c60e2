"""One normal form for comparing printed words: case, accents and punctuation do not count."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SPECIAL = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "ı": "i", "№": "no"})
_NOT_KEY = re.compile(r"[^a-z0-9#%]+")


@lru_cache(maxsize=65536)
def key(text: str) -> str:
    """``text`` case-folded, without accents, and without anything but a–z, 0–9, ``#`` and ``%``."""
    folded = text.casefold().translate(_SPECIAL)
    if folded.isascii():
        return _NOT_KEY.sub("", folded)
    bare = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return _NOT_KEY.sub("", bare)


def words_of(name: str) -> list[str]:
    """The words of a field's name: ``invoice_number``, ``Invoice-Number`` and ``invoiceNumber`` alike."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word for word in re.split(r"[\s_\-/.,:;()]+", spaced) if word]


def squeeze(text: str) -> str:
    """``text`` with each run of white space as one space, and none at the ends."""
    return " ".join(text.split())
