"""The team's tables and columns with their names as SQL needs them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import duckdb

from docduck.warehouse.names import quoted
from docduck.warehouse.team_tables import TableColumns

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class ListedColumn:
    """A column; ``sql`` is its name in SQL, ``type`` its SQL type."""

    name: str
    sql: str
    type: str
    comment: str | None


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table; ``sql`` is its name in SQL."""

    schema: str
    name: str
    sql: str
    comment: str | None
    columns: tuple[ListedColumn, ...]


def listed(tables: Mapping[str, Sequence[TableColumns]]) -> list[ListedTable]:
    """Return tables by schema as a list."""
    return [
        ListedTable(
            schema,
            table.name,
            f"{sql_name(schema)}.{sql_name(table.name)}",
            table.comment,
            tuple(
                ListedColumn(name, sql_name(name), type_, table.comments.get(name))
                for name, type_ in table.columns
            ),
        )
        for schema, several in tables.items()
        for table in several
    ]


def sql_name(name: str) -> str:
    """Return an identifier, in double quotes if SQL needs them."""
    return name if _PLAIN.fullmatch(name) and name not in _keywords() else quoted(name)


@cache
def _keywords() -> frozenset[str]:
    """Return the words that are no names without quotes."""
    with duckdb.connect(":memory:") as connection:
        rows = connection.execute(
            "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
        ).fetchall()
    return frozenset(name for (name,) in rows)
