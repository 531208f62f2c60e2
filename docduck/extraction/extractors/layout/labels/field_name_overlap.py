"""Overlap of a field's name with the words near a value, for fields that the lexicon does not know."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.fields.field_targets import FieldTarget
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import Token

_COMMON = 0.35
"""Weight of a generic word such as "date" or "number"; specific words weigh 1."""
_ALIKE = 86.0
"""Similarity (0–100) from which a printed word equals a word of the name despite endings or OCR errors."""
_ENOUGH = 0.6
_REACH = 2.4
"""Maximum distance of a label above its value, in line heights."""
_WORDS = 6


def name_overlap(target: FieldTarget, candidate: Candidate) -> float:
    """Return the share, 0–1, of the words of a field's name that are printed before, left of or above a value."""
    if not target.words:
        return 0.0
    return max((_coverage(target.words, words) for words in _contexts(candidate)), default=0.0)


def is_enough(share: float) -> bool:
    """Return whether an overlap is enough to take the value for the field's."""
    return share >= _ENOUGH


def _coverage(name_words: Iterable[str], printed: list[str]) -> float:
    common = word_set("generic_words")
    total = hit = 0.0
    for word in name_words:
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
