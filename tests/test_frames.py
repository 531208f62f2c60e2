"""JSON values as polars frames."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import polars as pl
import pytest

import docduck
from docduck.errors import NotFound
from docduck.fields import parse_fields
from docduck.frames import frame_of

FIELDS = parse_fields(
    [
        {"name": "Number"},
        {"name": "Total", "type": "currency"},
        {"name": "Date", "type": "date"},
        {"name": "Paid", "type": "boolean"},
        {"name": "Tags", "type": "list"},
        {
            "name": "Line Items",
            "type": "table",
            "columns": [{"name": "Article"}, {"name": "Price", "type": "number"}],
        },
    ]
)


def test_columns_have_the_types_of_the_warehouse() -> None:
    full = {"Number": "7", "Total": 0.1, "Date": "2026-02-28", "Paid": True, "Tags": ["ä"], "Line Items": []}
    misfit = {"Number": 8, "Total": "much", "Date": "2026-02-30", "Paid": "maybe", "Tags": None}
    frame = frame_of(FIELDS, [full, misfit, {}])
    assert frame.schema == {
        "Number": pl.String,
        "Total": pl.Decimal(38, 2),
        "Date": pl.Date,
        "Paid": pl.Boolean,
        "Tags": pl.List(pl.String),
    }
    assert frame.rows() == [
        ("7", Decimal("0.10"), dt.date(2026, 2, 28), True, ["ä"]),
        ("8", None, None, None, None),
        (None, None, None, None, None),
    ]


def test_numbers_keep_their_decimal_places() -> None:
    (prices,) = frame_of(FIELDS[1:2], [{"Total": 1.005}, {"Total": 12}]).get_columns()
    assert (prices.dtype, prices.sum()) == (pl.Decimal(38, 4), Decimal("13.0050"))


def test_no_rows_have_columns_all_the_same() -> None:
    assert frame_of(FIELDS[5].columns, []).schema == {"Article": pl.String, "Price": pl.Decimal(38, 2)}


def test_an_extraction_is_frames() -> None:
    text = b"Number: A-1\nTotal: 30.00\n\nArticle,Price\n"
    found = docduck.extract(text, FIELDS, name="a.txt")
    found.data["Line Items"] = [{"Article": "Ink", "Price": 12.5}, {"Article": "Paper", "Price": None}]
    assert found.frame().select("Number", "Total").rows() == [("A-1", Decimal("30.00"))]
    assert found.frame("Line Items").rows() == [("Ink", Decimal("12.50")), ("Paper", None)]
    with pytest.raises(NotFound, match="There is no table 'Lines'; known are: Line Items"):
        found.frame("Lines")
