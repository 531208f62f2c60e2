"""The result of a query as a CSV, XLSX or Parquet file."""

from __future__ import annotations

import datetime as dt
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import polars as pl
import pyarrow as pa

from docduck.exports.columns import Column, Kind
from docduck.exports.csv_file import csv_text
from docduck.exports.formats import ResultFormat
from docduck.exports.xlsx_file import write_table
from docduck.ids import each_unique

_DECIMAL = re.compile(r"DECIMAL\((\d+),\s*(\d+)\)")


@dataclass(frozen=True, slots=True)
class _Type:
    """A column's kind, its type in Parquet, and the conversion of its texts."""

    kind: Kind
    arrow: Any
    read: Callable[[str], Any]


def result_file(
    format_: ResultFormat,
    columns: Sequence[str],
    types: Sequence[str],
    rows: Sequence[Sequence[str | None]],
) -> bytes:
    """Return a result, whose values are texts, as a file; ``types`` are DuckDB's.

    Columns have their types in XLSX and Parquet. One with a value that its type can't hold there is text.
    """
    if format_ is ResultFormat.CSV:
        return csv_text(columns, rows).encode("utf-8-sig", "replace")
    cells = list(zip(*rows, strict=True)) or [()] * len(columns)
    series = [_typed(type_, texts) for type_, texts in zip(types, cells, strict=True)]
    if format_ is ResultFormat.XLSX:
        return _xlsx(columns, series)
    table = pa.table([array for _, array in series], names=each_unique(columns))
    buffer = io.BytesIO()
    pl.DataFrame(table).write_parquet(buffer)
    return buffer.getvalue()


def _xlsx(columns: Sequence[str], series: Sequence[tuple[Kind, Any]]) -> bytes:
    sheet = [Column(name, name, kind) for name, (kind, _) in zip(columns, series, strict=True)]
    values = [[_cell(value) for value in array.to_pylist()] for _, array in series]
    buffer = io.BytesIO()
    write_table(buffer, "Result", sheet, zip(*values, strict=True))
    return buffer.getvalue()


def _cell(value: Any) -> Any:
    """Return a value as exports have it: dates and moments as ISO texts."""
    if isinstance(value, dt.datetime):
        return (value if value.tzinfo else value.replace(tzinfo=dt.UTC)).isoformat()
    return value.isoformat() if isinstance(value, dt.date) else value


def _typed(type_: str, texts: Sequence[str | None]) -> tuple[Kind, Any]:
    """Return a column's kind and its values as an Arrow array."""
    column_type = _type_of(type_)
    try:
        values = [None if text is None else column_type.read(text) for text in texts]
        return column_type.kind, pa.array(values, column_type.arrow)
    except (ValueError, ArithmeticError, pa.ArrowException):
        return Kind.TEXT, pa.array(map(_text, texts), pa.string())


def _type_of(type_: str) -> _Type:
    if decimal := _DECIMAL.fullmatch(type_):
        return _Type(Kind.NUMBER, pa.decimal128(int(decimal[1]), int(decimal[2])), Decimal)
    return _TYPES.get(type_, _TEXT)


def _text(value: str | None) -> str | None:
    return None if value is None else value.encode("utf-8", "replace").decode()


def _texts(value: str) -> list[str | None]:
    return [_text(item) for item in json.loads(value)]


_TEXT = _Type(Kind.TEXT, pa.string(), _text)
_TYPES = {
    **dict.fromkeys(
        ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"),
        _Type(Kind.INTEGER, pa.int64(), int),
    ),
    **dict.fromkeys(("UBIGINT", "HUGEINT", "UHUGEINT"), _Type(Kind.INTEGER, pa.decimal128(38, 0), Decimal)),
    **dict.fromkeys(("FLOAT", "DOUBLE"), _Type(Kind.NUMBER, pa.float64(), float)),
    "BOOLEAN": _Type(Kind.BOOLEAN, pa.bool_(), "true".__eq__),
    "DATE": _Type(Kind.DATE, pa.date32(), dt.date.fromisoformat),
    **dict.fromkeys(
        ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"),
        _Type(Kind.MOMENT, pa.timestamp("us"), dt.datetime.fromisoformat),
    ),
    "TIMESTAMP WITH TIME ZONE": _Type(Kind.MOMENT, pa.timestamp("us", "UTC"), dt.datetime.fromisoformat),
    "VARCHAR[]": _Type(Kind.LIST, pa.list_(pa.string()), _texts),
}
