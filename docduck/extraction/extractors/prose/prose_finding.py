"""An answer of the prose engine before it becomes a finding, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class ProseFinding:
    """A value, the span that shows it, and a weight, 0–1, by which answers are ranked."""

    value: str
    start: int
    end: int
    weight: float


_MEASURED = ((0.0, 0.0), (0.5, 0.55), (0.65, 0.7), (0.77, 0.77), (0.84, 0.93), (0.97, 0.97), (1.0, 0.99))
"""Weights, and the share of right values among answers that have them (contracts, judgments, filings)."""


def confidence_of_weight(weight: float) -> float:
    """Return the probability that an answer of this weight is right, interpolated from what was measured."""
    for (low, share), (high, next_share) in pairwise(_MEASURED):
        if weight <= high:
            return share + (next_share - share) * (weight - low) / (high - low)
    return _MEASURED[-1][1]
