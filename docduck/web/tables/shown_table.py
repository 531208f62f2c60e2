"""A table as it is browsed: its columns, and what can be filtered in each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from docduck.errors import InputError
from docduck.warehouse.names import DOCUMENT_COLUMNS, DOCUMENTS, quoted
from docduck.warehouse.team_tables import TableColumns

_BEFORE_FIELDS, _AFTER_FIELDS = ("name", "status"), ("created_at", "confidence")
"""The columns of documents beside their fields that are shown unless all are chosen."""


class Kind(StrEnum):
    """What the values of a column are."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    MOMENT = "moment"
    BOOLEAN = "boolean"
    LIST = "list"

    @property
    def is_range(self) -> bool:
        """Whether values are filtered by a least and a greatest one."""
        return self in (Kind.NUMBER, Kind.DATE, Kind.MOMENT)


_KINDS = {
    **dict.fromkeys(("INTEGER", "BIGINT", "DOUBLE", "DECIMAL"), Kind.NUMBER),
    "DATE": Kind.DATE,
    "TIMESTAMP": Kind.MOMENT,
    "BOOLEAN": Kind.BOOLEAN,
    "VARCHAR[]": Kind.LIST,
}


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A column with the kind of its values; ``type`` is its SQL type."""

    name: str
    type: str
    kind: Kind
    comment: str | None


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A published table."""

    schema: str
    name: str
    comment: str | None
    columns: tuple[ShownColumn, ...]

    @property
    def sql_name(self) -> str:
        """The table's name in SQL."""
        return quoted(self.schema, self.name)

    def column(self, name: str) -> ShownColumn:
        """Return a column; raise InputError."""
        for column in self.columns:
            if column.name == name:
                return column
        known = tuple(column.name for column in self.columns)
        raise InputError(f"The table {self.schema}.{self.name} has no column {name}", name, known=known)

    def shown(self, every: bool) -> tuple[ShownColumn, ...]:
        """Return the columns that are shown: all, or of documents the usual ones and the fields."""
        if self.name != DOCUMENTS or every:
            return tuple(column for column in self.columns if column.name != "document_id")
        fields = [column for column in self.columns if column.name not in DOCUMENT_COLUMNS]
        return (*map(self.column, _BEFORE_FIELDS), *fields, *map(self.column, _AFTER_FIELDS))


def shown_table(schema: str, table: TableColumns) -> ShownTable:
    """Return a published table with the kinds of its columns."""
    columns = (
        ShownColumn(name, type_, _KINDS.get(type_.partition("(")[0], Kind.TEXT), table.comments.get(name))
        for name, type_ in table.columns
    )
    return ShownTable(schema, table.name, table.comment, tuple(columns))
