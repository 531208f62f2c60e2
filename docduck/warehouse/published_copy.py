"""The analysts' copy as one reader sees it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from docduck.warehouse.database import DuckDBOptions, reading

if TYPE_CHECKING:
    from docduck.warehouse.lake.bucket import LakeBucket


class PublishedCopy:
    """What is published at ``path``, of ``lake`` if given; what is read while it is held is of one moment.

    A publication replaces the file, and does not change the one that is held.
    """

    def __init__(self, path: Path, lake: LakeBucket | None = None) -> None:
        self.path = path
        self._engine = DuckDBOptions(memory_limit=None, threads=None, timeout=10, lake=lake)
        self._held: duckdb.DuckDBPyConnection | None = None
        self._stack = ExitStack()
        self._lock = threading.Lock()

    def hold(self) -> None:
        """Keep the copy that is published now open until ``release``; do nothing if one is held.

        Raise InputError if nothing is published yet, and Transient while another program holds the file for
        writing.
        """
        with self._lock:
            if self._held is None:
                self._held = self._stack.enter_context(reading(self._engine, self.path))

    def release(self) -> None:
        """Close the copy that is held; do nothing if none is."""
        with self._lock:
            self._held = None
            self._stack.close()

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a read-only connection to the copy that is held, or else to the newest one.

        Raise as ``hold`` does.
        """
        with self._lock:
            cursor = None if self._held is None else self._held.cursor()
        if cursor is None:
            with reading(self._engine, self.path) as connection:
                yield connection
            return
        with cursor:
            cursor.execute("USE analytics")
            yield cursor
