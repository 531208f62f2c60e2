"""A value found in running text before it becomes a finding."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProseFinding:
    """A value, its span in the text, and a weight, 0–1, for ranking."""

    value: str
    start: int
    end: int
    weight: float
