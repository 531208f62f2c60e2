"""Values of fields that the lexicon does not know: by the words that a page and the field's name share."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.fields.field_targets import FieldTarget
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import Token

_COMMON = 0.35
"""The weight of a word such as "date" or "number", against 1 for a word of the field's own."""
_ALIKE = 86.0
"""Likeness (0–100) from which a printed word is a word of the name: plurals, endings, misread letters."""
_ENOUGH = 0.6
_REACH = 2.4
"""Line heights above a value in which its label may stand."""
_WORDS = 6


def name_overlap(target: FieldTarget, candidate: Candidate) -> float:
    """The share, 0–1, of the words of a field's name that stand before, left of or above a value."""
    if not target.words:
        return 0.0
    return max((_coverage(target.words, words) for words in _contexts(candidate)), default=0.0)


def is_enough(share: float) -> bool:
    """Whether so much of a name is printed that the value is its."""
    return share >= _ENOUGH


def _coverage(wanted: Iterable[str], printed: list[str]) -> float:
    common = word_set("generic_words")
    total = hit = 0.0
    for word in wanted:
        weight = _COMMON if word in common else 1.0
        total += weight
        if any(one == word or (len(word) > 3 and fuzz.ratio(one, word) >= _ALIKE) for one in printed):
            hit += weight
    return hit / total if total >= 1.0 else 0.0


def _contexts(candidate: Candidate) -> list[list[str]]:
    segment = candidate.segment
    page = segment.page
    before = list(segment.tokens[: candidate.start])
    if before:
        return [_keys(before)]
    left = page.rows[segment.row].before(segment)
    found = [_keys(left.tokens)] if left is not None else []
    for above in page.rows[max(segment.row - 2, 0) : segment.row]:
        for other in above.between(candidate.left, candidate.right):
            near = segment.top - other.bottom < _REACH * page.line_height
            if near and not other.has_digit and other.left < candidate.right and candidate.left < other.right:
                found.append(_keys(other.tokens))
    return found


def _keys(tokens: Iterable[Token]) -> list[str]:
    return [token.key for token in tokens if token.key][-_WORDS:]
