"""Splitting of overlong words into neighbouring words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from docduck.documents.document import Box, Word

MAX_WORD = 500
"""Characters of a word."""


def split_long_words(words: Iterable[Word]) -> list[Word]:
    """Return ``words`` with those of more than ``MAX_WORD`` characters split."""
    listed = list(words)
    if all(len(word.text) <= MAX_WORD for word in listed):
        return listed
    return [piece for word in listed for piece in ((word,) if len(word.text) <= MAX_WORD else _pieces(word))]


def _pieces(word: Word) -> list[Word]:
    text, box = word.text, word.box
    unit = box.width / len(text)
    return [
        replace(
            word,
            text=text[at : at + MAX_WORD],
            box=Box(box.left + at * unit, box.top, len(text[at : at + MAX_WORD]) * unit, box.height),
        )
        for at in range(0, len(text), MAX_WORD)
    ]
