"""Validation of export requests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from docduck.errors import InputError
from docduck.exports.model import ChosenColumn, Format, Scope, key_of
from docduck.fields import Field, FieldType

CONTENT_TYPES = {
    "json": "application/json",
    "xml": "application/xml",
    "csv": "text/csv; charset=utf-8",
    "zip": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
}
_DEFAULT_SCOPES = {
    Format.CSV: Scope.ALL_FLAT,
    Format.XLSX: Scope.ALL_SHEETS,
    Format.PARQUET: Scope.ALL_SHEETS,
}
_ZIPPED = (Format.CSV, Format.PARQUET)

E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """A valid request; ``scope`` None is the nested layout; ``fields`` are in order.

    ``table`` is only set for scope ``table``. ``columns`` are those that a layout
    chooses; None for the usual ones.
    """

    format: Format
    scope: Scope | None
    table: Field | None
    fields: tuple[Field, ...]
    columns: tuple[ChosenColumn, ...] | None = None

    @property
    def extension(self) -> str:
        """The file extension without a dot; all sheets as CSV or Parquet files are a ZIP."""
        zipped = self.format in _ZIPPED and self.scope is Scope.ALL_SHEETS
        return "zip" if zipped else self.format.value

    @property
    def content_type(self) -> str:
        return CONTENT_TYPES[self.extension]

    @property
    def scalars(self) -> tuple[Field, ...]:
        """The fields that are not tables."""
        return tuple(field for field in self.fields if field.type is not FieldType.TABLE)

    @property
    def tables(self) -> tuple[Field, ...]:
        return tuple(field for field in self.fields if field.type is FieldType.TABLE)

    def with_columns(self, refs: Iterable[str]) -> ExportPlan:
        """Return the plan with these columns, under their usual headings."""
        return replace(self, columns=tuple(ChosenColumn(ref) for ref in refs))


def resolve(
    format: str | None,
    scope: str | None,
    table_name: str | None,
    fields: Sequence[Field],
    columns: Sequence[ChosenColumn] | None = None,
) -> ExportPlan:
    """Return the plan for a request; the default format is ``json``, the default scope depends on it.

    Raise InputError for an unknown format, scope or table, if scope ``table`` is ambiguous, and for
    ``columns`` without a scope.
    """
    chosen = Format.JSON if format is None else _member(Format, format, "format")
    wanted = _DEFAULT_SCOPES.get(chosen) if scope is None else _member(Scope, scope, "scope")
    ordered = tuple(sorted(fields, key=_position))
    if columns is not None and wanted is None:
        raise InputError(
            f"Columns can be chosen for rows, not for nested {chosen.value}; choose a scope", "scope"
        )
    plan = ExportPlan(chosen, wanted, None, ordered, None if columns is None else tuple(columns))
    table = _table(plan.tables, table_name, needed=wanted is Scope.TABLE)
    return replace(plan, table=table) if wanted is Scope.TABLE else plan


def _position(field: Field) -> float:
    return float("inf") if field.position is None else field.position


def _member(kind: type[E], value: str, path: str) -> E:
    try:
        return kind(value)
    except ValueError:
        supported = ", ".join(member.value for member in kind)
        raise InputError(f"Unknown {path}: {value}. Supported: {supported}", path) from None


def _table(tables: Sequence[Field], name: str | None, needed: bool) -> Field | None:
    names = ", ".join(table.name for table in tables)
    if name is not None:
        for table in tables:
            if name in (table.name, key_of(table)):
                return table
        known = f"The parser's tables: {names}" if tables else "The parser has no table"
        raise InputError(f"Unknown table: {name}. {known}", "tableName")
    if not needed:
        return None
    if not tables:
        raise InputError("The parser has no table; choose another scope", "scope")
    if len(tables) > 1:
        raise InputError(
            f"tableName is required, as the parser has {len(tables)} tables: {names}", "tableName"
        )
    return tables[0]
