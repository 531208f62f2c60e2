"""Booleans, check marks and choices among options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from rapidfuzz import fuzz

from docduck.extraction.lexicon import word_set, words
from docduck.extraction.normal_text import key

_PARTS = re.compile(r"\s*[/()|]\s*")
_CHECKED = frozenset("☑☒✓✔✗✘☓■●◉⬛🗹⊠⊗凶図")
_UNCHECKED = frozenset("☐□○◯⬜▢口囗")
"""Marks, and ideographs that OCR reads instead of them."""


def parse_check_mark(text: str) -> bool | None:
    """Return whether the check box at the start or end of ``text`` is ticked, None if there is none."""
    stripped = text.strip()
    for char in (stripped[:1], stripped[-1:]):
        if char in _CHECKED and char:
            return True
        if char in _UNCHECKED and char:
            return False
    bracketed = stripped.replace(" ", "").casefold()
    if bracketed.startswith(("[x]", "(x)")) or bracketed.endswith(("[x]", "(x)")):
        return True
    if bracketed.startswith(("[]", "()")) or bracketed.endswith(("[]", "()")):
        return False
    return None


def parse_boolean(text: str) -> bool | None:
    """Return the boolean of a word in 16 languages or of a check mark; None if it is neither."""
    mark = parse_check_mark(text)
    if mark is not None:
        return mark
    word = key(text)
    if word in word_set("yes_words"):
        return True
    return False if word in word_set("no_words") else None


@cache
def _synonyms() -> dict[str, tuple[str, ...]]:
    return {key(word): tuple(group) for group in words()["synonyms"] for word in group}


@lru_cache(maxsize=4096)
def option_synonyms(option: str) -> tuple[str, ...]:
    """Return an option with its synonyms in eight languages."""
    parts = [option, *(part for part in _PARTS.split(option) if len(part) > 3)]
    others = [word for part in parts for word in _synonyms().get(key(part), ())]
    return tuple(dict.fromkeys([*parts, *others]))


def best_option(text: str, options: Sequence[str]) -> tuple[str, float] | None:
    """Return the option that ``text`` names with a similarity 0–1; None if none is close.

    Synonyms count too ("Überweisung" for "Bank transfer").
    """
    by_name = _most_similar(text, options)
    if by_name is not None:
        return by_name
    option_key = key(text)
    for option in options:
        if any(key(meaning) == option_key for meaning in option_synonyms(option)):
            return option, 0.9
    return None


def _most_similar(text: str, options: Sequence[str]) -> tuple[str, float] | None:
    text_key = key(text)
    if not text_key:
        return None
    best: tuple[str, float] | None = None
    for option in options:
        option_key = key(option)
        if not option_key:
            continue
        score = 1.0 if option_key == text_key else fuzz.ratio(option_key, text_key) / 100
        if score < 1.0 and len(option_key) > 3 and option_key in text_key:
            score = max(score, 0.9)
        if best is None or score > best[1]:
            best = (option, score)
    return best if best and best[1] >= 0.82 else None
