"""Requests to a language model, from this process or from a worker through its pool."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from docduck.errors import Transient
from docduck.extraction.model_options import ModelOptions
from docduck.local_model.endpoint import LocalEndpoint
from docduck.outbound.http import HttpResponse, TrustedEndpoint

_POLL_SECONDS = 0.05

Post = Callable[[Mapping[str, Any], float], HttpResponse]
"""Sends a request's body and returns the answer, within so many seconds; raises Transient without one."""


@contextmanager
def direct(options: ModelOptions) -> Iterator[Post]:
    """Yield a function that sends requests to the endpoint, within the limit for all processes."""

    def post(body: Mapping[str, Any], seconds: float) -> HttpResponse:
        deadline = time.monotonic() + seconds
        with slot(options.slots, options.max_concurrent, deadline):
            left = max(0.0, deadline - time.monotonic())
            return endpoint.post("chat/completions", body, min(options.seconds, left))

    with _endpoint(options) as endpoint:
        yield post


def _endpoint(options: ModelOptions) -> TrustedEndpoint | LocalEndpoint:
    """Return the model's endpoint, that of the settings or the server on this machine."""
    if options.local is not None:
        return LocalEndpoint(options.local)
    key = options.api_key.get_secret_value() if options.api_key else None
    return TrustedEndpoint(options.base_url, {"Authorization": f"Bearer {key}"} if key else {})


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

    def post(body: Mapping[str, Any], seconds: float) -> HttpResponse:
        return msgspec.msgpack.decode(ask(msgspec.msgpack.encode(body), seconds), type=HttpResponse)

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
