"""The tool server, started by its first request: without agents, the API's process is 35 MB smaller."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from starlette.concurrency import run_in_threadpool

if TYPE_CHECKING:
    from docduck.mcp.server import ToolServer


class OnDemand:
    """Runs the tool server that ``make`` returns at the first request."""

    def __init__(self, make: Callable[[], ToolServer]) -> None:
        self._make = make
        self._wanted = anyio.Event()
        self._started = anyio.Event()
        self._server: ToolServer | None = None
        self._error: Exception | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Be ready to start the server while the block runs, and end it then."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._run)
            yield
            group.cancel_scope.cancel()

    async def get(self) -> ToolServer:
        """Return the running server; raise the error of its start."""
        self._wanted.set()
        await self._started.wait()
        if self._server is None:
            assert self._error is not None
            raise self._error
        return self._server

    async def _run(self) -> None:
        await self._wanted.wait()
        try:
            server = await run_in_threadpool(self._make)
        except Exception as error:
            self._error = error
            self._started.set()
            return
        async with server.running():
            self._server = server
            self._started.set()
            await anyio.sleep_forever()
