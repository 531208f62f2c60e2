"""The columns of sheets: the usual ones of each scope, or those that a layout chooses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from docduck.exports.model import ChosenColumn, key_of
from docduck.exports.values import json_ready
from docduck.fields import Field, FieldType
from docduck.ids import each_unique


class Kind(StrEnum):
    """What the values of a column are."""

    TEXT = "text"
    NUMBER = "number"
    INTEGER = "integer"
    DATE = "date"
    MOMENT = "moment"
    BOOLEAN = "boolean"
    LIST = "list"


_KINDS = {
    FieldType.NUMBER: Kind.NUMBER,
    FieldType.CURRENCY: Kind.NUMBER,
    FieldType.DATE: Kind.DATE,
    FieldType.BOOLEAN: Kind.BOOLEAN,
    FieldType.LIST: Kind.LIST,
}
ROW_NUMBER = "$rowNumber"


@dataclass(frozen=True, slots=True)
class Column:
    """A column with its heading.

    ``key`` is a property such as ``$id``, or the key of a field or, with ``table``, of that table's column.
    ``is_amount`` is set for amounts of money, ``is_property`` for what documents have without their fields,
    whose names may be those of properties.
    """

    name: str
    key: str
    kind: Kind = Kind.TEXT
    table: str | None = None
    is_amount: bool = False
    is_property: bool = False

    @property
    def ref(self) -> str:
        """The name by which layouts choose the column."""
        return self.key if self.table is None else f"{self.table}.{self.key}"


DOCUMENT_COLUMNS = (
    Column("document_id", "$id", is_property=True),
    Column("document_name", "$name", is_property=True),
    Column("external_id", "$externalId", is_property=True),
    Column("status", "$status", is_property=True),
    Column("created_at", "$createdAt", Kind.MOMENT, is_property=True),
)
NUMBER_COLUMN = Column("row_number", ROW_NUMBER, Kind.INTEGER, is_property=True)
PROPERTY_COLUMNS = (*DOCUMENT_COLUMNS, Column("updated_at", "$updatedAt", Kind.MOMENT, is_property=True))
"""The properties that a layout can choose."""


def column_of(field: Field) -> Column:
    """Return the column of a field that is not a table."""
    kind = _KINDS.get(field.type, Kind.TEXT)
    return Column(json_ready(field.name), key_of(field), kind, is_amount=field.type is FieldType.CURRENCY)


def columns_of(table: Field, prefix: str = "") -> Iterator[Column]:
    """Yield the columns of a table, their names after ``prefix``."""
    for column in map(column_of, table.columns):
        yield replace(column, name=prefix + column.name, table=key_of(table))


def chosen(columns: Sequence[ChosenColumn], possible: Iterable[Column]) -> tuple[Column, ...]:
    """Return those of ``columns`` that are ``possible``, in their order, with their headings."""
    by_ref = {column.ref: column for column in possible}
    chosen = [(by_ref[column.ref], column.header) for column in columns if column.ref in by_ref]
    return named_apart(
        column if header is None else replace(column, name=header) for column, header in chosen
    )


def named_apart(columns: Iterable[Column]) -> tuple[Column, ...]:
    """Return the columns with unique names."""
    listed = list(columns)
    names = each_unique(column.name for column in listed)
    return tuple(replace(column, name=name) for column, name in zip(listed, names, strict=True))
