"""The tables of a parser: names, columns, types and comments, derived from its fields.

``documents`` has the document's own columns and one per scalar field; each table field is a table;
``_evidence`` has the position of every value. A column's ``key`` is its field's id, or a colon and its name
for columns of every parser; it identifies the column across layouts.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from docduck import column_types
from docduck.column_types import ColumnType
from docduck.errors import InputError
from docduck.fields import FieldType
from docduck.warehouse.names import (
    DOCUMENT_COLUMNS,
    DOCUMENTS,
    EVIDENCE,
    TABLE_COLUMNS,
    TABLES,
    check_column,
    check_schema,
)
from docduck.warehouse.rows import FieldColumns, ParserSchema

TABLE = "TABLE"


@dataclass(frozen=True, slots=True)
class Column:
    """A column; ``type`` is its SQL type. The scale of number columns grows with their values."""

    key: str
    name: str
    type: str
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table; ``key`` is the table field's id, or a colon and its name."""

    key: str
    name: str
    comment: str | None
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a field or (``cell``) a column in ``_evidence.field``.

    ``type`` is the SQL type without a number's scale, or TABLE.
    """

    key: str
    text: str
    cell: bool
    type: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The tables of a schema, ``documents`` first and ``_evidence`` last, and the labels of fields."""

    schema: str
    tables: tuple[Table, ...]
    labels: tuple[Label, ...]
    parser_id: str = ""

    def scales(self) -> dict[str, int]:
        """Return the decimal places of number columns by key."""
        return {
            column.key: column_types.SCALE_BY_SQL[column.type]
            for table in self.tables
            for column in table.columns
            if column.type in column_types.SCALE_BY_SQL
        }

    def widened(self, scales: Mapping[str, int]) -> Layout:
        """Return the layout with at least these decimal places for number columns, by key."""
        own = self.scales()
        wider = {key: scale for key, scale in scales.items() if scale > own.get(key, scale)}
        if not wider:
            return self
        return replace(self, tables=tuple(_widened(table, wider) for table in self.tables))

    def as_json(self) -> str:
        """Return the layout as text for ``layout_from_json``."""
        return json.dumps(asdict(self), ensure_ascii=False)


def layout_of(schema: ParserSchema) -> Layout:
    """Return the layout of a parser; raise InputError for invalid or repeated names."""
    check_schema(schema.schema)
    scalars = [field for field in schema.fields if field.type is not FieldType.TABLE]
    tables = [field for field in schema.fields if field.type is FieldType.TABLE]
    place = f"Parser '{schema.schema}'"
    documents = _columns(scalars, DOCUMENT_COLUMNS, place)
    _named_once(tables, TABLES, place)
    labels: list[Label] = []
    every: list[Table] = [Table(":documents", DOCUMENTS, schema.description, _DOCUMENT + documents)]
    for field in schema.fields:
        if field.type is not FieldType.TABLE:
            labels.append(Label(field.id, field.name, False, column_types.OF_FIELD[field.type].family))
            continue
        columns = _columns(field.columns, TABLE_COLUMNS, f"{place}, table '{field.name}'")
        every.append(Table(field.id, field.column, field.description, _ROW + columns))
        labels.append(Label(field.id, field.name, False, TABLE))
        labels += [
            Label(column.id, f"{field.name}.{column.name}", True, column_types.OF_FIELD[column.type].family)
            for column in field.columns
        ]
    every.append(Table(":evidence", EVIDENCE, "Where each value is in its document", _EVIDENCE))
    _unique([label.key for label in labels], f"{place} has two fields with the id")
    return Layout(schema.schema, tuple(every), tuple(labels), schema.parser_id)


def layout_from_json(text: str) -> Layout:
    """Return the layout from ``Layout.as_json``."""
    raw: dict[str, Any] = json.loads(text)
    return Layout(
        raw["schema"],
        tuple(
            Table(**{**table, "columns": tuple(Column(**column) for column in table["columns"])})
            for table in raw["tables"]
        ),
        tuple(Label(**label) for label in raw["labels"]),
        raw.get("parser_id", ""),
    )


def _columns(fields: Collection[FieldColumns], reserved: Collection[str], place: str) -> tuple[Column, ...]:
    _named_once(fields, reserved, place)
    for field in fields:
        if field.type is FieldType.TABLE:
            raise InputError(f"{place}: column '{field.name}' can't itself be a table")
    return tuple(
        Column(field.id, field.column, column_types.OF_FIELD[field.type].sql, field.description)
        for field in fields
    )


def _widened(table: Table, scales: Mapping[str, int]) -> Table:
    return replace(
        table,
        columns=tuple(
            replace(column, type=column_types.decimal_type(scales[column.key]).sql)
            if column.key in scales
            else column
            for column in table.columns
        ),
    )


def _named_once(fields: Collection[FieldColumns], reserved: Collection[str], place: str) -> None:
    for field in fields:
        check_column(field.column, reserved, f"{place}, field '{field.name}'")
    _unique([field.column for field in fields], f"{place} has two fields with the warehouse name")


def _unique(items: list[str], complaint: str) -> None:
    seen: set[str] = set()
    for item in items:
        if item in seen:
            raise InputError(f"{complaint} '{item}'")
        seen.add(item)


def _own(name: str, kind: ColumnType, comment: str) -> Column:
    return Column(f":{name}", name, kind.sql, comment)


_ID = _own("document_id", column_types.VARCHAR, "The document's id, the same in every table of the schema")
_DOCUMENT = (
    _ID,
    _own("name", column_types.VARCHAR, "The document's name, at first its file's"),
    _own("external_id", column_types.VARCHAR, "The caller's own id, unique within the parser"),
    _own("status", column_types.VARCHAR, "processed, in_review, approved, rejected, failed, …"),
    _own("source", column_types.VARCHAR, "How the document came: folder, api, url, email, …"),
    _own("folder", column_types.VARCHAR, "The folder it is filed under"),
    _own("page_count", column_types.INTEGER, "Number of pages"),
    _own("created_at", column_types.TIMESTAMP, "When it arrived, UTC"),
    _own("processed_at", column_types.TIMESTAMP, "When its values were read, UTC"),
    _own("approved_at", column_types.TIMESTAMP, "When the last review stage approved it, UTC"),
    _own("confidence", column_types.DOUBLE, "Mean probability, 0 to 1, that its values are right"),
    _own(
        "duplicate_of",
        column_types.VARCHAR,
        "The id of the first earlier document with the same content or key values; NULL if there is none",
    ),
)
_ROW = (_ID, _own("row_number", column_types.INTEGER, "The row's place in the document's table, from 1"))
_EVIDENCE = (
    _ID,
    _own("field", column_types.VARCHAR, "The field's name, or Table.Column"),
    _own("row_number", column_types.INTEGER, "Row of the table from 1; NULL for a field outside tables"),
    _own("page", column_types.INTEGER, "Page from 1"),
    _own("left", column_types.DOUBLE, "Left edge, 0 to 1 of the page's width"),
    _own("top", column_types.DOUBLE, "Top edge, 0 to 1 of the page's height from the top"),
    _own("width", column_types.DOUBLE, "Width, 0 to 1 of the page's"),
    _own("height", column_types.DOUBLE, "Height, 0 to 1 of the page's"),
    _own("confidence", column_types.DOUBLE, "Probability, 0 to 1, that the value is right"),
    _own("text", column_types.VARCHAR, "The words at this place"),
)
