"""Questions and long headings of forms that ask for a field in other words than the lexicon's."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import PageView, Segment

_NUMBERED = re.compile(r"^\(?\d{1,2}\s?[a-z]?\s?[.)]?\s?(?=[A-Z])|^[a-zA-Z][.)]\s")
_LIKE = 85.0
"""Likeness (0–100) from which two words are one, read with mistakes."""
_ASKED, _HEADED = 0.9, 0.8
_FEWEST, _MOST = 3, 18


def asking_segments(page: PageView) -> list[Segment]:
    """The segments of a page that have the form of a question or of a form's heading."""
    return [
        segment
        for segment in page.segments
        if _FEWEST <= len(segment.tokens) <= _MOST and (_has_mark(segment) or _NUMBERED.match(segment.text))
    ]


def questions(segments: Sequence[Segment], query: FieldQuery) -> list[tuple[LabelMatch, float]]:
    """Return those of ``segments`` that have all words of the field's name, as labels with a weight."""
    if not query.words:
        return []
    return [
        (LabelMatch("", segment, 0, len(segment.tokens), frozenset(), alone=True), weight)
        for segment in segments
        if (weight := _asks(segment, query))
    ]


def _has_mark(segment: Segment) -> bool:
    return segment.text.rstrip().endswith(("?", ":"))


def _asks(segment: Segment, query: FieldQuery) -> float:
    keys = [token.key for token in segment.tokens if len(token.key) > 2]
    people = word_set("person_words", "asking")
    missing = sum(
        not any(word == k or (len(word) > 4 and fuzz.ratio(word, k) >= _LIKE) for k in keys)
        for word in query.words - people
    )
    if missing or not query.words - people - word_set("name_words", "asking"):
        return 0.0
    other = len(keys) - len(query.words)
    return (_ASKED if _has_mark(segment) else _HEADED) - 0.02 * max(other - 3, 0)
