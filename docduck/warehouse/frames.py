"""The analysts' copy as polars frames, with the types of its columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
from polars.io.plugins import register_io_source

from docduck.errors import InputError, NotFound
from docduck.warehouse.database import DuckDBOptions, reading
from docduck.warehouse.names import META_SCHEMA, literal, quoted
from docduck.warehouse.published_copy import PublishedCopy

_BATCH_ROWS = 100_000


def query_frame(engine: DuckDBOptions, path: Path, sql: str, parameters: Sequence[Any] = ()) -> pl.DataFrame:
    """Return the rows of a query of the published copy; raise InputError with DuckDB's message."""
    with reading(engine, path) as connection:
        try:
            relation = connection.sql(sql, params=list(parameters) or None)
            if relation is None:
                raise InputError("The statement returns no rows")
            return relation.pl()
        except duckdb.Error as error:
            raise InputError(str(error)) from error


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table of the published copy, and the columns to read; all of them if None.

        table = PublishedTable(PublishedCopy(home / "analytics.duckdb"), "invoices", "line_items")
        large = table.scan().filter(pl.col("amount") > 100).collect()

    ``frame`` and ``scan`` raise NotFound if the table or a column is gone, InputError if nothing is published
    yet, and Transient while another program holds the file for writing.
    """

    copy: PublishedCopy
    schema: str
    table: str
    columns: tuple[str, ...] | None = None

    def frame(self) -> pl.DataFrame:
        """Return all rows."""
        with self.copy.reading() as connection:
            return self._select(connection, self._known(connection)).pl()

    def scan(self) -> pl.LazyFrame:
        """Return a lazy frame that reads the columns and rows that it needs, whenever it is collected."""
        with self.copy.reading() as connection:
            schema = self._select(connection, self._known(connection)).limit(0).pl().schema
        return register_io_source(self._batches, schema=schema)

    def _batches(
        self,
        with_columns: list[str] | None,
        predicate: pl.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[pl.DataFrame]:
        """Yield the rows for polars, as documented for ``register_io_source``."""
        with self.copy.reading() as connection:
            known = self._known(connection)
            rows = self._select(connection, known if with_columns is None else with_columns)
            if n_rows is not None:
                rows = rows.limit(n_rows)
            for batch in rows.to_arrow_reader(batch_size or _BATCH_ROWS):
                frame = pl.DataFrame(batch)
                yield frame if predicate is None else frame.filter(predicate)

    def _select(
        self, connection: duckdb.DuckDBPyConnection, columns: Sequence[str]
    ) -> duckdb.DuckDBPyRelation:
        return connection.sql(f"SELECT {', '.join(map(quoted, columns))} FROM {quoted(*self._name)}")

    @property
    def _name(self) -> tuple[str, str]:
        return self.schema, self.table

    def _known(self, connection: duckdb.DuckDBPyConnection) -> Sequence[str]:
        """Return the columns to read; raise NotFound if one of them, or the table, does not exist."""
        own = _column_names(connection, self.schema, self.table)
        name = ".".join(self._name)
        if not own:
            raise NotFound(
                f"There is no table {name} in {self.copy.path}: its parser or its field may have been renamed"
                f" or deleted, or has no documents yet. Tables there: {_table_names(connection)}",
                "table",
                name,
            )
        for column in self.columns or ():
            if column not in own:
                known = ", ".join(own)
                raise NotFound(f"{name} has no column {column}; it has {known}", "columns", column)
        return own if self.columns is None else self.columns


def _column_names(connection: duckdb.DuckDBPyConnection, schema: str, table: str) -> list[str]:
    columns = connection.execute(
        "SELECT column_name FROM duckdb_columns() WHERE database_name = current_database()"
        " AND schema_name = ? AND table_name = ? ORDER BY column_index",
        [schema, table],
    )
    return [name for (name,) in columns.fetchall()]


def _table_names(connection: duckdb.DuckDBPyConnection) -> str:
    tables = connection.execute(
        "SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE database_name ="
        f" current_database() AND schema_name <> {literal(META_SCHEMA)} ORDER BY ALL LIMIT 50"
    )
    return ", ".join(name for (name,) in tables.fetchall()) or "none"
