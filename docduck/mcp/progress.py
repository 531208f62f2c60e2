"""Progress of calls that take long, told to clients that ask for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

Report = Callable[[float, float, str], Awaitable[None]]
"""Tells how much is done, of how much, and what that is; what is done must grow from call to call."""


async def _progress(request: Request) -> Report:
    report: Report = request.scope["state"]["progress"]
    return report


Progress = Annotated[Report, Depends(_progress)]


def from_threads(report: Report) -> Callable[[float, float, str], None]:
    """Return a function that reports from another thread, without waiting for the client."""
    loop = asyncio.get_running_loop()

    def reported(done: float, total: float, message: str) -> None:
        asyncio.run_coroutine_threadsafe(_awaited(report(done, total, message)), loop)

    return reported


async def _awaited(told: Awaitable[None]) -> None:
    await told
