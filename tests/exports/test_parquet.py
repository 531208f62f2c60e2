"""Parquet: hostile values and names."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import duckdb
import polars as pl
import pytest

from docduck.exports import parquet_file
from docduck.fields import Field, FieldType
from tests.exports.reading import as_frames, document, export, table


def column(kind: FieldType, *values: Any) -> tuple[pl.Series, tuple[str, ...]]:
    field = Field(name="F", type=kind)
    documents = [document(number, {"F": value}) for number, value in enumerate(values)]
    content, written = export("parquet", "fields_only", documents, [field])
    return pl.read_parquet(content)["F"], written.warnings


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ((1, 2.5, None), 2),
        ((0.125, 1), 4),
        ((0.1 + 0.2,), 2),
        ((1e-7, 3), 10),
        ((10**15, -5), 2),
        ((2**53 + 1,), 2),
        (("12.5", 1), 2),
        ((Decimal("0.00001"),), 6),
    ],
)
def test_numbers_are_exact_with_as_many_places_as_needed(values: tuple[Any, ...], scale: int) -> None:
    found, warnings = column(FieldType.CURRENCY, *values)
    assert found.dtype == pl.Decimal(38, scale)
    step = Decimal(1).scaleb(-10)
    expected = [None if one is None else Decimal(str(one)).quantize(step) for one in values]
    assert found.to_list() == expected
    assert warnings == ()


def test_what_does_not_fit_is_null_and_told() -> None:
    found, warnings = column(FieldType.NUMBER, 1, "many", float("nan"), 10**30, True, "", None)
    assert found.to_list() == [1, *[None] * 6]
    assert warnings == ("'F': 4 values do not fit the column's type and are null",)
    found, warnings = column(FieldType.DATE, "2024-02-29", "31.01.2024", "2024-01-31T10:00:00Z", 5, "")
    assert found.to_list() == [dt.date(2024, 2, 29), None, dt.date(2024, 1, 31), None, None]
    assert warnings == ("'F': 2 values do not fit the column's type and are null",)
    found, warnings = column(FieldType.BOOLEAN, True, "false", "maybe")
    assert (found.to_list(), len(warnings)) == ([True, False, None], 1)


def test_texts_and_lists_of_any_kind() -> None:
    texts = ["a\x00b\x0bc", "=1+1", "😀" * 50_000, "x\ud800y", 5, ["a", 1], {"b": None}, None, ""]
    found, _ = column(FieldType.TEXT, *texts)
    wanted = [*texts[:3], "x\ufffdy", "5", "a; 1", '{"b": null}', None, ""]
    assert found.to_list() == wanted
    lists, _ = column(FieldType.LIST, ["a", None, 1.0], "one", [], None)
    assert lists.to_list() == [["a", "1"], ["one"], [], []]


def test_names_are_unique_for_sql_and_files() -> None:
    fields = [Field(name="Status"), Field(name="STATUS_2"), table("A/B: [x]😀", Field(name="row_NUMBER"))]
    documents = [document(1, {"Status": "s", "STATUS_2": "t", fields[2].name: [{"row_NUMBER": "r"}]})]
    frames = as_frames(None, documents, fields)
    assert list(frames) == ["Fields.parquet", "A_B_ [x]😀.parquet"]
    first, second = frames.values()
    assert first.columns[-2:] == ["Status_2", "STATUS_2_2"]
    assert second.columns[-2:] == ["row_number", "row_NUMBER_2"]
    assert duckdb.sql("SELECT status, status_2, status_2_2 FROM first").fetchall() == [
        ("processed", "s", "t")
    ]


def test_many_batches_are_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_file, "_BATCH", 7)
    rows = [{"c": number / 8, "d": "2024-01-31" if number % 5 else None} for number in range(100)]
    fields = [table("T", Field(name="c", type=FieldType.NUMBER), Field(name="d", type=FieldType.DATE))]
    frame = as_frames("table", [document(1, {"T": rows})], fields)[""]
    assert frame["c"].dtype == pl.Decimal(38, 4)
    assert [float(one) for one in frame["c"]] == [number / 8 for number in range(100)]
    assert frame["d"].null_count() == 20
