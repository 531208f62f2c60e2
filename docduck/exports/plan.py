"""Validation of export requests, and writing documents by them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import BinaryIO, Protocol, TypeVar, cast

from docduck.errors import DocduckError, InputError, PluginFailed
from docduck.exports.model import ChosenColumn, ExportDocument, Format, Scope, Written, key_of
from docduck.fields import Field, FieldType
from docduck.plugins import OWN_PACKAGE, BrokenPlugin, Plugin, plugins

BUILT_IN = tuple(
    Plugin("exports", name, OWN_PACKAGE, "", "docduck.exports.formats", name.upper())
    for name in (
        "json",
        "xml",
        "csv",
        "xlsx",
        "parquet",
    )
)
"""docduck's own formats, which are looked up as those of other packages are."""

_ZIPPED = (Format.CSV, Format.PARQUET)
_ZIP_TYPE = "application/zip"

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
        return "zip" if self._is_zipped else export_format(self.format).extension

    @property
    def content_type(self) -> str:
        return _ZIP_TYPE if self._is_zipped else export_format(self.format).content_type

    @property
    def _is_zipped(self) -> bool:
        return self.format in _ZIPPED and self.scope is Scope.ALL_SHEETS

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


class ExportFormat(Protocol):
    """An export format: docduck's own, or of another package by an entry point in ``docduck.exports``.

    The name of the entry point is that of the format: letters, digits and ``_``. ``extension`` is without a
    dot. ``scopes`` are those that it can write, its default first; None is the nested layout.
    ``docduck.exports.rows`` lays documents out in rows. It is written in the process of the service or
    command, not in an isolated worker.
    """

    content_type: str
    extension: str
    scopes: Sequence[Scope | None]

    def write(self, target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
        """Write ``documents`` to ``target``, which stays open, and return how many there were.

        Read ``documents`` once, in bounded memory. Let OSError pass, as of a full disk.
        """
        ...


@cache
def registered_formats() -> Mapping[str, Plugin]:
    """Return the first registration for each format; docduck's own come first."""
    return {plugin.name: plugin for plugin in reversed((*BUILT_IN, *plugins("exports")))}


def export_format(format: Format) -> ExportFormat:
    """Return a format; raise InputError if it can't be loaded."""
    try:
        return cast(ExportFormat, registered_formats()[format].load())
    except BrokenPlugin as error:
        raise InputError(error.message, "format") from error


def content_types() -> list[str]:
    """Return the media types of files of all formats."""
    types: list[str] = []
    for format in Format:
        with suppress(InputError):
            types.append(export_format(format).content_type)
        if format in _ZIPPED:
            types.append(_ZIP_TYPE)
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
    scopes = export_format(chosen).scopes
    wanted = scopes[0] if scope is None else _member(Scope, scope, "scope")
    if wanted not in scopes:
        supported = ", ".join(filter(None, scopes))
        raise InputError(f"{chosen.value} has no scope {wanted}. Supported: {supported}", "scope")
    ordered = tuple(sorted(fields, key=_position))
    if columns is not None and wanted is None:
        raise InputError(
            f"Columns can be chosen for rows, not for nested {chosen.value}; choose a scope", "scope"
        )
    plan = ExportPlan(chosen, wanted, None, ordered, None if columns is None else tuple(columns))
    table = _table(plan.tables, table_name, needed=wanted is Scope.TABLE)
    return replace(plan, table=table) if wanted is Scope.TABLE else plan


def write(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write ``documents`` to ``target`` by a plan returned by ``resolve``.

    Raise Transient if it can't be written, and PluginFailed for other errors of another package's format.
    """
    format = export_format(plan.format)
    try:
        return format.write(target, documents, plan)
    except (DocduckError, OSError, MemoryError):
        raise
    except Exception as error:
        if registered_formats()[plan.format].package == OWN_PACKAGE:
            raise
        message = f"The export format {plan.format} failed: {type(error).__name__}: {error}"
        raise PluginFailed(message) from error


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
