"""Results of queries as files."""

from __future__ import annotations

import datetime as dt
import io
from decimal import Decimal
from typing import Any

import openpyxl
import polars as pl
import pytest

from docduck.exports.formats import ResultFormat
from docduck.exports.result_file import result_file

COLUMNS = ("name", "total", "n", "day", "at", "paid", "tags", "name", "huge", "odd")
TYPES = (
    *("VARCHAR", "DECIMAL(38,2)", "BIGINT", "DATE", "TIMESTAMP", "BOOLEAN", "VARCHAR[]", "DOUBLE"),
    *("HUGEINT", "DATE"),
)
ROWS = (
    ("=1+1", "12.50", "3", "2026-01-31", "2026-01-31 10:00:00", "true", '["a", "b"]', "0.5", "7", "-44 BC"),
    (None,) * 10,
)


def test_parquet_has_the_types_of_the_result() -> None:
    frame = pl.read_parquet(io.BytesIO(result_file(ResultFormat.PARQUET, COLUMNS, TYPES, ROWS)))
    assert frame.columns == ["name", "total", "n", "day", "at", "paid", "tags", "name_2", "huge", "odd"]
    first, empty = frame.rows()
    assert first == (
        *("=1+1", Decimal("12.50"), 3, dt.date(2026, 1, 31), dt.datetime(2026, 1, 31, 10), True),
        *(["a", "b"], 0.5, 7, "-44 BC"),
    )
    assert set(empty) == {None}


def test_a_workbook_has_the_types_of_the_result_and_no_formula() -> None:
    book = openpyxl.load_workbook(io.BytesIO(result_file(ResultFormat.XLSX, COLUMNS, TYPES, ROWS)))
    (head, first, *_) = book["Result"].iter_rows()
    assert [cell.value for cell in head] == list(COLUMNS)
    assert [cell.value for cell in first] == [
        *("=1+1", 12.5, 3, dt.datetime(2026, 1, 31), dt.datetime(2026, 1, 31, 10), True),
        *("a; b", 0.5, 7, "-44 BC"),
    ]
    assert first[0].data_type == "s", "no formula"


@pytest.mark.parametrize("wanted", ResultFormat)
def test_a_result_may_have_no_rows(wanted: ResultFormat) -> None:
    content: Any = result_file(wanted, COLUMNS, TYPES, ())
    assert content
    if wanted is ResultFormat.PARQUET:
        assert pl.read_parquet(io.BytesIO(content)).shape == (0, 10)
