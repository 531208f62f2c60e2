"""Requests to language models, from this process or from workers through their pool."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, Self

import msgspec

from docduck.errors import Transient
from docduck.extraction.extractors.model.slots import slot
from docduck.extraction.model_options import ModelOptions
from docduck.outbound.http import HttpResponse, TrustedEndpoint

Post = Callable[[Mapping[str, Any], float], HttpResponse]
"""Sends a request's body and returns the answer, within so many seconds; raises Transient without one."""

PostFor = Callable[[Mapping[str, Any], float, str], HttpResponse]
"""Sends a request for a team, whose id is empty for none."""


@contextmanager
def direct(options: ModelOptions) -> Iterator[PostFor]:
    """Yield a function that sends requests to the endpoint, within the limit for all processes."""
    key = options.api_key.get_secret_value() if options.api_key else None
    headers = {"Authorization": f"Bearer {key}"} if key else {}

    def post(body: Mapping[str, Any], seconds: float, team_id: str) -> HttpResponse:
        deadline = time.monotonic() + seconds
        with slot(options.slots, options.max_concurrent, deadline, team_id):
            left = max(0.0, deadline - time.monotonic())
            return endpoint.post("chat/completions", body, min(options.seconds, left))

    with TrustedEndpoint(options.base_url, headers) as endpoint:
        yield post


class _Request(msgspec.Struct):
    """A worker's request: the name of a model, and the body."""

    model: str
    body: dict[str, Any]


class Endpoints:
    """Sends workers' requests: they know neither addresses nor keys. Use as a context manager."""

    def __init__(self, models: Collection[ModelOptions]) -> None:
        self._models = {model.name: model for model in models}
        self._open = ExitStack()
        self._lock = threading.Lock()
        self._posts: dict[str, PostFor] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def most_requests(self) -> int:
        """The most requests of one task at the same time."""
        return max((model.max_concurrent for model in self._models.values()), default=1)

    def responder(self, names: Collection[str], team_id: str = "") -> Callable[[bytes, float], bytes] | None:
        """Return what sends the requests of a team's task to the models ``names``; None without a name."""
        allowed = {*names}

        def respond(question: bytes, seconds: float) -> bytes:
            request = msgspec.msgpack.decode(question, type=_Request)
            if request.model not in allowed:
                raise Transient("this task may not ask it")
            return msgspec.msgpack.encode(self._post_of(request.model)(request.body, seconds, team_id))

        return respond if allowed else None

    def _post_of(self, name: str) -> PostFor:
        with self._lock:
            if name not in self._posts:
                self._posts[name] = self._open.enter_context(direct(self._models[name]))
            return self._posts[name]


def through(ask: Callable[[bytes, float], bytes], name: str) -> Post:
    """Return a function that sends requests to the model ``name`` through the pool of this worker."""

    def post(body: Mapping[str, Any], seconds: float) -> HttpResponse:
        question = msgspec.msgpack.encode(_Request(name, dict(body)))
        return msgspec.msgpack.decode(ask(question, seconds), type=HttpResponse)

    return post
