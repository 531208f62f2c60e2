"""Estimates of how long documents take, from those processed before."""

from __future__ import annotations

from dataclasses import dataclass

from docduck.service.documents.claim import DurationClass

_NEWEST_WEIGHT = 0.3
_GUESSED_SECONDS = 1.0


SLOW_SECONDS = 5
"""Slow documents have half of the workers, and more only while no others come."""


@dataclass(slots=True)
class _Mean:
    seconds: float = 0.0
    seen: int = 0

    def add(self, seconds: float) -> None:
        self.seen += 1
        self.seconds += max(_NEWEST_WEIGHT, 1 / self.seen) * (seconds - self.seconds)


class DurationEstimates:
    """Running means of durations, weighted towards recent ones.

    Documents of ``SLOW_SECONDS`` or more are slow.
    """

    def __init__(self) -> None:
        self._alike: dict[DurationClass, _Mean] = {}
        self._targets: dict[str, _Mean] = {}
        self.typical_seconds = _GUESSED_SECONDS

    def record(self, alike: DurationClass, seconds: float) -> None:
        """Record that a document took ``seconds``."""
        self._alike.setdefault(alike, _Mean()).add(seconds)
        if seconds < SLOW_SECONDS:
            self._targets.setdefault(alike.target_id, _Mean()).add(seconds)
            self.typical_seconds += 0.1 * (max(seconds, 1e-3) - self.typical_seconds)

    def expected(self, target_id: str) -> float:
        """Return the expected seconds of a target's documents that are not slow."""
        mean = self._targets.get(target_id)
        return mean.seconds if mean else _GUESSED_SECONDS

    def is_slow(self, alike: DurationClass) -> bool:
        """Return whether documents of this class are known to be slow."""
        mean = self._alike.get(alike)
        return mean is not None and mean.seconds >= SLOW_SECONDS
