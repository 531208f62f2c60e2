from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

from dagster_docduck.assets.preview import MAX_CELL_LENGTH, MAX_COLUMNS, preview, table


def test_cells_keep_their_types_as_far_as_dagster_has_them() -> None:
    rows: list[dict[str, Any]] = [
        {"n": 1, "f": 0.5, "b": True, "d": Decimal("1.50"), "at": dt.date(2026, 1, 2), "tags": ["a", None]},
        {"n": None, "more": "x"},
    ]
    shown = table(rows)
    assert shown.records[0].data == {
        "n": 1,
        "f": 0.5,
        "b": True,
        "d": "1.50",
        "at": "2026-01-02",
        "tags": "a; ",
        "more": None,
    }
    assert [(one.name, one.type) for one in shown.schema.columns][:4] == [
        ("n", "int"),
        ("f", "float"),
        ("b", "bool"),
        ("d", "string"),
    ]


def test_what_is_large_is_cut() -> None:
    shown = table([{f"c{number}": "x" * 1000 for number in range(100)}])
    assert len(shown.schema.columns) == MAX_COLUMNS
    assert {len(str(value)) for value in shown.records[0].data.values()} == {MAX_CELL_LENGTH}


def test_no_rows_have_no_preview() -> None:
    assert preview([]) == {}
