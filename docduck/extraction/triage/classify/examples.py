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


@lru_cache(maxsize=50_000)
def _ngrams(word: str) -> NDArray[np.int64]:
    """Return the hashes of a word's n-grams."""
    padded = f" {word} ".encode()
    hashes = [zlib.crc32(padded[at : at + n]) % _SIZE for n in _LENGTHS for at in range(len(padded) - n + 1)]
    return np.array(hashes, dtype=np.int64)


def _counts(text: str) -> Vector:
    """Return sub-linear counts of a text's n-grams within words, hashed."""
    ngrams = [_ngrams(word) for word in plain(text[:_READ]).split()]
    if not ngrams:
        return np.zeros(_SIZE)
    return np.log1p(np.bincount(np.concatenate(ngrams), minlength=_SIZE))


@lru_cache(maxsize=16)
def _centroids(examples: tuple[tuple[str, ...], ...]) -> tuple[Vector, tuple[Vector | None, ...]]:
    """Return the weights of n-grams, and the centroid of each label's examples."""
    vectors = [[_counts(example) for example in texts] for texts in examples]
    every = [vector for some in vectors for vector in some]
    seen = np.sum([vector > 0 for vector in every], axis=0)
    weights = np.log((2 + len(every)) / (1 + seen)) + 0.25
    return weights, tuple(
        _unit(np.mean([_unit(vector * weights) for vector in some], axis=0)) if some else None
        for some in vectors
    )


def similarities(text: str, examples: Sequence[Sequence[str]]) -> list[float]:
    """Return how similar ``text`` is to each label's examples: the cosine with their centroid, else 0."""
    if not any(examples):
        return [0.0] * len(examples)
    weights, centroids = _centroids(tuple(tuple(texts) for texts in examples))
    mine = _unit(_counts(text) * weights)
    return [0.0 if centroid is None else float(mine @ centroid) for centroid in centroids]


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
