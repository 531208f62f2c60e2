"""Validation of export requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import BinaryIO, Protocol, TypeVar, cast

from docduck.errors import InputError
from docduck.exports.model import ChosenColumn, ExportDocument, Format, Scope, Written, key_of
from docduck.fields import Field, FieldType
from docduck.plugins import BrokenPlugin, Plugin, plugins

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
        if (added := added_format(self.format)) is not None:
            return added.extension
        zipped = self.format in _ZIPPED and self.scope is Scope.ALL_SHEETS
        return "zip" if zipped else self.format.value

    @property
    def content_type(self) -> str:
        added = added_format(self.format)
        return CONTENT_TYPES[self.extension] if added is None else added.content_type

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


class AddedFormat(Protocol):
    """An export format of another package, by the name of its entry point in the group ``docduck.exports``.

    The name is letters, digits and ``_``. ``extension`` is without a dot. ``scopes`` are those that it can
    write, its default first; ``docduck.exports.rows`` lays documents out in rows. It is written in the
    process of the service or command, not in an isolated worker.
    """

    content_type: str
    extension: str
    scopes: Sequence[Scope]

    def write(self, target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
        """Write ``documents`` to ``target``, which stays open, and return how many there were.

        Read ``documents`` once, in bounded memory. Let OSError pass, as of a full disk.
        """
        ...


def added_format(format: Format) -> AddedFormat | None:
    """Return a format of another package, None for docduck's own; raise InputError if it can't be loaded."""
    plugin = _added_plugins().get(format)
    try:
        return None if plugin is None else cast(AddedFormat, plugin.load())
    except BrokenPlugin as error:
        raise InputError(error.message, "format") from error


@cache
def _added_plugins() -> Mapping[str, Plugin]:
    """Return the first plugin for each format that is not docduck's own."""
    return {
        plugin.name: plugin for plugin in reversed(plugins("exports")) if plugin.name not in CONTENT_TYPES
    }


def content_types() -> list[str]:
    """Return the media types of files of all formats."""
    types = list(CONTENT_TYPES.values())
    for format in Format:
        with suppress(InputError):
            if (added := added_format(format)) is not None:
                types.append(added.content_type)
    return list(dict.fromkeys(types))


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
    added = added_format(chosen)
    usual = _DEFAULT_SCOPES.get(chosen) if added is None else added.scopes[0]
    wanted = usual if scope is None else _member(Scope, scope, "scope")
    if added is not None and wanted not in added.scopes:
        supported = ", ".join(added.scopes)
        raise InputError(f"{chosen.value} has no scope {wanted}. Supported: {supported}", "scope")
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
