"""The published copy as one reader sees it, and queries of it."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from docduck.errors import InputError
from docduck.warehouse.database import DuckDBOptions, reading
from docduck.warehouse.names import META_SCHEMA, literal, quoted

if TYPE_CHECKING:
    from docduck.outbound.object_store import Bucket


class PublishedCopy:
    """What is published at ``path``, of ``lake`` if given; what is read while it is held is of one moment.

    A publication replaces the file, and does not change the one that is held.
    """

    def __init__(self, path: Path, lake: Bucket | None = None) -> None:
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


@dataclass(frozen=True, slots=True)
class QueryResult:
    """A query's result: column names, DuckDB type names and rows; ``more`` if rows were cut off."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    more: bool = False


def run_query(
    engine: DuckDBOptions, path: Path, sql: str, parameters: Sequence[Any], limit: int | None
) -> QueryResult:
    """Run ``sql`` on the published copy, read-only; return at most ``limit`` rows.

    Raise InputError with DuckDB's message, and if nothing is published yet.
    """
    with reading(engine, path) as connection:
        try:
            cursor = connection.execute(sql, list(parameters) or None)
            shape = cursor.description or []
            rows = cursor.fetchall() if limit is None else cursor.fetchmany(limit + 1)
        except duckdb.Error as error:
            raise InputError(str(error)) from error
    more = limit is not None and len(rows) > limit
    return QueryResult(
        tuple(column[0] for column in shape),
        tuple(str(column[1]) for column in shape),
        rows[:limit],
        more,
    )


def count_rows(
    connection: duckdb.DuckDBPyConnection, schemas: Collection[str] | None = None
) -> dict[str, dict[str, int]]:
    """Return the rows by schema and table of the default database, without docduck's internal tables.

    ``schemas`` are those to count, all when None.
    """
    tables = connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database()"
        f" AND schema_name <> {literal(META_SCHEMA)} ORDER BY ALL"
    ).fetchall()
    counts: dict[str, dict[str, int]] = {}
    for schema, table in tables:
        if schemas is not None and schema not in schemas:
            continue
        row = connection.execute(f"SELECT count(*) FROM {quoted(schema, table)}").fetchone()
        counts.setdefault(schema, {})[table] = int(row[0]) if row else 0
    return counts
