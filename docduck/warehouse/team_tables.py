"""The published tables of some schemas, with their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class TableColumns:
    """A table; ``columns`` are names and SQL types, ``comments`` those of the columns that have one."""

    name: str
    columns: tuple[tuple[str, str], ...]
    comments: Mapping[str, str]
    comment: str | None = None


def tables_of(
    connection: duckdb.DuckDBPyConnection, schemas: Sequence[str]
) -> dict[str, tuple[TableColumns, ...]]:
    """Return the tables of these schemas in the default database, by schema; a schema may have none."""
    rows = connection.execute(
        "SELECT schema_name, table_name, list(column_name ORDER BY column_index),"
        " list(data_type ORDER BY column_index), list(c.comment ORDER BY column_index), any_value(t.comment)"
        " FROM duckdb_columns() c LEFT JOIN duckdb_tables() t"
        " USING (database_name, schema_name, table_name)"
        " WHERE database_name = current_database() AND list_contains(?, schema_name)"
        " GROUP BY schema_name, table_name"
        " ORDER BY schema_name, table_name = '_evidence', table_name <> 'documents', table_name",
        [list(schemas)],
    ).fetchall()
    by_schema: dict[str, tuple[TableColumns, ...]] = {}
    for schema, table, names, types, comments, comment in rows:
        descriptions = {name: text for name, text in zip(names, comments, strict=True) if text}
        listed = TableColumns(table, tuple(zip(names, types, strict=True)), descriptions, comment)
        by_schema[schema] = (*by_schema.get(schema, ()), listed)
    return by_schema
