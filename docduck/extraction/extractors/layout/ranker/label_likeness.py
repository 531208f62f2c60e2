"""Similarity of the words beside an unlabelled value to the labels of a concept."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz import fuzz, process

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.lexicon import scalar_concepts

_WORDS = 4
"""Words before a value that may be an unknown label."""
_REACH = 2.6
"""Maximum distance of such a label above the value, in line heights."""


def label_likeness(candidate: Candidate, concept: str) -> float:
    """Return the similarity, 0–1, of the words before, left of or above a value to the concept's labels."""
    texts = ("".join(t.key for t in tokens[-_WORDS:]) for tokens in candidate.nearby_tokens(_REACH))
    return max((_similarity(text, concept) for text in texts), default=0.0)


@lru_cache(maxsize=16384)
def _similarity(text: str, concept: str) -> float:
    if len(text) < 3 or text.isdigit() or len(text) > 40:
        return 0.0
    known = scalar_concepts()[concept].labels
    match = process.extractOne(text, known.keys(), scorer=fuzz.ratio, score_cutoff=45)
    return match[1] / 100 if match else 0.0
