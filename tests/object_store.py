"""A server that speaks S3, in a thread, and new buckets of it."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

import httpx
import obstore
import pytest
from moto.moto_server import threaded_moto_server
from moto.moto_server.werkzeug_app import DomainDispatcherApplication
from moto.server import ThreadedMotoServer
from obstore.store import S3Store

from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.outbound.object_store import open_bucket

KEYS: Any = {"access_key": "AKIA", "secret_key": "s3cret"}
_numbers = count()


@dataclass
class Writes:
    """The writes that the servers have got; from ``first_refused`` on they are answered by 503."""

    first_refused: float = math.inf
    count: int = 0


_writes = Writes()


class _Application(DomainDispatcherApplication):
    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "PUT":
            _writes.count += 1
            if _writes.count >= _writes.first_refused:
                start_response("503 Slow Down", [("Content-Length", "0")])
                return [b""]
        return super().__call__(environ, start_response)  # type: ignore[no-any-return]


vars(threaded_moto_server)["DomainDispatcherApplication"] = _Application


@contextmanager
def writes_refused(first: float = math.inf) -> Iterator[Writes]:
    """Answer writes by 503 in the block, from the ``first`` one on."""
    _writes.first_refused, _writes.count = first, 0
    yield _writes
    _writes.first_refused = math.inf


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a running server."""
    with object_store() as address:
        yield address


@pytest.fixture
def bucket(server: str) -> S3Store:
    """A new, empty bucket."""
    return new_bucket(server)


@contextmanager
def object_store(port: int = 0) -> Iterator[str]:
    """Yield the address of a running server. All servers of a process have the same buckets."""
    # It logs every request.
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.stop()


@contextmanager
def keys_set() -> Iterator[None]:
    """Set the keys in the environment, of this process and of those that it starts."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("AWS_ACCESS_KEY_ID", KEYS["access_key"])
        environment.setenv("AWS_SECRET_ACCESS_KEY", KEYS["secret_key"])
        yield


def new_bucket(server: str) -> S3Store:
    """Return a new, empty bucket."""
    name = f"bucket-{next(_numbers)}"
    assert httpx.put(f"{server}/{name}", trust_env=False).status_code == 200
    store = open_bucket(BucketEndpoint(f"s3://{name}", server, **KEYS), 10)
    assert isinstance(store, S3Store)
    return store


def paths(bucket: S3Store) -> list[str]:
    """Return the names of all objects, sorted."""
    return sorted(one["path"] for batch in obstore.list(bucket) for one in batch)
