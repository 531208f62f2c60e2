"""From a score to the probability, 0–1, that a value is right.

- Values of labels on a page: a logistic curve over ConfidenceFeatures, with weights fitted to documents of
  made-up senders, or ``probability``, whose weights are set by hand.
- Values of running text, of learned places and of loosely matching labels: ``calibrated``, the curve of the
  extractor that scored them.
- Values that an arithmetic check confirms or doubts: ``supported``.
- Two readings of one document: ``agreement`` and ``disagreement``.
- What a file states as data, and what a language model names: the constant beside the rule that found it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from statistics import fmean
from typing import Any, Literal

from docduck.extraction.result import CONFIDENCE_DIGITS

_BIAS, _SCORE, _MARGIN, _CHECK = -2.2, 4.6, 1.8, 1.6
_MOST = 0.99

Curve = Literal["page", "prose", "sentence", "retrieval", "label", "learned"]
_CURVES: Mapping[Curve, Sequence[tuple[float, float]]] = {
    "page": ((0.0, 0.0), (0.6, 0.6), (0.8, 0.85), (0.95, 0.97), (1.0, 0.98)),
    "prose": ((0.0, 0.0), (0.5, 0.55), (0.65, 0.7), (0.77, 0.77), (0.84, 0.93), (0.97, 0.97), (1.0, 0.99)),
    "sentence": ((0.0, 0.25), (1.0, 0.75)),
    "retrieval": ((0.0, 0.2), (1.0, 0.7)),
    "label": ((0.0, 0.0), (1.0, 0.85)),
    "learned": ((0.0, 0.5), (1.0, 1.0)),
}
"""Scores with their probabilities, between which others are interpolated.

That of prose is the share of right values measured on contracts, judgments and filings; the others are set
by hand.
"""


@dataclass(frozen=True, slots=True)
class ConfidenceFeatures:
    """What speaks for a value.

    ``runner_up`` is the score of the next different value. ``checked`` is what a check (arithmetic, check
    digits) said, None if there was none; ``ocr`` is the score of the words read by OCR, and ``labelled``
    whether a label announces the value.
    """

    score: float
    runner_up: float = 0.0
    checked: bool | None = None
    ocr: float = 1.0
    labelled: bool = True

    def row(self) -> list[float]:
        """Return the features as numbers: score, relative margin, check passed or failed, OCR, label."""
        margin = max(0.0, self.score - max(self.runner_up, 0.0)) / max(self.score, 0.05)
        return [
            min(self.score, 1.1),
            margin,
            float(self.checked is True),
            float(self.checked is False),
            self.ocr,
            float(self.labelled),
        ]


def logistic(weights: Sequence[float], row: Sequence[float]) -> float:
    """Return the probability, 0.01–0.99, by weights fitted to such rows; the last weight is the bias."""
    z = sum(w * x for w, x in zip(weights, row, strict=False)) + weights[-1]
    return min(_MOST, max(1.0 - _MOST, 1.0 / (1.0 + exp(-z))))


def probability(score: float, runner_up: float = 0.0, checked: bool | None = None, ocr: float = 1.0) -> float:
    """Return the probability of a score 0–1, by hand-set weights of the same features."""
    z = _BIAS + _SCORE * score + _MARGIN * max(0.0, min(score - runner_up, 1.0))
    if checked is not None:
        z += _CHECK if checked else -_CHECK
    return min(_MOST, ocr / (1.0 + exp(-z)))


def calibrated(curve: Curve, score: float, ocr: float = 1.0) -> float:
    """Return the probability of an extractor's score by its curve, lowered by the OCR's own score."""
    points = _CURVES[curve]
    for (low, share), (high, next_share) in pairwise(points):
        if score <= high:
            return min(_MOST, (share + (next_share - share) * (score - low) / (high - low)) * ocr)
    return min(_MOST, points[-1][1] * ocr)


def supported(confidence: float, checks: int) -> float:
    """Return the probability of a value that so many more checks confirm, or doubt if negative."""
    if checks > 0 and confidence >= _MOST:
        return confidence
    known = min(confidence, _MOST)
    odds = known / (1 - known) * exp(checks * _CHECK)
    return min(_MOST, odds / (1 + odds))


def agreement(one: float, other: float) -> float:
    """Return the probability of a value that two independent readings found with these."""
    return min(_MOST, 1 - (1 - one) * (1 - other))


def disagreement(chosen: float, rejected: float) -> float:
    """Return the probability of a value against which another reading found a different one."""
    return chosen * (1 - 0.5 * rejected)


def mean_confidence(data: Mapping[str, Any], metadata: Mapping[str, Any]) -> float | None:
    """Return the mean confidence of all values; a table counts as one value."""
    found: list[float] = []
    for name, entry in metadata.items():
        if isinstance(entry, list):
            cells = [cell["confidence"] for row in entry for cell in row.values()]
            if known := [one for one in cells if one is not None]:
                found.append(fmean(known))
        elif entry["confidence"] is not None and data.get(name) not in (None, []):
            found.append(entry["confidence"])
    return round(fmean(found), CONFIDENCE_DIGITS) if found else None
