"""Parquet exports: a file per sheet, typed like the tables of the warehouse."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal, localcontext
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, cast
from zipfile import ZipFile

import polars as pl

from docduck.exports.columns import Column, Kind, unique
from docduck.exports.model import ExportDocument, Scope, Written
from docduck.exports.names import FileNames
from docduck.exports.plan import ExportPlan
from docduck.exports.rows import Convert, Row, Sheet, SheetRows, sheets
from docduck.exports.spool import add_to_zip, copy_file
from docduck.exports.values import flat, json_ready, text

SCALES = (2, 4, 6, 10)
"""Possible decimal places of number columns, the same as in the warehouse."""

_PRECISION = 38
_STEP = Decimal(1).scaleb(-SCALES[-1])
_TOO_LARGE = Decimal(10) ** (_PRECISION - SCALES[-1])
_BATCH = 20_000
_ROW_GROUP = 100_000
_KEPT_AS: dict[Kind, pl.DataType | type[pl.DataType]] = {
    Kind.INTEGER: pl.Int32,
    Kind.MOMENT: pl.Datetime("ms"),
    Kind.BOOLEAN: pl.Boolean,
    Kind.LIST: pl.List(pl.String),
}
"""How values are kept until the file is written; numbers and dates as text."""


def write_parquet(target: BinaryIO, documents: Iterable[ExportDocument], plan: ExportPlan) -> Written:
    """Write a Parquet file, or for ``all_sheets`` a ZIP with a file per sheet; rows are kept on disk.

    A value that doesn't fit its column's type is null, and told in the warnings.
    """
    misfits: Counter[str] = Counter()
    found = SheetRows(documents, sheets(plan), lambda column: _conversion(column, misfits))
    with TemporaryDirectory(prefix="docduck-export-") as folder:
        if plan.scope is Scope.ALL_SHEETS:
            names = FileNames()
            with ZipFile(target, "w") as archive:
                for sheet, rows in found:
                    with _file(Path(folder), sheet, rows).open("rb") as file:
                        add_to_zip(file, archive, f"{names.assign(sheet.name)}.parquet", compress=False)
        else:
            for sheet, rows in found:
                with _file(Path(folder), sheet, rows).open("rb") as file:
                    copy_file(file, target)
    warnings = [
        f"'{name}': {count} {'value does' if count == 1 else 'values do'} not fit the column's type and"
        f" {'is' if count == 1 else 'are'} null"
        for name, count in misfits.items()
    ]
    return Written(found.document_count, found.row_count, tuple(warnings))


def _file(folder: Path, sheet: Sheet, rows: Iterator[Row]) -> Path:
    """Write a sheet in batches, and then as one file, when the decimal places of its numbers are known."""
    kinds = {name: one.kind for name, one in zip(_names(sheet), sheet.columns, strict=True)}
    schema = {name: _KEPT_AS.get(kind, pl.String) for name, kind in kinds.items()}
    places = dict.fromkeys((name for name, kind in kinds.items() if kind is Kind.NUMBER), 0)
    parts: list[Path] = []
    while batch := list(islice(rows, _BATCH)):
        frame = pl.DataFrame(dict(zip(schema, map(list, zip(*batch, strict=True)), strict=True)), schema)
        for name in places:
            longest = frame[name].str.extract(r"\.(\d+)$").str.len_bytes().max()
            places[name] = max(places[name], cast(int, longest or 0))
        parts.append(folder / f"part-{len(parts)}.arrow")
        frame.write_ipc(parts[-1])
    kept = pl.scan_ipc(parts) if parts else pl.LazyFrame(schema=schema)
    numbers = [pl.col(name).cast(_decimal(count)) for name, count in places.items()]
    dates = [pl.col(name).str.to_date("%Y-%m-%d") for name, kind in kinds.items() if kind is Kind.DATE]
    path = folder / "sheet.parquet"
    kept.with_columns(*numbers, *dates).sink_parquet(path, row_group_size=_ROW_GROUP)
    for part in parts:
        part.unlink()
    return path


def _decimal(places: int) -> pl.Decimal:
    return pl.Decimal(_PRECISION, next(scale for scale in SCALES if scale >= places))


def _names(sheet: Sheet) -> list[str]:
    """Return the columns' names, unique without regard to case, as in SQL."""
    folded: list[str] = []
    names = []
    for column in sheet.columns:
        folded.append(unique(column.name.casefold(), folded))
        names.append(column.name + folded[-1][len(column.name.casefold()) :])
    return names


def _conversion(column: Column, misfits: Counter[str]) -> Convert:
    convert: Callable[[Any], Any] | None = {
        Kind.NUMBER: _number,
        Kind.DATE: _date,
        Kind.BOOLEAN: _boolean,
    }.get(column.kind)
    if convert is None:
        return {Kind.LIST: _list, Kind.MOMENT: _moment, Kind.INTEGER: _same}.get(column.kind, _text)
    read = convert

    def converted(value: Any) -> Any:
        if value is None or value == "":
            return None
        found = read(value)
        if found is None:
            misfits[column.name] += 1
        return found

    return converted


def _same(value: Any) -> Any:
    return value


def _text(value: Any) -> str | None:
    if type(value) is str and value.isascii():
        return value
    return None if value is None else text(flat(value))


def _list(value: Any) -> list[str] | None:
    if value is None or value == "":
        return None
    items = value if isinstance(value, list | tuple) else [value]
    return [found for item in items if (found := _text(item)) is not None]


def _moment(value: str | None) -> dt.datetime | None:
    return None if value is None else dt.datetime.fromisoformat(value).astimezone(dt.UTC).replace(tzinfo=None)


def _date(value: Any) -> str | None:
    """Return an ISO date as text; None for other values."""
    if isinstance(value, str) and (len(value) == 10 or value[10:11] in ("T", " ")):
        try:
            return dt.date.fromisoformat(value[:10]).isoformat()
        except ValueError:
            return None
    return None


def _boolean(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(str(json_ready(value)).strip().lower())


def _number(value: Any) -> str | None:
    """Return a number as text with as many decimal places as are kept; None for what is not a number."""
    if type(value) is float and math.isfinite(value) and abs(value) < 1e15:
        shown = text(value)
        if len(shown) - shown.find(".") - 1 <= SCALES[-1]:
            return shown
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    try:
        number = Decimal(repr(value) if isinstance(value, float) else value)
    except (ArithmeticError, ValueError):
        return None
    if not number.is_finite() or number.copy_abs() >= _TOO_LARGE:
        return None
    with localcontext(prec=80):
        rounded = number.quantize(_STEP).normalize()
    return f"{rounded:f}" if rounded.copy_abs() < _TOO_LARGE else None
