"""Migration of a schema's tables when fields are added, renamed, retyped or deleted, keeping values.

A table whose columns differ is rewritten in one statement, with columns matched by key. So adding, dropping,
renaming, swapping and reordering are the same operation, and a migrated table equals a new one. Layouts are
stored in ``_docduck.schemas``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import duckdb

from docduck.warehouse.layout import Column, Label, Layout, Table, layout_from_json
from docduck.warehouse.names import EVIDENCE, META_SCHEMA, literal, quoted

_META = quoted(META_SCHEMA, "schemas")


def stored_layouts(
    connection: duckdb.DuckDBPyConnection, schema: str | None = None
) -> dict[str, tuple[Layout, bool]]:
    """Return each schema's layout, or that of one, and whether its rows must be written again."""
    # Not duckdb_tables(), which takes a second for the hundred tables of a lake.
    known = connection.execute(
        "SELECT count(*) FROM duckdb_schemas() WHERE database_name = current_database()"
        f" AND schema_name = {literal(META_SCHEMA)}"
    ).fetchone()
    if not known or not known[0]:
        return {}
    rows = connection.execute(
        f"SELECT name, layout, stale FROM {_META} WHERE name = coalesce(?, name) ORDER BY name", [schema]
    ).fetchall()
    return {name: (layout_from_json(text), stale) for name, text, stale in rows}


def migrate(
    connection: duckdb.DuckDBPyConnection,
    new: Layout,
    stored: Mapping[str, tuple[Layout, bool]] | None = None,
) -> tuple[Layout, bool]:
    """Create the schema or migrate it to ``new``, in the caller's transaction.

    Return its layout, in which number columns keep their decimal places, and whether its rows are stale. A
    column of a new type keeps what DuckDB can cast until its rows are written again. Rows of another parser
    are dropped. ``stored`` are the layouts as ``stored_layouts`` returns them.
    """
    if stored is None:
        stored = stored_layouts(connection, new.schema)
    old, stale = stored.get(new.schema, (None, False))
    if old is not None and old.parser_id != new.parser_id:
        # Rows of a deleted parser that had the same slug.
        drop_schema(connection, new.schema)
        old, stale = None, True
    if old is not None:
        new = new.widened(old.scales())
    if old == new:
        return new, stale
    if old is None:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted(new.schema)}")
    _tables(connection, old, new)
    if old is not None:
        certain = _evidence(connection, old, new)
        stale = stale or not certain or _retyped(old, new) or _has_new_property(old, new)
    store_layout(connection, new, stale)
    return new, stale


def store_layout(connection: duckdb.DuckDBPyConnection, layout: Layout, stale: bool) -> None:
    """Store the layout of the schema's tables."""
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted(META_SCHEMA)}")
    connection.execute(f"CREATE TABLE IF NOT EXISTS {_META} (name VARCHAR, layout VARCHAR, stale BOOLEAN)")
    connection.execute(f"DELETE FROM {_META} WHERE name = ?", [layout.schema])
    connection.execute(f"INSERT INTO {_META} VALUES (?, ?, ?)", [layout.schema, layout.as_json(), stale])


def drop_schema(connection: duckdb.DuckDBPyConnection, schema: str) -> None:
    """Drop a stored schema with all its tables."""
    connection.execute(f"DROP SCHEMA IF EXISTS {quoted(schema)} CASCADE")
    connection.execute(f"DELETE FROM {_META} WHERE name = ?", [schema])


def _tables(connection: duckdb.DuckDBPyConnection, old: Layout | None, new: Layout) -> None:
    before = {table.key: table for table in old.tables} if old else {}
    after = {table.key for table in new.tables}
    for key, table in before.items():
        if key not in after:
            connection.execute(f"DROP TABLE {quoted(new.schema, table.name)}")
    aside: dict[str, str] = {}
    for table in new.tables:
        was = before.get(table.key)
        if was is not None and was != table:
            aside[table.key] = f"~{len(aside)}"
            connection.execute(
                f"ALTER TABLE {quoted(new.schema, was.name)} RENAME TO {quoted(aside[table.key])}"
            )
    for table in new.tables:
        was = before.get(table.key)
        if was == table:
            continue
        name = quoted(new.schema, table.name)
        if was is None:
            columns = ", ".join(f"{quoted(column.name)} {column.type}" for column in table.columns)
            connection.execute(f"CREATE TABLE {name} ({columns})")
        else:
            there = {column.key: column for column in was.columns}
            columns = ", ".join(_carried(column, there.get(column.key)) for column in table.columns)
            source = quoted(new.schema, aside[table.key])
            connection.execute(f"CREATE TABLE {name} AS SELECT {columns} FROM {source}")
            connection.execute(f"DROP TABLE {source}")
        _comment(connection, new.schema, table)


def _carried(column: Column, was: Column | None) -> str:
    if was is None:
        value = f"CAST(NULL AS {column.type})"
    elif was.type == column.type:
        value = quoted(was.name)
    else:
        value = f"TRY_CAST(CAST({quoted(was.name)} AS VARCHAR) AS {column.type})"
    return f"{value} AS {quoted(column.name)}"


def _comment(connection: duckdb.DuckDBPyConnection, schema: str, table: Table) -> None:
    name = quoted(schema, table.name)
    if table.comment:
        connection.execute(f"COMMENT ON TABLE {name} IS {literal(table.comment)}")
    for column in table.columns:
        if column.comment:
            connection.execute(f"COMMENT ON COLUMN {name}.{quoted(column.name)} IS {literal(column.comment)}")


def _evidence(connection: duckdb.DuckDBPyConnection, old: Layout, new: Layout) -> bool:
    """Rename and delete labels in ``_evidence.field`` with their fields.

    Return False if two fields had the same label, so that their rows can't be told apart.
    """
    labels = {label.key: label for label in new.labels}
    evidence = quoted(new.schema, EVIDENCE)
    gone = [label for label in old.labels if not _same_place(label, labels.get(label.key))]
    moved = [label for label in old.labels if label not in gone and labels[label.key].text != label.text]
    if gone:
        places = ", ".join(f"({_place(label)})" for label in gone)
        connection.execute(
            f"DELETE FROM {evidence} WHERE (field, row_number IS NOT NULL) IN (VALUES {places})"
        )
    if moved:
        places = ", ".join(f"({_place(label)}, {literal(labels[label.key].text)})" for label in moved)
        connection.execute(
            f"UPDATE {evidence} SET field = name.now FROM (VALUES {places}) AS name(was, cell, now)"
            " WHERE field = name.was AND (row_number IS NOT NULL) = name.cell"
        )

    places_before = Counter((label.text, label.cell) for label in old.labels)
    return all(places_before[label.text, label.cell] == 1 for label in gone + moved)


def _place(label: Label) -> str:
    return f"{literal(label.text)}, {str(label.cell).lower()}"


def _same_place(label: Label, now: Label | None) -> bool:
    return now is not None and now.cell == label.cell


def _has_new_property(old: Layout, new: Layout) -> bool:
    """Return whether documents have another column of their own, which their fields say nothing of."""
    before = {column.key for table in old.tables for column in table.columns}
    return any(
        column.key.startswith(":") and column.key not in before
        for table in new.tables
        for column in table.columns
    )


def _retyped(old: Layout, new: Layout) -> bool:
    types = {label.key: label.type for label in new.labels}
    return any(types.get(label.key, label.type) != label.type for label in old.labels)
