"""The team's tables and columns with their names as SQL needs them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docduck.warehouse.names import quoted
from docduck.warehouse.team_tables import TableColumns

_WORDS = """
    all analyse analyze and anti any array as asc asof asymmetric at authorization between bigint binary
    bit boolean both by case cast char character check coalesce collate collation column columns
    concurrently constraint create cross dec decimal default deferrable desc describe distinct do else end
    except exists extract false fetch float for foreign freeze from full generated glob group grouping
    grouping_id having ilike in initially inner inout int integer intersect interval into is isnull join
    lambda lateral leading left like limit map national natural nchar none not notnull null nullif numeric
    offset on only or order out outer overlaps overlay pivot pivot_longer pivot_wider placing position
    positional precision primary qualify real references returning right row select semi setof show
    similar smallint some struct substring summarize symmetric table tablesample then time timestamp to
    trailing treat trim true try_cast union unique unpack unpivot using values varchar variadic verbose
    when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse
    xmlpi xmlroot xmlserialize xmltable
"""
KEYWORDS = frozenset(_WORDS.split())
"""The words of DuckDB that are no names without quotes."""

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
    return name if _PLAIN.fullmatch(name) and name not in KEYWORDS else quoted(name)
