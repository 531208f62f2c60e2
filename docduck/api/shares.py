"""Shares: what one key, and what large requests together, may hold of the API at the same time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from docduck.errors import Transient


class TooManyRequests(Transient):
    """The key has as many requests under way as it may."""

    def __init__(self) -> None:
        super().__init__("Too many requests at once with this API key")


class KeyShares:
    """Counts the requests that are under way by key, at most ``most`` of each."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._under_way: Counter[str] = Counter()

    @contextmanager
    def one(self, key_id: str) -> Iterator[None]:
        """Count one request while the block runs; raise TooManyRequests where it is one too many."""
        if self._under_way[key_id] >= self._most:
            raise TooManyRequests
        self._under_way[key_id] += 1
        try:
            yield
        finally:
            self._under_way[key_id] -= 1
            if not self._under_way[key_id]:
                del self._under_way[key_id]


class LargeRequests:
    """Lets ``most`` large requests work at the same time; others wait for their turn, up to ``seconds``."""

    def __init__(self, most: int, seconds: float) -> None:
        self._room = asyncio.Semaphore(most)
        self._seconds = seconds

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn and hold it while the block runs; raise Transient where none comes in time."""
        try:
            await asyncio.wait_for(self._room.acquire(), self._seconds)
        except TimeoutError as error:
            raise Transient("Too many large requests are waiting; try again in some seconds") from error
        try:
            yield
        finally:
            self._room.release()
