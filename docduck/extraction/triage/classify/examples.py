"""Similarity to examples: TF-IDF of character n-grams, the nearest centroid of a label's texts."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from docduck.extraction.triage.classify.kinds import plain

_SIZE = 1 << 14
_LENGTHS = (3, 4, 5)
_READ = 12_000
"""Characters of a text that count."""

Vector = NDArray[np.float64]


@lru_cache(maxsize=512)
def _counts(text: str) -> Vector:
    """Return sub-linear counts of a text's n-grams within words, hashed."""
    counts = np.zeros(_SIZE)
    padded = [f" {word} ".encode() for word in plain(text[:_READ]).split()]
    hashes = [
        zlib.crc32(word[at : at + n]) % _SIZE
        for word in padded
        for n in _LENGTHS
        for at in range(len(word) - n + 1)
    ]
    np.add.at(counts, np.array(hashes, dtype=np.int64), 1)
    return np.log1p(counts)


def similarities(text: str, examples: Sequence[Sequence[str]]) -> list[float]:
    """Return how similar ``text`` is to each label's examples: the cosine with their centroid, else 0."""
    vectors = [[_counts(example) for example in some] for some in examples]
    every = [vector for some in vectors for vector in some]
    if not every:
        return [0.0] * len(examples)
    own = _counts(text)
    seen = np.sum([vector > 0 for vector in [*every, own]], axis=0)
    weights = np.log((2 + len(every)) / (1 + seen)) + 0.25
    mine = _unit(own * weights)
    return [
        float(mine @ _unit(np.mean([_unit(vector * weights) for vector in some], axis=0))) if some else 0.0
        for some in vectors
    ]


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
