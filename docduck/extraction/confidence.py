"""From a score to a probability that the value is right.

A logistic curve with weights set by hand on what scores look like when they are right: the score
itself, its distance to the runner-up, and whether arithmetic or a checksum speaks for the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

_BIAS, _SCORE, _MARGIN, _CHECK = -2.2, 4.6, 1.8, 1.6
_MOST = 0.99

SIGNS = ("score", "margin", "agrees", "disagrees", "ocr", "labelled")


@dataclass(frozen=True, slots=True)
class ConfidenceFeatures:
    """What speaks for a value: see ``probability``; ``labelled`` is whether a label announced it."""

    score: float
    runner_up: float = 0.0
    checked: bool | None = None
    ocr: float = 1.0
    labelled: bool = True

    def row(self) -> list[float]:
        """The signs as numbers, in the order of SIGNS; the margin is the part of the score above the next."""
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
    """The probability, 0.01–0.99, by weights that were fitted to such rows; the last weight is the bias."""
    z = sum(w * x for w, x in zip(weights, row, strict=False)) + weights[-1]
    return min(_MOST, max(1.0 - _MOST, 1.0 / (1.0 + exp(-z))))


def probability(score: float, runner_up: float = 0.0, checked: bool | None = None, ocr: float = 1.0) -> float:
    """The probability, 0–1, for a score 0–1.

    ``runner_up`` is the score of the next different value, ``checked`` what a check (arithmetic, check
    digits) said, None if there was none; ``ocr`` is the reader's own certainty of the words.
    """
    z = _BIAS + _SCORE * score + _MARGIN * max(0.0, min(score - runner_up, 1.0))
    if checked is not None:
        z += _CHECK if checked else -_CHECK
    return min(_MOST, ocr / (1.0 + exp(-z)))
