"""An HTTP server that takes little of the processor while idle."""

from __future__ import annotations

import asyncio

import uvicorn

TICK_SECONDS = 0.5


class IdleServer(uvicorn.Server):
    """A server that looks every ``TICK_SECONDS`` whether it is to stop, and sets the date of responses.

    Uvicorn's own ten times a second are half of what an idle process with a server takes.
    """

    async def main_loop(self) -> None:
        """Serve until the server is to stop."""
        # Uvicorn sets the date at every tenth tick, which is 0.
        while not await self.on_tick(0):
            await asyncio.sleep(TICK_SECONDS)
