"""Scripts: Western or East Asian. The recogniser reads both with one alphabet.

Dirt and ornaments on a Western page resemble ideographs, and its punctuation resembles full-width forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width, normalize

WESTERN_SHARE = 0.8
"""A page is Western when at least this share of its letters is."""

LEAST_LETTERS = 2
LEAST_SCORE = 0.9
"""A line of a Western page keeps East Asian letters when it has this many with this mean score."""


_SAME_SHAPE = {"□": "口囗ロ", "☒": "冈凶図"}
"""Signs of forms, each with the ideographs that the recogniser reads instead."""

_SIGNS = {ideograph: sign for sign, ideographs in _SAME_SHAPE.items() for ideograph in ideographs}


def western_form(character: str) -> str | None:
    """Return ``character`` as it is on a Western page; None for an ideograph or kana, which isn't.

    Full-width forms become ASCII, and ideographs of the shape of a check box that box.
    """
    if not is_east_asian(character):
        return character
    form = _SIGNS.get(character) or normalize("NFKC", character)
    return form if len(form) == 1 and not is_east_asian(form) else None


def is_east_asian(character: str) -> bool:
    """Return whether ``character`` is an ideograph, kana, or a full-width form.

    The property is East_Asian_Width of Unicode Standard Annex 11. Of the half-width characters only the kana
    count: the sign of the won is one, too.
    """
    return any(east_asian_width(part) in "FW" or "\uff61" <= part <= "\uffdc" for part in character)


def is_western_page(text: str) -> bool:
    """Return whether the letters of a page's ``text`` are Western but for a few."""
    letters = [character for character in text if character.isalpha()]
    return sum(map(_is_foreign, letters)) <= (1 - WESTERN_SHARE) * len(letters)


def has_east_asian_letters(characters: str, scores: Sequence[float]) -> bool:
    """Return whether the East Asian letters of a line are probably in print."""
    foreign = [
        score
        for character, score in zip(characters, scores, strict=True)
        if character.isalpha() and _is_foreign(character)
    ]
    return len(foreign) >= LEAST_LETTERS and sum(foreign) >= LEAST_SCORE * len(foreign)


def _is_foreign(character: str) -> bool:
    return western_form(character) is None
