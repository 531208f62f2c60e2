"""The bucket of a lake: files of tables below ``tables/``, teams' catalogs below ``teams/``."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import obstore

from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.outbound.object_store import ObjectGone, Store, open_bucket, store_errors

TABLES, TEAMS = "tables/", "teams/"

_REQUEST_SECONDS = 60.0


class LakeBucket:
    """Objects of a lake; every method raises StoreUnavailable, and ObjectGone for an object that is read."""

    def __init__(self, endpoint: BucketEndpoint) -> None:
        self.url = endpoint.url.rstrip("/")
        self._endpoint = endpoint
        self._lock = threading.Lock()
        self._opened: Store | None = None

    def size(self, name: str) -> int:
        """Return the bytes of an object."""
        with store_errors():
            return obstore.head(self._store, name)["size"]

    def read(self, name: str, start: int, end: int) -> bytes:
        """Return the bytes from ``start`` up to ``end``."""
        with store_errors():
            return bytes(obstore.get_range(self._store, name, start=start, end=end))

    def write(self, name: str, content: IO[bytes] | Path) -> None:
        """Store an object."""
        with store_errors():
            obstore.put(self._store, name, content)

    def delete(self, name: str) -> None:
        """Delete an object, if it exists."""
        try:
            with store_errors():
                obstore.delete(self._store, name)
        except ObjectGone:
            return

    def names(self, prefix: str) -> Iterator[str]:
        """Yield the names of the objects that begin with ``prefix``, which ends with a slash."""
        with store_errors():
            for batch in obstore.list(self._store, prefix=prefix):
                for meta in batch:
                    yield meta["path"]

    @property
    def _store(self) -> Store:
        with self._lock:
            if self._opened is None:
                self._opened = open_bucket(self._endpoint, _REQUEST_SECONDS)
            return self._opened
