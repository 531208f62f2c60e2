"""Rows as table metadata, for Dagster's UI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dagster import MetadataValue, TableColumn, TableMetadataValue, TableRecord, TableSchema

MAX_CELL_LENGTH = 200
MAX_COLUMNS = 50


def preview(rows: Sequence[Mapping[str, Any]]) -> dict[str, TableMetadataValue]:
    """Return the metadata entry ``preview`` with these rows; empty without rows."""
    return {"preview": table(rows)} if rows else {}


def table(rows: Sequence[Mapping[str, Any]]) -> TableMetadataValue:
    """Return rows as a table with the columns of all of them, at most fifty; long values are cut."""
    names = list(dict.fromkeys(name for row in rows for name in row))[:MAX_COLUMNS]
    records = [TableRecord({name: _cell(row.get(name)) for name in names}) for row in rows]
    schema = TableSchema(
        [TableColumn(name, _type([record.data[name] for record in records])) for name in names]
    )
    return MetadataValue.table(records, schema)


def _cell(value: Any) -> str | int | float | bool | None:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple):
        value = "; ".join("" if item is None else str(item) for item in value)
    text = str(value)
    return text if len(text) <= MAX_CELL_LENGTH else text[: MAX_CELL_LENGTH - 1] + "…"


def _type(values: Sequence[Any]) -> str:
    """Return the name that Dagster has for the type of these values."""
    kinds = {type(value) for value in values if value is not None}
    names = {bool: "bool", int: "int", float: "float"}
    return names.get(kinds.pop(), "string") if len(kinds) == 1 else "string"
