"""A linear listwise model: a softmax over the candidates of a target and "none of them".

The weights are those of ``tests.training``, one row for each group of targets.
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

from docduck.extraction.confidence import ConfidenceFeatures, logistic, probability
from docduck.extraction.extractors.layout.ranker.features import FEATURES
from docduck.extraction.extractors.layout.scored_candidate import ScoredCandidate

WEIGHTS = Path(__file__).parent / "weights.json"
_RANKER_SHARE = 0.5
"""The ranker's share in a score; the rest is the rules'."""
_KEPT = 0.8
"""What remains of a score by rule where the ranker speaks against the candidate."""
_SURE, _CLOSE = 0.6, 0.12
"""The score from which rules are trusted, and the distance of another value that makes them unsure."""


def is_unsure(scored: Sequence[ScoredCandidate]) -> bool:
    """Whether the rules leave it open which candidate is right (``scored`` best first)."""
    best = scored[0]
    return best.score < _SURE or any(
        s.value != best.value and s.score > best.score - _CLOSE for s in scored[1:]
    )


@dataclass(frozen=True, slots=True)
class Ranker:
    """``weights`` by group, in the order of FEATURES; ``none`` is the score of no candidate, by group.

    ``confidence`` are the weights, by kind of value, of the signs that a chosen value is right.
    """

    weights: Mapping[str, Sequence[float]]
    none: Mapping[str, float]
    confidence: Mapping[str, Sequence[float]]

    def certainty(self, kind: str, signs: ConfidenceFeatures) -> float:
        """The probability, 0–1, that a value of a kind is right."""
        if kind in self.confidence:
            return logistic(self.confidence[kind], signs.row())
        return probability(signs.score, signs.runner_up, signs.checked, signs.ocr)

    def probabilities(self, group: str, rows: Sequence[Sequence[float]]) -> list[float]:
        """The probability of each candidate to be right; what is missing to 1 is that none is."""
        weights = self.weights[group]
        scores = [sum(w * x for w, x in zip(weights, row, strict=True)) for row in rows]
        scores.append(self.none[group])
        top = max(scores)
        powers = [exp(score - top) for score in scores]
        total = sum(powers)
        return [power / total for power in powers[:-1]]

    def blend(
        self, group: str, scored: Sequence[ScoredCandidate], rows: Sequence[Sequence[float]]
    ) -> list[ScoredCandidate]:
        """The candidates, best first, with the mean of their score by rule and their value's probability."""
        chances = self.probabilities(group, rows)
        by_value: dict[Any, float] = defaultdict(float)
        for one, chance in zip(scored, chances, strict=True):
            by_value[one.value] = max(by_value[one.value], chance)
        blended = []
        for one, chance in zip(scored, chances, strict=True):
            mean = (1 - _RANKER_SHARE) * one.score + _RANKER_SHARE * (
                0.98 * by_value[one.value] + 0.02 * chance
            )
            blended.append(ScoredCandidate(one.candidate, max(mean, _KEPT * one.score), one.label))
        return sorted(blended, key=lambda s: -s.score)


@cache
def load() -> Ranker:
    """The ranker with the weights in the package.

    Raises ValueError when they were trained with other features.
    """
    data = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    if tuple(data["features"]) != FEATURES:
        raise ValueError(f"{WEIGHTS.name} knows other features; run python -m tests.training")
    return Ranker(data["weights"], data["none"], data["confidence"])
