"""Operations as methods of both clients.

    class Parsers(Resource[M]):
        @endpoint
        def get(self, parser_id: str) -> Steps[ParserDetails]:
            return self.call("GET", path("parsers", parser_id))

``Client().parsers.get(id)`` returns the details, ``AsyncClient().parsers.get(id)`` is awaited; a type checker
knows the arguments and results of both.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar, overload

from docduck.client.transport.downloads import Download
from docduck.client.transport.encoding import UNSET, from_json, query, to_json
from docduck.client.transport.retries import IDEMPOTENCY_KEY, Retries, new_idempotency_key
from docduck.client.transport.steps import HttpResponse, Request, Steps
from docduck.client.transport.uploads import NOTHING, Upload
from docduck.client.types import CursorPage, FeedPage, Page

P = ParamSpec("P")
T = TypeVar("T")
Row = TypeVar("Row")


class Sync:
    """Marker of resources whose methods return results."""


class Async:
    """Marker of resources whose methods are awaited."""


M = TypeVar("M", Sync, Async)


AnyPage = Page[Row] | CursorPage[Row] | FeedPage[Row]


class Pages(Generic[Row]):
    """The pages of a list.

    A row that moves to a later page meanwhile is yielded once. Of a list with cursors, such a row has changed
    and is yielded again.
    """

    def __init__(
        self,
        page: Callable[[int, str | None], Steps[AnyPage[Row]]],
        first: int = 1,
        cursor: str | None = None,
    ) -> None:
        self._page = page
        self._number = first
        self._cursor = cursor
        self._seen: set[object] = set()
        self.done = False

    def next(self) -> Steps[list[Row]]:
        """Return the next page's rows; set ``done`` after the last page."""
        page = yield from self._page(self._number, self._cursor)
        pagination: Mapping[str, Any] = page["pagination"]
        is_last = self._cursor is not None or self._number >= pagination.get("pageCount", 0)
        self._cursor = pagination.get("nextCursor")
        has_more = pagination.get("hasMore", self._cursor is not None or not is_last)
        self.done = not page["data"] or not has_more
        self._number += 1
        if "nextCursor" in pagination:
            return list(page["data"])
        return [row for row in page["data"] if self._is_new(row)]

    def _is_new(self, row: Row) -> bool:
        key = row.get("id") if isinstance(row, dict) else None
        if key is None:
            return True
        if key in self._seen:
            return False
        self._seen.add(key)
        return True


class Runner(Protocol):
    """A client: runs operations."""

    def run(self, steps: Steps[Any]) -> Any: ...

    def rows(self, pages: Pages[Any]) -> Any: ...


class Resource(Generic[M]):
    """Operations on one kind of thing."""

    def __init__(self, runner: Runner, retries: Retries) -> None:
        self._runner = runner
        self._retries = retries

    def call(self, method: str, path: str, **options: Any) -> Steps[Any]:
        """Send a request and return the JSON of its response; ``options`` are those of ``send``."""
        return from_json((yield from self.send(method, path, **options)))

    def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = UNSET,
        upload: Upload = NOTHING,
        download: Download | None = None,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        held_seconds: float = 0,
        read_only: bool = False,
    ) -> Steps[HttpResponse]:
        """Send a request and return its response; with ``download``, that has no body.

        A POST has an Idempotency-Key, unless it changes nothing (``read_only``). ``if_match`` is the version
        that is to be changed.
        """
        headers: dict[str, str] = {}
        if if_match is not None:
            headers["If-Match"] = '"{}"'.format(if_match.strip('"'))
        if method == "POST" and not read_only:
            headers[IDEMPOTENCY_KEY] = idempotency_key or new_idempotency_key()
        content = None
        if body is not UNSET:
            content, headers["Content-Type"] = to_json(body), "application/json"
        request = Request(method, path, query(params or {}), headers, content, upload, held_seconds, download)
        return (yield from self._retries.send(request))


class endpoint(Generic[P, T]):
    """A method that runs an operation."""

    def __init__(self, steps: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self.steps = steps
        self.__doc__ = steps.__doc__

    @overload
    def __get__(self, resource: None, owner: type) -> Self: ...

    @overload
    def __get__(self, resource: Resource[Sync], owner: type) -> Callable[P, T]: ...

    @overload
    def __get__(self, resource: Resource[Async], owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...

    def __get__(self, resource: Resource[Any] | None, owner: type) -> Any:
        if resource is None:
            return self

        @functools.wraps(MethodType(self.steps, resource))
        def method(*args: P.args, **kwargs: P.kwargs) -> Any:
            return resource._runner.run(self.steps(resource, *args, **kwargs))

        return method


class listing(Generic[P, Row]):
    """A method that iterates over the rows of an operation's pages, starting with ``page`` or ``cursor``."""

    def __init__(
        self, page: endpoint[P, Page[Row]] | endpoint[P, CursorPage[Row]] | endpoint[P, FeedPage[Row]]
    ) -> None:
        self._page = page.steps
        self._has_cursors = "cursor" in inspect.signature(page.steps).parameters

    @overload
    def __get__(self, resource: None, owner: type) -> Self: ...

    @overload
    def __get__(self, resource: Resource[Sync], owner: type) -> Callable[P, Iterator[Row]]: ...

    @overload
    def __get__(self, resource: Resource[Async], owner: type) -> Callable[P, AsyncIterator[Row]]: ...

    def __get__(self, resource: Resource[Any] | None, owner: type) -> Any:
        if resource is None:
            return self

        @functools.wraps(MethodType(self._page, resource))
        def method(*args: P.args, **kwargs: P.kwargs) -> Any:
            first: Any = kwargs.pop("page", None)
            start: Any = kwargs.pop("cursor", None)

            def page(number: int, cursor: str | None) -> Steps[AnyPage[Row]]:
                at: dict[str, Any] = {} if cursor is None else {"cursor": cursor}
                if cursor is None and (number > 1 or not self._has_cursors):
                    at["page"] = number
                elif cursor == start and first is not None:
                    at["page"] = first  # Both were given, which the server refuses.
                return self._page(resource, *args, **kwargs, **at)

            return resource._runner.rows(Pages(page, first or 1, start))

        return method
