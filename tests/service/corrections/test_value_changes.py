"""What a correction changed, as a document's history tells it."""

from __future__ import annotations

from typing import Any

from docduck.fields import parse_fields
from docduck.service.corrections.value_changes import (
    LONGEST_TEXT,
    MOST_CHANGES,
    MOST_ROWS,
    value_changes,
)

FIELDS = parse_fields(
    [
        {"name": "Number", "type": "text"},
        {"name": "Tags", "type": "list"},
        {
            "name": "Items",
            "type": "table",
            "columns": [{"name": "Article"}, {"name": "Amount", "type": "currency"}],
        },
    ]
)
BOLT, NUT = {"Article": "Bolt", "Amount": 10.0}, {"Article": "Nut", "Amount": 2.5}


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[Any, ...]]:
    found = value_changes(FIELDS, before, after)
    return [tuple(change.values()) for change in found["changes"]] if found else []


def test_values_are_told_as_texts() -> None:
    before = {"Number": None, "Tags": ["a", "b"], "Items": []}
    after = {"Number": "17", "Tags": ["b"]}
    assert changes(before, after) == [
        ("Number", None, None, "", "17"),
        ("Tags", None, None, "a, b", "b"),
    ]
    assert value_changes(FIELDS, before, before) is None


def test_cells_and_rows_are_told_apart() -> None:
    screw = {"Article": "Screw", "Amount": 4.0}
    before = {"Items": [BOLT, NUT, screw]}
    after = {"Items": [{**BOLT, "Amount": 11.0}, screw]}
    assert changes(before, after) == [
        ("Items", 1, "Amount", "10", "11"),
        ("Items", 2, None, "Nut, 2.5", None),
    ]
    assert changes({"Items": [BOLT]}, {"Items": [BOLT, NUT]}) == [("Items", 2, None, None, "Nut, 2.5")]


def test_what_is_long_is_summarised() -> None:
    ((*_, after),) = changes({"Number": None}, {"Number": "x" * 1000})
    assert len(after) == LONGEST_TEXT
    many = value_changes(FIELDS, {"Items": []}, {"Items": [BOLT] * (MOST_CHANGES + 5)})
    assert many is not None
    assert (len(many["changes"]), many["left_out"]) == (MOST_CHANGES, 5)
    long = changes({"Items": [BOLT]}, {"Items": [BOLT] * (MOST_ROWS + 1)})
    assert long == [("Items", None, None, "1 rows", "1,001 rows")]
