"""How an operation becomes a method of both clients.

    class Parsers(Resource[M]):
        @endpoint
        def get(self, parser_id: str) -> Steps[ParserDetails]:
            return self.call("GET", path("parsers", parser_id))

``Client().parsers.get(id)`` gives the details, ``AsyncClient().parsers.get(id)`` awaits them; a type checker
knows the arguments and the result of each.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar, overload

from docduck.client.calls import UNSET, from_json, query, to_json
from docduck.client.effects import Request, Steps
from docduck.client.paging import Pages
from docduck.client.retries import IDEMPOTENCY_KEY, Retries, new_idempotency_key
from docduck.client.types import Page
from docduck.client.uploads import NOTHING, Upload

P = ParamSpec("P")
T = TypeVar("T")
Row = TypeVar("Row")


class Sync:
    """Marks resources whose methods return results."""


class Async:
    """Marks resources whose methods are awaited."""


M = TypeVar("M", Sync, Async)


class Runner(Protocol):
    """A client: it does what operations ask for."""

    def run(self, steps: Steps[Any]) -> Any: ...

    def rows(self, pages: Pages[Any]) -> Any: ...


class Resource(Generic[M]):
    """Operations on one kind of thing."""

    def __init__(self, runner: Runner, retries: Retries) -> None:
        self._runner = runner
        self._retries = retries

    def call(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = UNSET,
        upload: Upload = NOTHING,
        idempotency_key: str | None = None,
        held_seconds: float = 0,
        repeats: bool = False,
    ) -> Steps[Any]:
        """One request and the JSON of its answer. A POST gets an Idempotency-Key, unless it only asks
        something (``repeats``)."""
        headers: dict[str, str] = {}
        if method == "POST" and not repeats:
            headers[IDEMPOTENCY_KEY] = idempotency_key or new_idempotency_key()
        content = None
        if body is not UNSET:
            content, headers["Content-Type"] = to_json(body), "application/json"
        request = Request(method, path, query(params or {}), headers, content, upload, held_seconds)
        return from_json((yield from self._retries.send(request)))


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
    """A method that iterates over the rows of all pages, from ``page`` on, of an operation that gives one."""

    def __init__(self, page: endpoint[P, Page[Row]]) -> None:
        self._page = page.steps

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
            def page(number: int) -> Steps[Page[Row]]:
                return self._page(resource, *args, **{**kwargs, "page": number})  # type: ignore[arg-type]

            first = kwargs.get("page", 1)
            assert isinstance(first, int)
            return resource._runner.rows(Pages(page, first))

        return method
