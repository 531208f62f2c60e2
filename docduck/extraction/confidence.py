"""From a score to a probability that the value is right.

A logistic curve with weights set by hand on what scores look like when they are right: the score
itself, its distance to the runner-up, and whether arithmetic or a checksum speaks for the value.
"""

from __future__ import annotations

from math import exp

_BIAS, _SCORE, _MARGIN, _CHECK = -2.2, 4.6, 1.8, 1.6


def probability(score: float, runner_up: float = 0.0, checked: bool | None = None, ocr: float = 1.0) -> float:
    """The probability, 0–1, for a score 0–1.

    ``runner_up`` is the score of the next different value, ``checked`` what a check (arithmetic, check
    digits) said, None if there was none; ``ocr`` is the reader's own certainty of the words.
    """
    z = _BIAS + _SCORE * score + _MARGIN * max(0.0, min(score - runner_up, 1.0))
    if checked is not None:
        z += _CHECK if checked else -_CHECK
    return min(0.99, ocr / (1.0 + exp(-z)))
