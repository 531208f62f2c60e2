"""Overlap of a field's name with the words near a value, for fields that the lexicon does not know."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.fields.field_query import FieldQuery
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


def name_overlap(target: FieldQuery, candidate: Candidate) -> float:
    """Return the share, 0–1, of a field name's words that are printed before, left of or above a value."""
    if not target.words:
        return 0.0
    nearby = candidate.nearby_tokens(_REACH, digits=False)
    return max((_coverage(target.words, _keys(tokens)) for tokens in nearby), default=0.0)


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


def _keys(tokens: Iterable[Token]) -> list[str]:
    return [token.key for token in tokens if token.key][-_WORDS:]
