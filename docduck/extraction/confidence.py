"""The probability, 0–1, that a value is right.

- Values of labels, tables and sentences: ``Evidence``, a logistic regression whose weights, in
  ``confidence.json``, are fitted to made-up documents by ``python -m tools.training.confidence_fit``.
- Values of contracts, judgments and filings: ``measured``, the share of right values by their score.
- Values that an arithmetic check confirms or doubts: ``supported``.
- Two readings of a value in doubt, a language model's and the one without it: ``extractors/model/choice.py``;
  of a sure one: ``agreement`` and ``disagreement``.
- What a file states as data, and cells that a language model names: the constant beside the rule.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import exp
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from docduck.extraction.result import CONFIDENCE_DIGITS, Finding, Location

WEIGHTS = Path(__file__).parent / "confidence.json"
_CHECK = 1.6
"""Log odds that an arithmetic check adds or takes."""
_MOST = 0.99
_MOST_SCORE = 1.1
_PROSE = ((0.0, 0.0), (0.5, 0.55), (0.65, 0.7), (0.77, 0.77), (0.84, 0.93), (0.97, 0.97), (1.0, 0.99))
"""Scores with the share of right values among them, measured on contracts, judgments and filings."""

Source = Literal["label", "order", "date", "amount", "identifier", "text", "party", "sentence", "cell"]
"""What found a value: a label of the page's reading, the order of the fields, the candidates of a type, the
rest of a labelled line, a party by its role, a sentence, or the column of a table.
"""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a value.

    ``score`` is that of its ``source``. ``checked`` is whether a check (arithmetic, check digits) confirms
    it; ``ocr`` is the score of the words read by OCR. ``labelled`` is whether a label announces the value,
    ``known`` whether the lexicon knows the field; ``paired`` is the probability that the value is the
    label's. The score of the next different value is left out: made-up pages have more values alike than
    people's, and the confidence fitted to them would be too low.
    """

    source: Source
    score: float
    checked: bool = False
    ocr: float = 1.0
    labelled: bool = True
    known: bool = True
    paired: float = 1.0

    @property
    def features(self) -> Mapping[str, float]:
        """What the regression sees, by name."""
        return {
            self.source: 1.0,
            f"{self.source} score": min(self.score, _MOST_SCORE),
            "checked": float(self.checked),
            "misread": 1.0 - self.ocr,
            "unlabelled": float(not self.labelled),
            "unknown": float(not self.known),
            "unpaired": 1.0 - self.paired,
        }

    @property
    def probability(self) -> float:
        """The probability that the value is right, from 0.01 to 0.99."""
        return logistic(_weights(), self.features)

    def finding(self, value: Any, places: tuple[Location, ...], text: str) -> Finding:
        """Return a value, read from ``text`` at ``places``, with this as its evidence."""
        return Finding(value, self.probability, places, text, evidence=self)


def logistic(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """Return the probability, 0.01–0.99, of features with these weights; those without one count nothing."""
    z = sum(weights.get(name, 0.0) * value for name, value in features.items())
    return min(_MOST, max(1.0 - _MOST, 1.0 / (1.0 + exp(-z))))


@cache
def _weights() -> Mapping[str, float]:
    weights: dict[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights


def measured(score: float, ocr: float = 1.0) -> float:
    """Return the share of right values in contracts, judgments and filings, lowered by the OCR's score."""
    for (low, share), (high, next_share) in pairwise(_PROSE):
        if score <= high:
            return min(_MOST, (share + (next_share - share) * (score - low) / (high - low)) * ocr)
    return min(_MOST, _PROSE[-1][1] * ocr)


def supported(confidence: float, checks: int) -> float:
    """Return the probability of a value that so many more checks confirm, or doubt if negative."""
    if checks > 0 and confidence >= _MOST:
        return confidence
    known = min(confidence, _MOST)
    odds = known / (1 - known) * exp(checks * _CHECK)
    return min(_MOST, odds / (1 + odds))


def agreement(first: float, second: float) -> float:
    """Return the probability of a value that two independent readings found with these."""
    return min(_MOST, 1 - (1 - first) * (1 - second))


def disagreement(chosen: float, rejected: float) -> float:
    """Return the probability of a value against which another reading found a different one."""
    return chosen * (1 - 0.5 * rejected)


def mean_confidence(data: Mapping[str, Any], metadata: Mapping[str, Any]) -> float | None:
    """Return the mean confidence of all values; a table counts as one value."""
    confidences: list[float] = []
    for name, entry in metadata.items():
        if isinstance(entry, list):
            cells = [cell["confidence"] for row in entry for cell in row.values()]
            if known := [cell for cell in cells if cell is not None]:
                confidences.append(fmean(known))
        elif entry["confidence"] is not None and data.get(name) not in (None, []):
            confidences.append(entry["confidence"])
    return round(fmean(confidences), CONFIDENCE_DIGITS) if confidences else None
