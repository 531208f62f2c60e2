"""A linear listwise model: a softmax over a target's candidates and "none of them".

The weights, one row per group of targets, come from ``tests.training``.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path
from typing import Any

from docduck.extraction.extractors.layout.ranker.features import FEATURES
from docduck.extraction.extractors.layout.scored_candidate import ScoredCandidate

WEIGHTS = Path(__file__).parent / "weights.json"
_RANKER_SHARE = 0.5
"""Weight of the ranker in a blended score; the rest is the rules' score."""
_MIN_SHARE = 0.8
"""Minimum share of the rules' score that remains."""
_SURE, _CLOSE = 0.6, 0.12
"""Score from which rules are trusted, and distance to another value below which they are not."""


def is_unsure(scored: Sequence[ScoredCandidate]) -> bool:
    """Return whether the rules leave open which candidate is right (``scored`` is sorted, best first)."""
    best = scored[0]
    return best.score < _SURE or any(
        s.value != best.value and s.score > best.score - _CLOSE for s in scored[1:]
    )


@dataclass(frozen=True, slots=True)
class Ranker:
    """Weights by group in the order of FEATURES; ``none`` is the score of "none of them" by group."""

    weights: Mapping[str, Sequence[float]]
    none: Mapping[str, float]

    def probabilities(self, group: str, rows: Sequence[Sequence[float]]) -> list[float]:
        """Return the probability of each candidate to be right; the rest to 1 is that none is."""
        weights = self.weights[group]
        scores = [sum(w * x for w, x in zip(weights, row, strict=True)) for row in rows]
        scores.append(self.none[group])
        top = max(scores)
        exponentials = [exp(score - top) for score in scores]
        total = sum(exponentials)
        return [power / total for power in exponentials[:-1]]

    def blend(
        self, group: str, scored: Sequence[ScoredCandidate], rows: Sequence[Sequence[float]]
    ) -> list[ScoredCandidate]:
        """Return the candidates sorted by the mean of their rule score and their value's probability."""
        probabilities = self.probabilities(group, rows)
        by_value: dict[Any, float] = defaultdict(float)
        for one, chance in zip(scored, probabilities, strict=True):
            by_value[one.value] = max(by_value[one.value], chance)
        blended = []
        for one, chance in zip(scored, probabilities, strict=True):
            mean = (1 - _RANKER_SHARE) * one.score + _RANKER_SHARE * (
                0.98 * by_value[one.value] + 0.02 * chance
            )
            blended.append(ScoredCandidate(one.candidate, max(mean, _MIN_SHARE * one.score), one.label))
        return sorted(blended, key=lambda s: -s.score)


@cache
def load() -> Ranker:
    """Return the ranker with the packaged weights.

    Raise ValueError if they were trained with other features.
    """
    data = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    if tuple(data["features"]) != FEATURES:
        raise ValueError(f"{WEIGHTS.name} was trained with other features; run python -m tests.training")
    return Ranker(data["weights"], data["none"])
