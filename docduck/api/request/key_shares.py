"""The limit on concurrent requests of an API key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from docduck.errors import TooMany


class KeyShares:
    """Counts the running requests of each key, at most ``most``."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._running: Counter[str] = Counter()

    @contextmanager
    def request(self, key_id: str) -> Iterator[None]:
        """Count a request while the block runs; raise TooMany beyond the limit."""
        if self._running[key_id] >= self._most:
            raise TooMany(f"At most {self._most} requests at once are answered for one API key")
        self._running[key_id] += 1
        try:
            yield
        finally:
            self._running[key_id] -= 1
            if not self._running[key_id]:
                del self._running[key_id]
