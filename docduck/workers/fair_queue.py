"""Fair turns: start-time fair queueing (Goyal, Vin, Cheng, 1996)."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class FairQueue(Generic[K]):
    """Shares of work in seconds. A key that was absent does not catch up on the time it missed."""

    def __init__(self) -> None:
        self._spent: dict[K, float] = {}
        self._level = 0.0

    def next(self, waiting: Collection[K]) -> K:
        """Return the key with the least work done among those that wait."""
        for key in waiting:
            self._spent[key] = max(self._spent.get(key, 0.0), self._level)
        chosen = min(waiting, key=self._spent.__getitem__)
        self._level = self._spent[chosen]
        return chosen

    def charge(self, key: K, seconds: float) -> None:
        """Add ``seconds`` of work to a key; negative ones correct an estimate."""
        self._spent[key] = self._spent.get(key, self._level) + seconds
