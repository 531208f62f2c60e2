"""Lanes: threads of their own for requests that may take long, with a share for each team."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from functools import partial
from typing import TypeVar

from docduck.errors import TooMany, Transient

T = TypeVar("T")


class Lane:
    """Runs work of one kind in ``threads`` threads, of which a team uses at most ``team_threads``.

    Work waits up to ``wait_seconds``: for a place in its team's share, then, first come, first served, for a
    thread. ``kind`` names the work in the plural (``searches``).
    """

    def __init__(self, kind: str, threads: int, team_threads: int, wait_seconds: float) -> None:
        self._kind = kind
        self._share = min(team_threads, threads)
        self._seconds = wait_seconds
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=kind)
        self._free = asyncio.Semaphore(threads)
        self._teams: dict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(self._share))
        self._waiting: Counter[str] = Counter()

    async def run(self, team_id: str, work: Callable[[], T]) -> T:
        """Run ``work`` in a thread of the lane, in the caller's context, and return its result.

        Raise TooMany if the team's other work takes its share for too long, Transient if other teams' does.
        """
        async with self.turn(team_id):
            in_context = partial(copy_context().run, work)
            return await asyncio.get_running_loop().run_in_executor(self._threads, in_context)

    @asynccontextmanager
    async def turn(self, team_id: str) -> AsyncIterator[None]:
        """Wait for a turn, and hold it while the block runs; raise the errors of ``run``."""
        self._waiting[team_id] += 1
        try:
            async with self._held(team_id):
                yield
        finally:
            self._waiting[team_id] -= 1
            if not self._waiting[team_id]:
                del self._waiting[team_id], self._teams[team_id]

    @asynccontextmanager
    async def _held(self, team_id: str) -> AsyncIterator[None]:
        """Hold one thread of the team's share and of the lane."""
        end = asyncio.get_running_loop().time() + self._seconds
        team = self._teams[team_id]
        if not await _acquired(team, end):
            raise TooMany(
                f"Only {self._share} of your team's {self._kind} can run at a time, and this one waited "
                f"{self._seconds:g} s for its turn. Try again later"
            )
        try:
            if not await _acquired(self._free, end):
                raise Transient(
                    f"Other teams' {self._kind} keep the service busy, and this one waited "
                    f"{self._seconds:g} s for its turn. Try again later"
                )
            try:
                yield
            finally:
                self._free.release()
        finally:
            team.release()

    def close(self) -> None:
        """Accept no more work."""
        self._threads.shutdown(wait=False, cancel_futures=True)


async def _acquired(semaphore: asyncio.Semaphore, end: float) -> bool:
    """Return whether ``semaphore`` was acquired before the event loop's time ``end``."""
    if not semaphore.locked():
        return await semaphore.acquire()
    try:
        async with asyncio.timeout_at(end):
            return await semaphore.acquire()
    except TimeoutError:
        return False
