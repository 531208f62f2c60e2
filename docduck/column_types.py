"""Column types: conversion of JSON values to DuckDB values.

Numbers and money are DECIMAL(38, s), so that sums are exact. The scale s of a column is the smallest of
``SCALES`` that holds its values; further decimals are rounded half to even.
"""

from __future__ import annotations

import datetime as dt
import decimal
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any

import pyarrow as pa

from docduck.fields import FieldType

_EXACT = decimal.Context(prec=80)
_PRECISION = 38
_SHOWN = 40

SCALES = (2, 4, 6, 10)
"""Possible decimal places of number columns: money, unit prices, rates, anything else."""

_STEP = decimal.Decimal(1).scaleb(-SCALES[-1])
_TOO_LARGE = decimal.Decimal(10) ** (_PRECISION - SCALES[-1])


@dataclass(frozen=True, slots=True)
class ColumnType:
    """A type in SQL and Arrow, and ``read``, which converts a JSON value.

    ``read`` returns None for missing values and raises ValueError with the reason for others that don't fit.
    """

    sql: str
    arrow: Any
    read: Callable[[Any], Any]
    plain: type | None = None

    @property
    def family(self) -> str:
        """The SQL type without precision and scale: ``DECIMAL`` for all numbers."""
        return self.sql.partition("(")[0]

    def array(self, values: Sequence[Any]) -> Any:
        """Return the values as an Arrow array, or None if some must be converted by ``read``.

        ``plain`` is the Python type that needs no conversion.
        """
        if self.plain is None or not {*map(type, values)} <= {self.plain, NoneType}:
            return None
        try:
            array = pa.array(values, self.arrow)
        except (UnicodeError, OverflowError, pa.ArrowInvalid):
            return None
        if self.plain is float and not all(map(math.isfinite, filter(None, values))):
            return None
        return array


def _text(value: Any) -> str | None:
    if value is None:
        return None
    if type(value) is not str:
        value = _spelled(value)
    if not value.isascii():
        value = value.encode("utf-8", "replace").decode()
    return str(value)


def _spelled(value: Any) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    if isinstance(value, list | tuple):
        return ", ".join(_spelled(item) for item in value if item is not None)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _decimal(value: Any) -> decimal.Decimal | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str | decimal.Decimal):
        raise ValueError(f"{_shown(value)} is not a number")
    try:
        number = decimal.Decimal(repr(value) if isinstance(value, float) else value)
    except (ArithmeticError, ValueError):
        raise ValueError(f"{_shown(value)} is not a number") from None
    if not number.is_finite():
        raise ValueError(f"{_shown(value)} is not a number")
    if number.copy_abs() >= _TOO_LARGE:
        raise ValueError(f"{_shown(value)} is too large")
    rounded = number.quantize(_STEP, context=_EXACT)
    if rounded.copy_abs() >= _TOO_LARGE:
        raise ValueError(f"{_shown(value)} is too large")
    return rounded.normalize(_EXACT)


def scale_of(values: Iterable[decimal.Decimal | None]) -> int:
    """Return the smallest of ``SCALES`` that holds all values returned by ``DECIMAL.read``."""
    exponents = (value.as_tuple().exponent for value in values if value is not None)
    places = -min((exponent for exponent in exponents if isinstance(exponent, int)), default=0)
    return next(scale for scale in SCALES if scale >= places)


def decimal_type(scale: int) -> ColumnType:
    """Return the type of numbers with ``scale`` decimal places, one of ``SCALES``."""
    return _DECIMALS[scale]


def _date(value: Any) -> dt.date | None:
    if value is None or value == "":
        return None
    if isinstance(value, dt.datetime):
        return value.date()
    if isinstance(value, dt.date):
        return value
    if isinstance(value, str) and (len(value) == 10 or value[10:11] in ("T", " ")):
        try:
            return dt.date.fromisoformat(value[:10])
        except ValueError:
            pass
    raise ValueError(f"{_shown(value)} is not an ISO date")


def _boolean(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    known = {"true": True, "false": False, "": None}
    if isinstance(value, str) and value.strip().lower() in known:
        return known[value.strip().lower()]
    raise ValueError(f"{_shown(value)} is neither true nor false")


def _list(value: Any) -> list[str] | None:
    if value is None or value == "":
        return None
    items = value if isinstance(value, list | tuple) else [value]
    return [text for text in map(_text, items) if text is not None] or None


def _integer(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not -(2**31) <= value < 2**31:
        raise ValueError(f"{_shown(value)} is not a 32-bit integer")
    return value


def _double(value: Any) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{_shown(value)} is not a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{_shown(value)} is not a number")
    return number


def _timestamp(value: Any) -> dt.datetime | None:
    if value is None:
        return None
    if isinstance(value, str):
        value = dt.datetime.fromisoformat(value)
    if not isinstance(value, dt.datetime):
        raise ValueError(f"{_shown(value)} is not a time")
    return value if value.tzinfo is None else value.astimezone(dt.UTC).replace(tzinfo=None)


def _shown(value: Any) -> str:
    try:
        text = _text(_spelled(value)) or ""
    except ValueError:
        text = "a number of very many digits"
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


VARCHAR = ColumnType("VARCHAR", pa.string(), _text, str)
INTEGER = ColumnType("INTEGER", pa.int32(), _integer, int)
DOUBLE = ColumnType("DOUBLE", pa.float64(), _double, float)
TIMESTAMP = ColumnType("TIMESTAMP", pa.timestamp("us"), _timestamp)
_DECIMALS = {
    scale: ColumnType(f"DECIMAL({_PRECISION},{scale})", pa.decimal128(_PRECISION, scale), _decimal)
    for scale in SCALES
}
DECIMAL = _DECIMALS[SCALES[0]]
DATE = ColumnType("DATE", pa.date32(), _date)
BOOLEAN = ColumnType("BOOLEAN", pa.bool_(), _boolean, bool)
VARCHAR_LIST = ColumnType("VARCHAR[]", pa.list_(pa.string()), _list)

OF_FIELD = {
    FieldType.TEXT: VARCHAR,
    FieldType.CHOICE: VARCHAR,
    FieldType.NUMBER: DECIMAL,
    FieldType.CURRENCY: DECIMAL,
    FieldType.DATE: DATE,
    FieldType.BOOLEAN: BOOLEAN,
    FieldType.LIST: VARCHAR_LIST,
}
"""The column type of each scalar field type; table fields are tables."""

SCALE_BY_SQL = {kind.sql: scale for scale, kind in _DECIMALS.items()}

BY_SQL = {
    kind.sql: kind
    for kind in (VARCHAR, INTEGER, DOUBLE, TIMESTAMP, DATE, BOOLEAN, VARCHAR_LIST, *_DECIMALS.values())
}
