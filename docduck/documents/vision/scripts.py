"""Scripts: Western or East Asian. The recogniser reads both with one alphabet.

Dirt and ornaments on a Western page resemble ideographs, and its punctuation resembles full-width forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import east_asian_width

WESTERN_SHARE = 0.8
"""A page is Western when at least this share of its letters is."""

LEAST_LETTERS = 2
LEAST_SCORE = 0.9
"""A line of a Western page keeps East Asian letters when it has this many with this mean score."""


def is_east_asian(character: str) -> bool:
    """Return whether ``character`` is an ideograph, kana, or a full-width form.

    The property is East_Asian_Width of Unicode Standard Annex 11. Of the half-width characters only the kana
    count: the sign of the won is one, too.
    """
    return any(east_asian_width(part) in "FW" or "\uff61" <= part <= "\uffdc" for part in character)


def western_classes(alphabet: Iterable[str]) -> list[int]:
    """Return the classes of ``alphabet`` that aren't East Asian; CTC's blank is one."""
    return [index for index, character in enumerate(alphabet) if not is_east_asian(character)]


def is_western_page(text: str) -> bool:
    """Return whether the letters of a page's ``text`` are Western but for a few."""
    letters = [character for character in text if character.isalpha()]
    return sum(map(is_east_asian, letters)) <= (1 - WESTERN_SHARE) * len(letters)


def has_east_asian_letters(characters: str, scores: Sequence[float]) -> bool:
    """Return whether the East Asian letters of a line are probably in print."""
    sure = [
        score
        for character, score in zip(characters, scores, strict=True)
        if character.isalpha() and is_east_asian(character)
    ]
    return len(sure) >= LEAST_LETTERS and sum(sure) >= LEAST_SCORE * len(sure)
