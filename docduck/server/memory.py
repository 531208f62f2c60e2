"""Returning freed memory of large requests to the system."""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool

_SECONDS = 10.0


def release_freed_memory() -> None:
    """Have glibc return freed pages; do nothing with another C library."""
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


async def release_regularly() -> None:
    """Return freed memory every few seconds, in a thread, until cancelled."""
    while True:
        await asyncio.sleep(_SECONDS)
        await run_in_threadpool(release_freed_memory)
