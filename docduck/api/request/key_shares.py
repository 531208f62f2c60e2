"""The limit on concurrent requests of an API key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from docduck.errors import TooMany

REQUESTS_PER_KEY = 64


class KeyShares:
    """Counts the running requests of each key, at most ``REQUESTS_PER_KEY``."""

    def __init__(self) -> None:
        self._running: Counter[str] = Counter()

    @contextmanager
    def request(self, key_id: str) -> Iterator[None]:
        """Count a request while the block runs; raise TooMany beyond the limit."""
        if self._running[key_id] >= REQUESTS_PER_KEY:
            raise TooMany(f"At most {REQUESTS_PER_KEY} requests at once are answered for one API key")
        self._running[key_id] += 1
        try:
            yield
        finally:
            self._running[key_id] -= 1
            if not self._running[key_id]:
                del self._running[key_id]
