"""Requests to a language model, from this process or from a worker through its pool."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from docduck import clock
from docduck.errors import Transient
from docduck.extraction.extractors.model.circuit_breaker import CircuitBreaker
from docduck.extraction.extractors.model.refusal import Refusal, without_secrets
from docduck.extraction.model_options import ModelOptions
from docduck.local_model.endpoint import LocalEndpoint
from docduck.outbound.http import ConnectionFailed, HttpResponse, ResponseTimeout, TrustedEndpoint

_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Answer:
    """The endpoint's response, or why there is none; ``again`` is whether the same request may get one."""

    response: HttpResponse | None = None
    reason: str = ""
    again: bool = False


Post = Callable[[Mapping[str, Any], float], Answer]
"""Sends a request's body and returns the answer, within so many seconds."""


@contextmanager
def direct(options: ModelOptions) -> Iterator[Post]:
    """Yield a function that sends requests to the endpoint, within the limit for all processes.

    While the model is away, none is sent.
    """
    headers, secrets = _headers(options)
    # Azure's addresses have a query.
    base_url, _, query = options.base_url.partition("?")
    path = f"chat/completions?{query}" if query else "chat/completions"
    breaker = CircuitBreaker(options)

    def post(body: Mapping[str, Any], seconds: float) -> Answer:
        deadline = time.monotonic() + seconds
        if (away := breaker.away) is not None and clock.now() < away.until:
            return Answer(reason=away.message)
        try:
            with slot(options.slots, options.max_concurrent, deadline):
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


@contextmanager
def responder(options: ModelOptions | None) -> Iterator[Callable[[bytes, float], bytes] | None]:
    """Yield a function that sends workers' requests: they know neither the endpoint's address nor its key."""
    if options is None:
        yield None
        return
    with direct(options) as post:
        yield lambda question, seconds: msgspec.msgpack.encode(
            post(msgspec.msgpack.decode(question, type=dict[str, Any]), seconds)
        )


def through(ask: Callable[[bytes, float], bytes]) -> Post:
    """Return a function that sends requests through the pool of this worker."""

    def post(body: Mapping[str, Any], seconds: float) -> Answer:
        try:
            return msgspec.msgpack.decode(ask(msgspec.msgpack.encode(body), seconds), type=Answer)
        except Transient as error:
            return Answer(reason=error.message)

    return post


@contextmanager
def slot(folder: Path, limit: int, deadline: float) -> Iterator[None]:
    """Hold one of ``limit`` slots during the block; the kernel frees it if the process dies.

    Raise Transient if none is free by ``deadline`` (``time.monotonic()``).
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    first = os.getpid() % limit
    while True:
        for number in range(limit):
            handle = os.open(folder / f"{(first + number) % limit}.lock", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                continue
            try:
                yield
            finally:
                os.close(handle)
            return
        if time.monotonic() >= deadline:
            raise Transient("all its requests are taken by other documents")
        time.sleep(_POLL_SECONDS)
