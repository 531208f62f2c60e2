"""Columns that are taken over at once give what reading each value would."""

from __future__ import annotations

import math
from typing import Any

import pytest

from docduck.column_types import BOOLEAN, DATE, DOUBLE, INTEGER, VARCHAR, ColumnType


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (VARCHAR, ["a", None, "ü"]),
        (INTEGER, [1, None, -(2**31)]),
        (DOUBLE, [0.5, None, 1e300]),
        (DOUBLE, [None, None]),
        (BOOLEAN, [True, None, False]),
    ],
)
def test_plain_values_are_taken_over_at_once(kind: ColumnType, values: list[Any]) -> None:
    array = kind.array(values)
    assert array is not None
    assert array.type == kind.arrow
    assert array.to_pylist() == [kind.read(value) for value in values]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (VARCHAR, ["a", 1]),
        (VARCHAR, ["\ud83d"]),
        (INTEGER, [True]),
        (INTEGER, [2**31]),
        (DOUBLE, [1, 2.0]),
        (DOUBLE, [math.nan]),
        (DOUBLE, [math.inf, None]),
        (DATE, ["2024-01-31"]),
    ],
)
def test_anything_else_has_to_be_read(kind: ColumnType, values: list[Any]) -> None:
    assert kind.array(values) is None
