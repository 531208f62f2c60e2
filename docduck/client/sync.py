"""``Client``: the synchronous client."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Self, TypeVar

import httpx

from docduck.client.errors import ConnectionFailed
from docduck.client.resources import Api
from docduck.client.transport.connection import connection
from docduck.client.transport.endpoint import Pages, Sync
from docduck.client.transport.http import client_arguments, download_of, request_arguments, response_of
from docduck.client.transport.retries import Retries
from docduck.client.transport.steps import HttpResponse, Outcome, Pause, Request, Steps

T = TypeVar("T")


class Client(Api[Sync]):
    """A client of a docduck server; it is thread-safe. Use it as a context manager, or ``close`` it.

        with Client("https://docs.example.org", "docduck_…") as client:
            for document in client.documents.list(status="failed"):
                print(document["name"])

    ``base_url`` and ``key`` default to ``DOCDUCK_SERVER`` and ``DOCDUCK_KEY``. ``timeout`` limits
    connecting and each wait for bytes, in seconds. A request is sent again at most ``retries`` times,
    within ``retry_seconds``. ``transport`` is httpx's, for other ways to the server than a connection. All
    methods raise ApiError.
    """

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = 60,
        retries: int = 5,
        retry_seconds: float = 120,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        super().__init__(self, Retries(retries, retry_seconds))
        self._connection = connection(base_url, key)
        self._timeout = timeout
        self._http = httpx.Client(transport=transport, **client_arguments(self._connection, timeout))

    def __repr__(self) -> str:
        return f"Client({self._connection.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def run(self, steps: Steps[T]) -> T:
        """Run the steps of an operation, and return its result."""
        outcome: Outcome = None
        try:
            while True:
                effect = steps.send(outcome)
                outcome = None
                if isinstance(effect, Pause):
                    time.sleep(effect.seconds)
                else:
                    outcome = self._send(effect)
        except StopIteration as end:
            result: T = end.value
            return result

    def rows(self, pages: Pages[T]) -> Iterator[T]:
        """Yield the rows of a list; each page is fetched when it is needed."""
        while not pages.done:
            yield from self.run(pages.next())

    def _send(self, request: Request) -> HttpResponse | ConnectionFailed:
        try:
            with (
                request_arguments(self._connection, request, self._timeout) as arguments,
                self._http.stream(**arguments) as response,
            ):
                download = download_of(request, response)
                if download is None:
                    return response_of(response, response.read())
                head = response_of(response)
                with download.opened(head.headers) as file:
                    for chunk in response.iter_bytes():
                        file.write(chunk)
                return head
        except ConnectionFailed as error:
            return error
