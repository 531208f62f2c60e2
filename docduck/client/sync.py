"""``Client``: the API for programs that wait."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self, TypeVar

import httpx

from docduck.client.api import Api
from docduck.client.connecting import connection
from docduck.client.effects import HttpResponse, Pause, Request, Steps
from docduck.client.endpoint import Sync
from docduck.client.errors import ConnectionFailed
from docduck.client.paging import Pages
from docduck.client.retries import Retries
from docduck.client.transport import answer_of, options, sending

T = TypeVar("T")


class Client(Api[Sync]):
    """A server of docduck; threads may share it. Use as a context manager, or ``close`` it.

    The server and the key are those of ``DOCDUCK_SERVER`` and ``DOCDUCK_KEY`` unless given. ``timeout``
    bounds connecting and each wait for bytes, in seconds. A request is repeated at most ``retries`` times,
    within ``retry_seconds``. All methods raise ApiError.
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
        self._http = httpx.Client(**options(self._connection, timeout))

    def __repr__(self) -> str:
        return f"Client({self._connection.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def run(self, steps: Steps[T]) -> T:
        """Do what an operation asks for, and give its result."""
        answer: HttpResponse | None = None
        failure: ConnectionFailed | None = None
        try:
            while True:
                effect = steps.send(answer) if failure is None else steps.throw(failure)
                answer = failure = None
                if isinstance(effect, Pause):
                    time.sleep(effect.seconds)
                    continue
                try:
                    answer = self._send(effect)
                except ConnectionFailed as error:
                    failure = error
        except StopIteration as end:
            result: T = end.value
            return result

    def rows(self, pages: Pages[T]) -> Iterator[T]:
        """The rows of a list, each page fetched when it is needed."""
        while not pages.done:
            yield from self.run(pages.next())

    def _send(self, request: Request) -> HttpResponse:
        with sending(self._connection, request, self._timeout) as arguments:
            return answer_of(self._http.request(**arguments))
