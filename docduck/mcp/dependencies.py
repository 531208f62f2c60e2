"""Dependencies of tools: the user who connected the client, and the progress of calls that take long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from docduck.api.request.long_poll import Report
from docduck.service.accounts.caller import TeamUser


async def _user(request: Request) -> TeamUser:
    caller = request.scope["state"]["caller"]
    assert isinstance(caller, TeamUser)
    return caller


async def _progress(request: Request) -> Report:
    report: Report = request.scope["state"]["progress"]
    return report


SignedInUser = Annotated[TeamUser, Depends(_user)]
Progress = Annotated[Report, Depends(_progress)]


def from_threads(report: Report) -> Callable[[float, float, str], None]:
    """Return a function that reports from another thread, without waiting for the client."""
    loop = asyncio.get_running_loop()

    def reported(done: float, total: float, message: str) -> None:
        asyncio.run_coroutine_threadsafe(report(done, total, message), loop)

    return reported
