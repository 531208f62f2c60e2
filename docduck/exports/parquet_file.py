"""Parquet exports: a file per sheet, typed like the tables of the warehouse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from types import NoneType
from typing import Any, BinaryIO, cast
from zipfile import ZipFile

import polars as pl
from polars.selectors import by_name

from docduck.column_types import BOOLEAN, DATE, DECIMAL, SCALES, ColumnType
from docduck.exports.columns import Column, Kind
from docduck.exports.model import ExportDocument, Scope, Written
from docduck.exports.names import FileNames
from docduck.exports.plan import ExportPlan
from docduck.exports.rows import Convert, Row, Sheet, SheetRows, as_is, sheets
from docduck.exports.spool import add_to_zip, copy_file
from docduck.exports.values import flat, text
from docduck.ids import each_unique

_PRECISION = 38
_PLAIN_BELOW = 2**53
_NOT_PLAIN = r"[eE]|NaN|\.\d{11}"
"""Numbers as text that are not simply digits, or have too many decimal places."""
_MOMENT = "%Y-%m-%dT%H:%M:%S%.3fZ"
_BATCH = 4_000
_ROW_GROUP = 100_000
_KEPT_AS: dict[Kind, pl.DataType | type[pl.DataType]] = {
    Kind.INTEGER: pl.Int32,
    Kind.DATE: pl.Date,
    Kind.MOMENT: pl.Datetime("ms"),
    Kind.BOOLEAN: pl.Boolean,
    Kind.LIST: pl.List(pl.String),
}
"""How values are kept until the file is written; numbers as text."""


def write_parquet(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write a Parquet file, or for ``all_sheets`` a ZIP with a file per sheet; rows are kept on disk.

    A value that doesn't fit its column's type is null, and the warnings count it.
    """
    misfits: Counter[str] = Counter()
    sheet_rows = SheetRows(documents, sheets(plan), lambda column: as_is)
    with TemporaryDirectory(prefix="docduck-export-") as folder:
        if plan.scope is Scope.ALL_SHEETS:
            names = FileNames()
            with ZipFile(target, "w") as archive:
                for sheet, rows in sheet_rows:
                    with _file(Path(folder), sheet, rows, misfits).open("rb") as file:
                        add_to_zip(file, archive, f"{names.assign(sheet.name)}.parquet", compress=False)
        else:
            for sheet, rows in sheet_rows:
                with _file(Path(folder), sheet, rows, misfits).open("rb") as file:
                    copy_file(file, target)
    warnings = [
        f"'{name}': {count} {'value does' if count == 1 else 'values do'} not fit the column's type and"
        f" {'is' if count == 1 else 'are'} null"
        for name, count in misfits.items()
    ]
    return Written(sheet_rows.document_count, sheet_rows.row_count, tuple(warnings))


def _file(folder: Path, sheet: Sheet, rows: Iterator[Row], misfits: Counter[str]) -> Path:
    """Write a sheet in batches, and then as one file, when the decimal places of its numbers are known."""
    columns = dict(zip(_names(sheet), sheet.columns, strict=True))
    places = {name: 0 for name, column in columns.items() if column.kind is Kind.NUMBER}
    parts: list[Path] = []
    # The garbage collector does not track tuples of plain values, as it does lists.
    while batch := list(map(tuple, islice(rows, _BATCH))):
        values = zip(columns.items(), zip(*batch, strict=True), strict=True)
        frame = pl.DataFrame([_series(name, column, cells, misfits) for (name, column), cells in values])
        for name in places:
            fractions = frame[name].str.strip_chars_start("-0123456789")  # With their points.
            longest = cast(int, fractions.str.len_bytes().max() or 0)
            places[name] = max(places[name], longest - 1)
        parts.append(folder / f"part-{len(parts)}.arrow")
        frame.write_ipc(parts[-1])
    empty = {name: _KEPT_AS.get(column.kind, pl.String) for name, column in columns.items()}
    kept = pl.scan_ipc(parts) if parts else pl.LazyFrame(schema=empty)
    path = folder / "sheet.parquet"
    # Not ``pl.col``: it takes "*" and "^…$" for patterns.
    numbers = (by_name(name).cast(_decimal(count)) for name, count in places.items())
    kept.with_columns(*numbers).sink_parquet(path, row_group_size=_ROW_GROUP)
    for part in parts:
        part.unlink()
    return path


def _series(name: str, column: Column, cells: Sequence[Any], misfits: Counter[str]) -> pl.Series:
    """Return a column's cells, typed but for numbers, which are text; count what doesn't fit."""
    convert: Convert = _CONVERSIONS.get(column.kind, _text)
    series = _simple(column.kind, cells)
    if series is None:
        values = [convert(cell) for cell in cells]
        series = pl.Series(values, dtype=_KEPT_AS.get(column.kind, pl.String))
        if column.kind in _CHECKED:
            present = sum(cell is not None and cell != "" for cell in cells)
            if lost := present - (len(series) - series.null_count()):
                misfits[column.name] += lost
    return series.alias(name)


def _simple(kind: Kind, cells: Sequence[Any]) -> pl.Series | None:
    """Return the cells if all have the usual types of their kind, which is much faster; otherwise None."""
    types = {*map(type, cells)} - {NoneType}
    if kind is Kind.TEXT and types <= {str}:
        try:
            return pl.Series(cells, dtype=pl.String)
        except UnicodeEncodeError:
            return None
    if kind is Kind.NUMBER and types <= {float, int}:
        numbers = pl.Series(cells, dtype=pl.Float64, strict=False)
        if (cast(float, numbers.abs().max()) or 0) < _PLAIN_BELOW:
            shown = numbers.cast(pl.String).str.strip_suffix(".0")
            if not shown.str.contains(_NOT_PLAIN).any():
                return shown
    if kind is Kind.MOMENT:
        return pl.Series(cells, dtype=pl.String).str.to_datetime(_MOMENT, time_unit="ms")
    if kind is Kind.DATE and types <= {str}:
        texts = pl.Series(cells, dtype=pl.String)
        dates = texts.str.to_date("%Y-%m-%d", strict=False)
        if dates.null_count() == texts.null_count():
            return dates
    return None


def _decimal(places: int) -> pl.Decimal:
    return pl.Decimal(_PRECISION, next(scale for scale in SCALES if scale >= places))


def _names(sheet: Sheet) -> list[str]:
    """Return the columns' names, unique without regard to case, as in SQL."""
    folded = [column.name.casefold() for column in sheet.columns]
    added = (name[len(own) :] for own, name in zip(folded, each_unique(folded), strict=True))
    return [column.name + number for column, number in zip(sheet.columns, added, strict=True)]


def _text(value: Any) -> str | None:
    if type(value) is str and value.isascii():
        return value
    return None if value is None else text(flat(value))


def _list(value: Any) -> list[str] | None:
    if value is None or value == "":
        return None
    items = value if isinstance(value, list | tuple) else [value]
    return [text for item in items if (text := _text(item)) is not None]


def _fitting(kind: ColumnType) -> Convert:
    """Return the conversion of the warehouse to a type, with None for what doesn't fit."""

    def convert(value: Any) -> Any:
        try:
            return kind.read(value)
        except ValueError:
            return None

    return convert


def _number(value: Any) -> str | None:
    """Return a number as text with as many decimal places as are kept."""
    number = _DECIMAL(value)
    return None if number is None else f"{number:f}"


_DECIMAL = _fitting(DECIMAL)
_CONVERSIONS: dict[Kind, Convert] = {
    Kind.NUMBER: _number,
    Kind.INTEGER: as_is,
    Kind.DATE: _fitting(DATE),
    Kind.BOOLEAN: _fitting(BOOLEAN),
    Kind.LIST: _list,
}
_CHECKED = (Kind.NUMBER, Kind.DATE, Kind.BOOLEAN)
"""Kinds with values that may not fit."""
