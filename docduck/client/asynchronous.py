"""``AsyncClient``: the API for programs on an event loop, asyncio's or trio's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self, TypeVar

import anyio
import httpx

from docduck.client.api import Api
from docduck.client.connecting import connection
from docduck.client.effects import HttpResponse, Pause, Request, Steps
from docduck.client.endpoint import Async
from docduck.client.errors import ConnectionFailed
from docduck.client.paging import Pages
from docduck.client.retries import Retries
from docduck.client.transport import answer_of, options, sending

T = TypeVar("T")


class AsyncClient(Api[Async]):
    """The same as ``Client``, awaited. Use as an async context manager, or await ``aclose``."""

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = 60,
        retries: int = 5,
        retry_seconds: float = 120,
    ) -> None:
        super().__init__(self, Retries(retries, retry_seconds))
        self._connection = connection(base_url, key)
        self._timeout = timeout
        self._http = httpx.AsyncClient(**options(self._connection, timeout))

    def __repr__(self) -> str:
        return f"AsyncClient({self._connection.base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def run(self, steps: Steps[T]) -> T:
        """Do what an operation asks for, and give its result."""
        answer: HttpResponse | None = None
        failure: ConnectionFailed | None = None
        try:
            while True:
                effect = steps.send(answer) if failure is None else steps.throw(failure)
                answer = failure = None
                if isinstance(effect, Pause):
                    await anyio.sleep(effect.seconds)
                    continue
                try:
                    answer = await self._send(effect)
                except ConnectionFailed as error:
                    failure = error
        except StopIteration as end:
            result: T = end.value
            return result

    async def rows(self, pages: Pages[T]) -> AsyncIterator[T]:
        """The rows of a list, each page fetched when it is needed."""
        while not pages.done:
            for row in await self.run(pages.next()):
                yield row

    async def _send(self, request: Request) -> HttpResponse:
        with sending(self._connection, request, self._timeout) as arguments:
            return answer_of(await self._http.request(**arguments))
