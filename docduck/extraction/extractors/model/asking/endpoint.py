"""Requests to language models, from this process or from workers through their pool."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Self

import msgspec

from docduck import clock
from docduck.errors import Transient
from docduck.extraction.extractors.model.asking.circuit_breaker import CircuitBreaker
from docduck.extraction.extractors.model.asking.refusal import Refusal, without_secrets
from docduck.extraction.extractors.model.asking.slots import slot
from docduck.extraction.model_options import ModelOptions
from docduck.local_model.endpoint import LocalEndpoint
from docduck.outbound.http import ConnectionFailed, HttpResponse, ResponseTimeout, TrustedEndpoint


@dataclass(frozen=True, slots=True)
class Answer:
    """The endpoint's response, or why there is none; ``again`` is whether the same request may get one."""

    response: HttpResponse | None = None
    reason: str = ""
    again: bool = False


Post = Callable[[Mapping[str, Any], float], Answer]
"""Sends a request's body and returns the answer, within so many seconds."""

PostFor = Callable[[Mapping[str, Any], float, str], Answer]
"""Sends a request for a team, whose id is empty for none."""


@contextmanager
def direct(options: ModelOptions) -> Iterator[PostFor]:
    """Yield a function that sends requests to the endpoint, within the limit for all processes.

    While the model is away, none is sent.
    """
    headers, secrets = _headers(options)
    # Azure's addresses have a query.
    base_url, _, query = options.base_url.partition("?")
    path = f"chat/completions?{query}" if query else "chat/completions"
    breaker = CircuitBreaker(options)

    def post(body: Mapping[str, Any], seconds: float, team_id: str) -> Answer:
        deadline = time.monotonic() + seconds
        if (away := breaker.away) is not None and clock.now() < away.until:
            return Answer(reason=away.message)
        try:
            with slot(options.slots, options.max_concurrent, deadline, team_id):
                return send(body, deadline)
        except Transient as error:
            return Answer(reason=error.message)

    def send(body: Mapping[str, Any], deadline: float) -> Answer:
        if (away := breaker.admit()) is not None:
            return Answer(reason=away.message)
        began, left = clock.now(), deadline - time.monotonic()
        try:
            response = endpoint.post(path, body, min(options.seconds, max(0.0, left)))
        except ResponseTimeout as error:
            if left >= options.seconds:
                breaker.failed(error.message, began, at_once=True)
            return Answer(reason=error.message)
        except ConnectionFailed as error:
            breaker.failed(error.message, began)
            return Answer(reason=error.message, again=True)
        except Transient as error:
            breaker.passed()
            return Answer(reason=error.message)
        if response.status == 200:
            breaker.answered()
            return Answer(response)
        response = without_secrets(response, secrets)
        refusal = Refusal.of(response)
        if refusal.status < 500 or refusal.is_lasting:
            breaker.answered()
        elif not refusal.is_loading:
            breaker.failed(refusal.reason, began)
        return Answer(response)

    with LocalEndpoint(options.local) if options.local else TrustedEndpoint(base_url, headers) as endpoint:
        yield post


def _headers(options: ModelOptions) -> tuple[dict[str, str], list[str]]:
    """Return the headers of requests to the endpoint, and which of their values are secret."""
    headers = {name: value.get_secret_value() for name, value in options.extra_headers.items()}
    secrets = [*headers.values()]
    if options.api_key is not None:
        key = options.api_key.get_secret_value()
        secrets.append(key)
        name = options.preset.key_header
        if name.casefold() not in map(str.casefold, headers):
            headers[name] = f"Bearer {key}" if name == "Authorization" else key
    return headers, secrets


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

    def post(body: Mapping[str, Any], seconds: float) -> Answer:
        try:
            question = msgspec.msgpack.encode(_Request(name, dict(body)))
            return msgspec.msgpack.decode(ask(question, seconds), type=Answer)
        except Transient as error:
            return Answer(reason=error.message)

    return post
