"""Requests to a language model, from this process or from a worker through its pool."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from docduck.extraction.extractors.model.request_slots import slot
from docduck.extraction.model_options import ModelOptions
from docduck.outbound.http import HttpResponse, TrustedEndpoint

Post = Callable[[Mapping[str, Any], float], HttpResponse]
"""Sends a request's body and returns the answer, within so many seconds; raises Transient without one."""


@contextmanager
def direct(options: ModelOptions) -> Iterator[Post]:
    """Yield a function that sends requests to the endpoint, within the limit for all processes."""
    key = options.api_key.get_secret_value() if options.api_key else None
    headers = {"Authorization": f"Bearer {key}"} if key else {}

    def post(body: Mapping[str, Any], seconds: float) -> HttpResponse:
        deadline = time.monotonic() + seconds
        with slot(options.slots, options.max_concurrent, deadline):
            left = max(0.0, deadline - time.monotonic())
            return endpoint.post("chat/completions", body, min(options.seconds, left))

    with TrustedEndpoint(options.base_url, headers) as endpoint:
        yield post


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
