"""``AsyncClient``: the asynchronous client, for asyncio and trio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self, TypeVar

import anyio
import httpx

from docduck.client.errors import ConnectionFailed
from docduck.client.resources import Api
from docduck.client.transport.connection import connection
from docduck.client.transport.endpoint import Async, Pages
from docduck.client.transport.http import client_arguments, download_of, request_arguments, response_of
from docduck.client.transport.retries import Retries
from docduck.client.transport.steps import HttpResponse, Outcome, Pause, Request, Steps

T = TypeVar("T")


class AsyncClient(Api[Async]):
    """``Client`` with methods to await. Use it as an async context manager, or await ``aclose``.

        async with AsyncClient("https://docs.example.org", "docduck_…") as client:
            async for document in client.documents.list(status="failed"):
                print(document["name"])

    Its arguments are those of ``Client``.
    """

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
        self._http = httpx.AsyncClient(**client_arguments(self._connection, timeout))

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
        """Run the steps of an operation, and return its result."""
        outcome: Outcome = None
        try:
            while True:
                effect = steps.send(outcome)
                outcome = None
                if isinstance(effect, Pause):
                    await anyio.sleep(effect.seconds)
                else:
                    outcome = await self._send(effect)
        except StopIteration as end:
            result: T = end.value
            return result

    async def rows(self, pages: Pages[T]) -> AsyncIterator[T]:
        """Yield the rows of a list; each page is fetched when it is needed."""
        while not pages.done:
            for row in await self.run(pages.next()):
                yield row

    async def _send(self, request: Request) -> HttpResponse | ConnectionFailed:
        try:
            with request_arguments(self._connection, request, self._timeout) as arguments:
                async with self._http.stream(**arguments) as response:
                    download = download_of(request, response)
                    if download is None:
                        return response_of(response, await response.aread())
                    head = response_of(response)
                    with download.opened(head.headers) as file:
                        async for chunk in response.aiter_bytes():
                            file.write(chunk)
                    return head
        except ConnectionFailed as error:
            return error
