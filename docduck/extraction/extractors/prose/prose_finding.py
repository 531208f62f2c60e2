"""A value found in running text before it becomes a finding, and its confidence."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class ProseFinding:
    """A value, its span in the text, and a weight, 0–1, for ranking."""

    value: str
    start: int
    end: int
    weight: float


_MEASURED = ((0.0, 0.0), (0.5, 0.55), (0.65, 0.7), (0.77, 0.77), (0.84, 0.93), (0.97, 0.97), (1.0, 0.99))
"""Weights, and the share of correct values measured for them on contracts, judgments and filings."""


def confidence_of_weight(weight: float) -> float:
    """Return the probability that a value of this weight is right, interpolated from measurements."""
    for (low, share), (high, next_share) in pairwise(_MEASURED):
        if weight <= high:
            return share + (next_share - share) * (weight - low) / (high - low)
    return _MEASURED[-1][1]
