"""Documents that a run leaves alone for a while, because their files can't be opened."""

from __future__ import annotations

import time
from collections.abc import Callable

_FIRST_SECONDS, _LONGEST_SECONDS = 5.0, 60.0


class HeldBack:
    """Documents and when to try them again: after five seconds, then twice as long each time."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._documents: dict[str, tuple[float, float]] = {}

    def add(self, document_id: str) -> float:
        """Hold a document back; return for how many seconds."""
        _, before = self._documents.get(document_id, (0.0, 0.0))
        seconds = min(2 * before or _FIRST_SECONDS, _LONGEST_SECONDS)
        self._documents[document_id] = (self._now() + seconds, seconds)
        return seconds

    @property
    def ids(self) -> tuple[str, ...]:
        """The documents that are not to be tried now."""
        now = self._now()
        return tuple(document_id for document_id, (until, _) in self._documents.items() if until > now)
