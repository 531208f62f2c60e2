"""What one key may hold of the API at the same time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from docduck.errors import TooMany


class KeyShares:
    """Counts the requests that are under way by key, at most ``most`` of each."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._under_way: Counter[str] = Counter()

    @contextmanager
    def one(self, key_id: str) -> Iterator[None]:
        """Count one request while the block runs; raise TooMany where it is one too many."""
        if self._under_way[key_id] >= self._most:
            raise TooMany(f"At most {self._most} requests at once are answered for one API key")
        self._under_way[key_id] += 1
        try:
            yield
        finally:
            self._under_way[key_id] -= 1
            if not self._under_way[key_id]:
                del self._under_way[key_id]
