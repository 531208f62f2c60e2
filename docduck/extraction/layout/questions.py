"""Questions and long headings of forms that ask for a field in other words than the lexicon's."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from docduck.extraction.asked import Asked, asking
from docduck.extraction.layout.labels import Occurrence
from docduck.extraction.view import PageView, Segment

_NUMBERED = re.compile(r"^\(?\d{1,2}\s?[a-z]?\s?[.)]?\s?(?=[A-Z])|^[a-zA-Z][.)]\s")
_LIKE = 85.0
"""Likeness (0–100) from which two words are one, read with mistakes."""
_ASKED, _HEADED = 0.9, 0.8
_FEWEST, _MOST = 3, 18


def questions(page: PageView, wanted: Asked) -> list[tuple[Occurrence, float]]:
    """The segments that ask for ``wanted``, as labels with a weight: all its words stand in them."""
    if not wanted.words:
        return []
    return [
        (Occurrence("", segment, 0, len(segment.tokens), frozenset(), alone=True), weight)
        for segment in page.segments
        if (weight := _asks(segment, wanted))
    ]


def _asks(segment: Segment, wanted: Asked) -> float:
    text = segment.text.rstrip()
    count = len(segment.tokens)
    mark = text.endswith(("?", ":"))
    numbered = bool(_NUMBERED.match(text))
    if not _FEWEST <= count <= _MOST or not (mark or numbered):
        return 0.0
    keys = [token.key for token in segment.tokens if len(token.key) > 2]
    people = asking("person_words")
    missing = sum(
        not any(word == k or (len(word) > 4 and fuzz.ratio(word, k) >= _LIKE) for k in keys)
        for word in wanted.words - people
    )
    if missing or not wanted.words - people - asking("name_words"):
        return 0.0
    other = len(keys) - len(wanted.words)
    return (_ASKED if mark else _HEADED) - 0.02 * max(other - 3, 0)
