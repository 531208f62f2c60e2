"""The warehouse: documents as tables, one schema per parser, in a DuckDB file or a lake.

It can be rebuilt from the catalog at any time, to the same rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from dataclasses import replace as changed
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl
import pyarrow as pa

from docduck.warehouse import migration
from docduck.warehouse.batch import Batch
from docduck.warehouse.database import DuckDBOptions, reading
from docduck.warehouse.frames import query_frame
from docduck.warehouse.layout import Layout, layout_of
from docduck.warehouse.lock import WriterLock
from docduck.warehouse.names import DOCUMENTS, quoted
from docduck.warehouse.publication import Publication, Published
from docduck.warehouse.published_copy import QueryResult, count_rows, run_query
from docduck.warehouse.rows import DocumentRow, Misfit, ParserChanges, ParserSchema, WriteResult
from docduck.warehouse.team_tables import TableColumns, tables_of

if TYPE_CHECKING:
    from docduck.outbound.object_store import Bucket

_STEP = 1000


@dataclass(frozen=True, slots=True)
class WarehouseOptions:
    """DuckDB's memory limit and threads, the seconds to wait for the lock, the shortest pause between two
    publications in seconds and in multiples of the last one's duration, and the group ``readers`` of the
    published file.
    """

    memory_limit: str = "512MB"
    threads: int = 2
    timeout: float = 60.0
    publish_pause: float = 5.0
    publish_copy_factor: float = 10.0
    readers: str | None = None


class Warehouse(ABC):
    """The tables of an installation; safe to share between threads and processes.

    Every write is one transaction under one lock. It raises Transient and changes nothing if the lock isn't
    free in time, or what stores the tables can't be used. Analysts read ``published``.
    """

    def __init__(
        self,
        source: Path,
        published: Path,
        make: Callable[[Path], None],
        options: WarehouseOptions,
        lake: Bucket | None = None,
    ) -> None:
        self.published = published
        self._engine = DuckDBOptions(options.memory_limit, options.threads, options.timeout, lake)
        self._lock = WriterLock(published.with_name("warehouse.lock"), options.timeout)
        self._publication = Publication(
            source, published, make, options.publish_pause, options.publish_copy_factor, options.readers
        )

    @property
    def lake(self) -> Bucket | None:
        """The bucket with the files that a published catalog names; None if it is a copy of all rows."""
        return self._engine.lake

    @abstractmethod
    def rebuild(
        self, parsers: Iterable[tuple[ParserSchema, Iterable[Sequence[DocumentRow]]]]
    ) -> dict[str, WriteResult]:
        """Recreate all tables from every parser's documents; return what was written by schema.

        After an error, the old tables stay.
        """

    @abstractmethod
    def catalog_of(self, team: str) -> Path:
        """Return what is published with the tables of this team, and maybe of others."""

    @abstractmethod
    def maintain(self) -> Mapping[str, int]:
        """Do what keeps stored tables small and quick to read; return the numbers of files it concerned."""

    @abstractmethod
    def is_new(self) -> bool:
        """Return whether no tables were ever written."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """Return a connection in a transaction, which ends with the block; the lock is held."""

    @abstractmethod
    def close(self) -> None:
        """Close the connections that are kept."""

    def exclusive(self) -> AbstractContextManager[None]:
        """Hold the writer's lock over several calls of the same thread.

        What is read from the catalog inside can't be overtaken by another writer.
        """
        return self._lock.held()

    def apply(
        self, schema: ParserSchema, upserts: Iterable[DocumentRow] = (), deletes: Iterable[str] = ()
    ) -> WriteResult:
        """Migrate the parser's tables to its fields, and write or delete documents' rows. Idempotent.

        ``upserts`` may be a generator, which is consumed under the lock. Raise InputError if the fields can't
        be tables.
        """
        (result,) = self.apply_all([ParserChanges(schema, upserts, deletes)])
        return result

    def apply_all(self, changes: Sequence[ParserChanges]) -> list[WriteResult]:
        """Apply the changes of several parsers in one transaction; return what was written for each."""
        layouts = [layout_of(each.schema) for each in changes]
        if not layouts:
            return []
        with self._lock.held():
            upserts = [{document.document_id: document for document in each.upserts} for each in changes]
            with self._writing() as connection:
                stored = migration.stored_layouts(connection)
                return [
                    _apply(connection, layout, stored, documents, {*each.deletes} - documents.keys())
                    for layout, documents, each in zip(layouts, upserts, changes, strict=True)
                ]

    def replace(self, schema: ParserSchema, batches: Iterable[Sequence[DocumentRow]]) -> WriteResult:
        """Recreate the parser's tables from all its documents, each given once."""
        layout = layout_of(schema)
        with self._writing() as connection:
            if migration.stored_layouts(connection, schema.schema):
                migration.drop_schema(connection, schema.schema)
            migration.migrate(connection, layout)
            return insert(connection, layout, batches)

    def duplicates_of(self, schema: str, document_ids: Collection[str]) -> list[str]:
        """Return the ids of a parser's documents whose rows are those of duplicates of these documents."""
        if self.is_new():
            return []
        with self._writing() as connection:
            layout, _ = migration.stored_layouts(connection, schema).get(schema, (None, True))
            if layout is None or all(column.name != "duplicate_of" for column in layout.tables[0].columns):
                return []
            rows = connection.execute(
                f"SELECT document_id FROM {quoted(schema, DOCUMENTS)} "
                "WHERE duplicate_of IN (SELECT unnest(?::VARCHAR[]))",
                [list(document_ids)],
            ).fetchall()
            return [str(document_id) for (document_id,) in rows]

    def drop(self, schema: str) -> bool:
        """Drop a parser's tables; return False if there were none."""
        if self.is_new():
            return False
        with self._writing() as connection:
            known = bool(migration.stored_layouts(connection, schema))
            if known:
                migration.drop_schema(connection, schema)
            return known

    def publish(self, *, force: bool = False, at_rest: bool = False) -> Published | None:
        """Publish a copy for analysts if anything changed; return None if there was nothing to do.

        Copies are no closer than the pause and the copy factor allow, unless ``force``; ``at_rest``, when no
        more changes are expected, ignores the pause but not the copy factor.
        """
        if not self._publish_now(force, at_rest):
            return None
        with self._lock.held():
            self._publication.tidy()
            return self._publication.put() if self._publish_now(force, at_rest) else None

    def is_published(self) -> bool:
        """Return whether analysts see all that was written."""
        return self._publication.due_in() is None

    def query(self, sql: str, parameters: Sequence[Any] = (), *, limit: int | None = None) -> QueryResult:
        """Return the rows of a query of the published copy.

            warehouse.query("SELECT name, total FROM invoices.documents WHERE total > ?", [100]).rows

        Raise InputError for wrong SQL, and if nothing is published yet.
        """
        return run_query(self._engine, self.published, sql, parameters, limit)

    def frame(self, sql: str, parameters: Sequence[Any] = ()) -> pl.DataFrame:
        """Return the rows of a query of the published copy as a polars frame.

            warehouse.frame("FROM invoices.line_items").group_by("description").agg(pl.col("amount").sum())

        The columns have the types of the table's. Raise as ``query`` does.
        """
        return query_frame(self._engine, self.published, sql, parameters)

    def counts(
        self, *, published: bool = True, schemas: Collection[str] | None = None
    ) -> dict[str, dict[str, int]]:
        """Return rows by schema and table, of what is published or (taking the lock) of the
        tables themselves; of all schemas when ``schemas`` is None."""
        if not published:
            if self.is_new():
                return {}
            with self._lock.held(), self._transaction() as connection:
                return count_rows(connection, schemas)
        if not self.published.exists():
            return {}
        with reading(self._engine, self.published) as connection:
            return count_rows(connection, schemas)

    def tables(self, schemas: Sequence[str]) -> dict[str, tuple[TableColumns, ...]]:
        """Return the published tables of these schemas; empty if nothing is published yet."""
        if not self.published.exists():
            return {}
        with reading(self._engine, self.published) as connection:
            return tables_of(connection, schemas)

    @contextmanager
    def _writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._lock.held(), self._transaction() as connection:
            yield connection

    def _publish_now(self, force: bool, at_rest: bool) -> bool:
        due = self._publication.due_in(at_rest)
        return due is not None and (force or due == 0)


def _apply(
    connection: duckdb.DuckDBPyConnection,
    layout: Layout,
    stored: Mapping[str, tuple[Layout, bool]],
    documents: Mapping[str, DocumentRow],
    gone: Collection[str],
) -> WriteResult:
    layout, stale = migration.migrate(connection, layout, stored)
    before, _ = stored.get(layout.schema, (None, False))
    deleted = _delete(connection, layout, [*documents], [*gone])
    applied = insert(connection, layout, [[*documents.values()]])
    is_migrated = before is not None and layout != before
    return changed(applied, deleted=deleted, is_migrated=is_migrated, needs_rebuild=stale)


def _delete(connection: duckdb.DuckDBPyConnection, layout: Layout, again: list[str], gone: list[str]) -> int:
    """Delete these documents' rows; return how many of ``gone`` existed."""
    chosen = "WHERE document_id IN (FROM chosen)"
    _choose(connection, again + gone)
    rows = connection.execute(
        f"SELECT document_id FROM {quoted(layout.schema, DOCUMENTS)} {chosen}"
    ).fetchall()
    if present := [document_id for (document_id,) in rows]:
        _choose(connection, present)
        for table in layout.tables:
            connection.execute(f"DELETE FROM {quoted(layout.schema, table.name)} {chosen}")
    connection.unregister("chosen")
    return len({*present} & {*gone})


def _choose(connection: duckdb.DuckDBPyConnection, ids: list[str]) -> None:
    """Make a table of ids: DuckDB is much slower with a list of strings as a parameter."""
    connection.register("chosen", pa.table({"document_id": pa.array(ids, pa.string())}))


def insert(
    connection: duckdb.DuckDBPyConnection, layout: Layout, batches: Iterable[Sequence[DocumentRow]]
) -> WriteResult:
    """Insert documents that have no rows yet; widen number columns as needed."""
    documents = rows = 0
    warnings: list[Misfit] = []
    for step in (chunk[at : at + _STEP] for chunk in batches for at in range(0, len(chunk), _STEP)):
        batch = Batch(layout, step)
        if (wider := layout.widened(batch.scales)) != layout:
            layout, _ = migration.migrate(connection, wider)
        documents += len(step)
        rows += _insert_batch(connection, layout, batch)
        warnings += batch.misfits
    return WriteResult(documents, rows, warnings=tuple(warnings))


def _insert_batch(connection: duckdb.DuckDBPyConnection, layout: Layout, batch: Batch) -> int:
    """Insert a batch; return its number of rows of table fields."""
    rows = 0
    for table in layout.tables:
        frame = batch.tables[table.name]
        if not frame.num_rows:
            continue
        connection.register("incoming", frame)
        connection.execute(f"INSERT INTO {quoted(layout.schema, table.name)} BY NAME FROM incoming")
        connection.unregister("incoming")
        if not table.key.startswith(":"):
            rows += frame.num_rows
    return rows
