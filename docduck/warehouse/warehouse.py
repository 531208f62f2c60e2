"""The warehouse: documents as tables, one schema per parser, in one DuckDB file.

``warehouse.duckdb`` is private and only open during writes; ``analytics.duckdb`` is its published copy. It
can be rebuilt from the catalog at any time, to the same rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa

from docduck.errors import Conflict
from docduck.files.folders import flush_folder
from docduck.warehouse import migration
from docduck.warehouse.batch import Batch
from docduck.warehouse.database import DuckDBOptions, transaction
from docduck.warehouse.frames import query_frame
from docduck.warehouse.layout import Layout, layout_of
from docduck.warehouse.lock import WriterLock
from docduck.warehouse.names import DOCUMENTS, quoted
from docduck.warehouse.publication import Publication, Published
from docduck.warehouse.query import QueryResult, count_rows, run_query
from docduck.warehouse.rows import DocumentRow, Misfit, ParserSchema, WriteResult
from docduck.warehouse.team_tables import TableColumns, tables_of

_STEP = 500


class Warehouse:
    """The warehouse of a home folder; safe to share between threads and processes.

    Every write is one transaction under one lock. It raises Transient and changes nothing if the lock isn't
    free within ``timeout`` seconds or the disk is full.
    """

    def __init__(
        self,
        home: Path,
        *,
        memory_limit: str = "512MB",
        threads: int = 2,
        timeout: float = 60.0,
        publish_pause: float = 5.0,
        publish_copy_factor: float = 10.0,
        readers: str | None = None,
    ) -> None:
        self.path = home / "warehouse.duckdb"
        self.published = home / "analytics.duckdb"
        self._engine = DuckDBOptions(memory_limit, threads, timeout)
        self._lock = WriterLock(home / "warehouse.lock", timeout)
        self._publication = Publication(
            self.path, self.published, publish_pause, publish_copy_factor, readers
        )

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
        layout = layout_of(schema)
        with self._writing() as connection:
            documents = {document.document_id: document for document in upserts}
            gone = {*deletes} - documents.keys()
            with transaction(connection):
                layout, stale = migration.migrate(connection, layout)
                deleted = _delete(connection, layout, [*documents], [*gone])
                applied = _insert(connection, layout, [[*documents.values()]])
        return changed(applied, deleted=deleted, needs_rebuild=stale)

    def replace(self, schema: ParserSchema, batches: Iterable[Sequence[DocumentRow]]) -> WriteResult:
        """Recreate the parser's tables from all its documents, each given once."""
        layout = layout_of(schema)
        with self._writing() as connection, transaction(connection):
            if migration.stored_layouts(connection, schema.schema):
                migration.drop_schema(connection, schema.schema)
            migration.migrate(connection, layout)
            return _insert(connection, layout, batches)

    def drop(self, schema: str) -> bool:
        """Drop a parser's tables; return False if there were none."""
        if not self.path.exists():
            return False
        with self._writing() as connection, transaction(connection):
            known = bool(migration.stored_layouts(connection, schema))
            if known:
                migration.drop_schema(connection, schema)
            return known

    def rebuild(
        self, parsers: Iterable[tuple[ParserSchema, Iterable[Sequence[DocumentRow]]]]
    ) -> dict[str, WriteResult]:
        """Recreate the whole file from every parser's documents; return what was written by schema.

        The new file replaces the old one atomically at the end; after an error, the old one stays.
        """
        new = self.path.with_name(self.path.name + ".new")
        done: dict[str, WriteResult] = {}
        with self._lock.held():
            _remove(new)
            try:
                with self._engine.attached(new) as connection:
                    for schema, batches in parsers:
                        layout = layout_of(schema)
                        with transaction(connection):
                            migration.migrate(connection, layout)
                            done[schema.schema] = _insert(connection, layout, batches)
                    connection.execute("CHECKPOINT")
                self._settle()
                new.replace(self.path)
            finally:
                _remove(new)
            flush_folder(self.path.parent)
        return done

    def publish(self, *, force: bool = False, at_rest: bool = False) -> Published | None:
        """Publish a copy for analysts if anything changed; return None if there was nothing to do.

        Copies are no closer than the pause and the copy factor allow, unless ``force``; ``at_rest``, when no
        more changes are expected, ignores the pause but not the copy factor.
        """
        if not self._publish_now(force, at_rest):
            return None
        with self._lock.held():
            self._publication.tidy()
            if not self._publish_now(force, at_rest):
                return None
            if _log(self.path).exists():
                with self._engine.attached(self.path) as connection:
                    connection.execute("CHECKPOINT")
            return self._publication.put()

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

    def counts(self, *, published: bool = True) -> dict[str, dict[str, int]]:
        """Return rows by schema and table, of the published copy or (taking the lock) the private file."""
        path = self.published if published else self.path
        if not path.exists():
            return {}
        if published:
            with self._engine.attached(path, "analytics", read_only=True) as connection:
                return count_rows(connection)
        with self._writing() as connection:
            return count_rows(connection)

    def tables(self, schemas: Sequence[str]) -> dict[str, tuple[TableColumns, ...]]:
        """Return the published tables of these schemas; empty if nothing is published yet."""
        if not self.published.exists():
            return {}
        with self._engine.attached(self.published, "analytics", read_only=True) as connection:
            return tables_of(connection, schemas)

    @contextmanager
    def _writing(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._lock.held(), self._engine.attached(self.path) as connection:
            yield connection

    def _publish_now(self, force: bool, at_rest: bool) -> bool:
        due = self._publication.due_in(at_rest)
        return due is not None and (force or due == 0)

    def _settle(self) -> None:
        """Remove the old file's log, which would be taken for the new file's."""
        if _log(self.path).exists():
            try:
                with self._engine.attached(self.path) as connection:
                    connection.execute("CHECKPOINT")
            except (Conflict, duckdb.Error):
                _log(self.path).unlink(missing_ok=True)


def _delete(connection: duckdb.DuckDBPyConnection, layout: Layout, again: list[str], gone: list[str]) -> int:
    """Delete these documents' rows; return how many of ``gone`` existed."""
    # As a table: DuckDB is much slower with a list of strings as a parameter.
    connection.register("chosen", pa.table({"document_id": pa.array(again + gone, pa.string())}))
    chosen = "WHERE document_id IN (FROM chosen)"
    present = connection.execute(
        f"SELECT document_id FROM {quoted(layout.schema, DOCUMENTS)} {chosen}"
    ).fetchall()
    if present:
        for table in layout.tables:
            connection.execute(f"DELETE FROM {quoted(layout.schema, table.name)} {chosen}")
    connection.unregister("chosen")
    return len({document_id for (document_id,) in present} & {*gone})


def _insert(
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


def _log(path: Path) -> Path:
    return path.with_name(path.name + ".wal")


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    _log(path).unlink(missing_ok=True)
