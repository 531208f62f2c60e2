"""Estimates of how long documents take, from those processed before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select

from docduck.catalog.models import ReadingDuration
from docduck.catalog.upsert import upsert
from docduck.service.core.installation import Installation
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

    Documents of ``SLOW_SECONDS`` or more are slow. ``known`` are the means by target and whether of slow
    documents, which begin where they were kept.
    """

    def __init__(self, known: Mapping[tuple[str, bool], float] | None = None) -> None:
        self._alike: dict[DurationClass, _Mean] = {}
        self._targets = {key: _Mean(seconds, 1) for key, seconds in (known or {}).items()}
        self._changed: set[tuple[str, bool]] = set()
        self.typical_seconds = _GUESSED_SECONDS

    def record(self, alike: DurationClass, seconds: float) -> None:
        """Record that a document took ``seconds``."""
        self._alike.setdefault(alike, _Mean()).add(seconds)
        key = (alike.target_id, seconds >= SLOW_SECONDS)
        self._targets.setdefault(key, _Mean()).add(seconds)
        self._changed.add(key)
        if seconds < SLOW_SECONDS:
            self.typical_seconds += 0.1 * (max(seconds, 1e-3) - self.typical_seconds)

    def expected(self, target_id: str, slow: bool = False) -> float:
        """Return the expected seconds of a target's documents that are not slow, or of those that are."""
        mean = self._targets.get((target_id, slow))
        guess = SLOW_SECONDS if slow else _GUESSED_SECONDS
        return mean.seconds if mean else guess

    def changed(self) -> dict[tuple[str, bool], float]:
        """Return the means that have changed since the last call, as ``known`` takes them."""
        keys, self._changed = self._changed, set()
        return {key: self._targets[key].seconds for key in sorted(keys)}

    def is_slow(self, alike: DurationClass) -> bool:
        """Return whether documents of this class are known to be slow."""
        mean = self._alike.get(alike)
        return mean is not None and mean.seconds >= SLOW_SECONDS


def kept_estimates(inst: Installation) -> DurationEstimates:
    """Return the estimates as processes that read have left them in the catalog."""
    with inst.catalog.read_session() as session:
        rows = session.scalars(select(ReadingDuration))
        return DurationEstimates({(row.target_id, row.slow): row.seconds for row in rows})


def keep_estimates(inst: Installation, estimates: DurationEstimates) -> None:
    """Keep estimates that have changed, for other processes and for the next one."""
    rows = [
        {"target_id": target_id, "slow": slow, "seconds": seconds}
        for (target_id, slow), seconds in estimates.changed().items()
    ]
    if rows:
        with inst.catalog.transaction() as session:
            upsert(session, ReadingDuration, rows, ["target_id", "slow"], replace=["seconds"])
