"""An answer of the prose engine before it becomes a finding."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """A value, the span that shows it, and the probability that it is right."""

    value: str
    start: int
    end: int
    weight: float
