"""Searches apart from all other requests: threads of their own, and a share of them for each team."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from docduck.errors import TooMany, Transient
from docduck.settings import Settings

T = TypeVar("T")


class SearchLane:
    """Runs searches in a few threads; those of one team take at most its share of them.

    Searches wait for their turn: first for that of their team, then, among the teams, in the order in which
    they came.
    """

    def __init__(self, settings: Settings) -> None:
        self._share = min(settings.search_team_threads, settings.search_threads)
        self._seconds = settings.search_wait_seconds
        self._threads = ThreadPoolExecutor(settings.search_threads, thread_name_prefix="search")
        self._free = asyncio.Semaphore(settings.search_threads)
        self._teams: dict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(self._share))
        self._here: Counter[str] = Counter()

    async def run(self, team_id: str, search: Callable[[], T]) -> T:
        """Return what ``search`` returns, called in a thread of the lane.

        Raise TooMany if the team's other searches leave it no turn in time, Transient if other teams' do.
        """
        self._here[team_id] += 1
        try:
            async with self._turn(team_id):
                return await asyncio.get_running_loop().run_in_executor(self._threads, search)
        finally:
            self._here[team_id] -= 1
            if not self._here[team_id]:
                del self._here[team_id], self._teams[team_id]

    @asynccontextmanager
    async def _turn(self, team_id: str) -> AsyncIterator[None]:
        """Hold one thread of the team's share and of the lane."""
        end = asyncio.get_running_loop().time() + self._seconds
        team = self._teams[team_id]
        if not await _acquired(team, end):
            raise TooMany(
                f"Your team has {self._share} searches under way, as many as it may; this one waited "
                f"{self._seconds:g} s for its turn. Try again later"
            )
        try:
            if not await _acquired(self._free, end):
                raise Transient(
                    "The searches of other teams take all the time that there is for searches; this one "
                    f"waited {self._seconds:g} s for its turn. Try again later"
                )
            try:
                yield
            finally:
                self._free.release()
        finally:
            team.release()

    def close(self) -> None:
        """Take no more searches."""
        self._threads.shutdown(wait=False, cancel_futures=True)


async def _acquired(semaphore: asyncio.Semaphore, end: float) -> bool:
    """Whether ``semaphore`` was acquired before the event loop's time ``end``."""
    if not semaphore.locked():
        return await semaphore.acquire()
    try:
        async with asyncio.timeout_at(end):
            return await semaphore.acquire()
    except TimeoutError:
        return False
