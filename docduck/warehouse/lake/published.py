"""Published catalogs: DuckLake's metadata of the tables as they are now, of all teams or of one.

A catalog is a DuckDB file of a few megabytes that names the Parquet files. It has no history.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb

from docduck.warehouse.lake.files import TABLES
from docduck.warehouse.names import literal, quoted

_WITHOUT_ROWS = ("ducklake_snapshot_changes", "ducklake_files_scheduled_for_deletion")
_CHOSEN = {
    "end_snapshot": "end_snapshot IS NULL",
    "schema_id": "schema_id IN (FROM chosen_schemas)",
    "table_id": "table_id IN (FROM chosen_tables)",
    "data_file_id": "data_file_id IN (FROM chosen_files)",
    "object_id": "object_id IN (FROM chosen_tables UNION ALL FROM chosen_schemas)",
    "scope_id": "scope_id IS NULL",
}
"""The rows of a metadata table that belong to the chosen schemas, by its columns."""
_VERSIONED = {
    "schema": "schema_id",
    "table": "schema_id",
    "column": "table_id",
    "data_file": "table_id",
    "delete_file": "table_id",
    "tag": "object_id",
    "column_tag": "table_id",
}
"""Metadata tables whose rows begin and end with a snapshot, and the column that tells whose they are."""


def write_catalog(
    connection: duckdb.DuckDBPyConnection,
    source: str,
    target: Path,
    data_path: str,
    schemas: Sequence[str] | None = None,
) -> None:
    """Write a new catalog of these schemas, or of all.

    ``source`` is the SQL name of the metadata: those of the lake, or another catalog. ``data_path`` is the
    address of the Parquet files.
    """
    target.unlink(missing_ok=True)
    # DuckLake makes the tables; DuckDB fills them. With small blocks, as most tables have few rows.
    made, place = literal(str(target)), literal(str(target.parent))
    connection.execute(f"ATTACH {made} AS made (BLOCK_SIZE 16384); DETACH made")
    connection.execute(f"ATTACH {literal(f'ducklake:{target}')} AS made (DATA_PATH {place}); DETACH made")
    _choose(connection, source, schemas)
    connection.execute(f"ATTACH {made} AS made")
    try:
        tables = connection.execute(
            "SELECT table_name, list(column_name) FROM duckdb_columns() WHERE database_name = 'made'"
            " AND schema_name = 'main' GROUP BY table_name"
        ).fetchall()
        for table, columns in tables:
            there = quoted("made", "main", table)
            conditions = [_CHOSEN[column] for column in columns if column in _CHOSEN]
            if table == "ducklake_snapshot":
                conditions = [f"snapshot_id = (SELECT max(snapshot_id) FROM {source}.ducklake_snapshot)"]
            if table in _WITHOUT_ROWS:
                conditions = ["false"]
            where = " AND ".join(conditions) or "true"
            connection.execute(f"DELETE FROM {there}")
            connection.execute(f"INSERT INTO {there} BY NAME FROM {source}.{table} WHERE {where}")
        connection.execute(
            f"UPDATE made.main.ducklake_metadata SET value = {literal(data_path)} WHERE key = 'data_path'"
        )
    finally:
        connection.execute("DETACH made")


def state(
    connection: duckdb.DuckDBPyConnection, source: str, schemas: Sequence[str] | None = None
) -> tuple[int, int]:
    """Return what changes with every change of the tables of these schemas, or of all."""
    _choose(connection, source, schemas)
    rows = " UNION ALL ".join(
        f"SELECT begin_snapshot FROM {source}.ducklake_{table}"
        f" WHERE end_snapshot IS NULL AND {_CHOSEN[column]}"
        for table, column in _VERSIONED.items()
    )
    row = connection.execute(f"SELECT count(*), coalesce(max(begin_snapshot), 0) FROM ({rows})").fetchone()
    assert row is not None
    return row


def file_names(catalog: Path) -> frozenset[str]:
    """Return the names of the objects that a catalog names."""
    files = " UNION ALL ".join(
        f"SELECT {literal(TABLES)} || s.path || t.path || f.path FROM {kind} f"
        " JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id)"
        for kind in ("ducklake_data_file", "ducklake_delete_file")
    )
    with duckdb.connect(str(catalog), read_only=True) as connection:
        return frozenset(name for (name,) in connection.execute(files).fetchall())


def _choose(connection: duckdb.DuckDBPyConnection, source: str, schemas: Sequence[str] | None) -> None:
    """Put the ids of these schemas, their tables and files into temporary tables."""
    # DuckLake can't be attached without its first schema.
    names = "true" if schemas is None else f"schema_name IN ('main', {', '.join(map(literal, schemas))})"
    chosen = {
        "schemas": f"schema_id FROM {source}.ducklake_schema WHERE {names}",
        "tables": f"table_id FROM {source}.ducklake_table WHERE {_CHOSEN['schema_id']}",
        "files": f"data_file_id FROM {source}.ducklake_data_file WHERE {_CHOSEN['table_id']}",
    }
    for table, ids in chosen.items():
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE chosen_{table} AS SELECT {ids} AND end_snapshot IS NULL"
        )
