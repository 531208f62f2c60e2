"""Queries of the analysts' copy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from docduck.errors import InputError
from docduck.warehouse.database import DuckDBOptions, reading
from docduck.warehouse.names import META_SCHEMA, literal, quoted


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
