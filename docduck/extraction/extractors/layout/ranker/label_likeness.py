"""Similarity of the words beside an unlabelled value to the labels of a concept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rapidfuzz import fuzz, process

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.lexicon import scalar_concepts
from docduck.extraction.page.page_view import Segment

_WORDS = 4
"""Words before a value that may be an unknown label."""
_REACH = 2.6
"""Maximum distance of such a label above the value, in line heights."""


def label_likeness(candidate: Candidate, concept: str) -> float:
    """Return the similarity, 0–1, of the words before, left of or above a value to the concept's labels."""
    return max((_similarity(text, concept) for text in _contexts(candidate)), default=0.0)


def _contexts(candidate: Candidate) -> Iterator[str]:
    segment = candidate.segment
    before = [token.key for token in segment.tokens[: candidate.start]][-_WORDS:]
    if before:
        yield "".join(before)
        return
    page = segment.page
    left = page.rows[segment.row].before(segment)
    if left is not None:
        yield _end(left)
    for above in page.rows[max(segment.row - 2, 0) : segment.row]:
        for other in above.between(candidate.left, candidate.right):
            near = segment.top - other.bottom < _REACH * page.line_height
            if near and other.left < candidate.right and candidate.left < other.right:
                yield _end(other)


def _end(segment: Segment) -> str:
    return "".join(token.key for token in segment.tokens[-_WORDS:])


@lru_cache(maxsize=16384)
def _similarity(text: str, concept: str) -> float:
    if len(text) < 3 or text.isdigit() or len(text) > 40:
        return 0.0
    known = scalar_concepts()[concept].labels
    match = process.extractOne(text, known.keys(), scorer=fuzz.ratio, score_cutoff=45)
    return match[1] / 100 if match else 0.0
