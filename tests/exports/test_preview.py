"""The first rows of exports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from docduck.exports import ExportDocument, resolve
from docduck.exports.preview import Preview, first_rows
from docduck.fields import Field, FieldType
from tests.exports.reading import BASE, as_json, base, document, table

FIELDS = [
    Field(name="Number"),
    Field(name="Tags", type=FieldType.LIST),
    table("Items", Field(name="Amount", type=FieldType.NUMBER)),
]


def documents(count: int = 1000) -> Iterator[ExportDocument]:
    """Documents with as many items as their number says."""
    for number in range(1, count + 1):
        items = [{"Amount": 10 * number + item} for item in range(number)]
        yield document(number, {"Number": f"R-{number}", "Tags": ["a", "b"], "Items": items})


def shown(format: str, scope: str | None, most: int = 50, most_bytes: int = 10**6, **more: Any) -> Preview:
    return first_rows(documents(**more), resolve(format, scope, None, FIELDS), most, most_bytes)


@pytest.mark.parametrize("scope", ["fields_only", "all_flat", "table"])
def test_rows_are_those_of_the_file(scope: str) -> None:
    preview = shown("json", scope, 5)
    (sheet,) = preview.sheets
    rows = [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]
    assert rows == as_json(scope, documents(9), FIELDS)[:5]
    assert preview.is_cut


@pytest.mark.parametrize(
    ("format", "scope"), [("xlsx", None), ("json", None), ("xml", None), ("csv", "all_sheets")]
)
def test_sheets_have_the_rows_of_the_first_documents(format: str, scope: str | None) -> None:
    fields, items = shown(format, scope, 5).sheets
    assert (fields.name, items.name) == ("Fields", "Items")
    assert fields.columns == [*BASE, "Number", "Tags"]
    assert fields.rows == [[*base(1), "R-1", ["a", "b"]], [*base(2), "R-2", ["a", "b"]]]
    assert items.columns == [*BASE, "row_number", "Amount"]
    assert [row[-2:] for row in items.rows] == [[1, 10], [1, 20], [2, 21]]


def test_no_more_documents_are_read_than_needed() -> None:
    source = documents(1000)
    first_rows(source, resolve("csv", "fields_only", None, FIELDS), 5, 10**6)
    assert next(source).id == "d7"


def test_bytes_are_bounded() -> None:
    preview = shown("csv", None, 50, 1000)
    (sheet,) = preview.sheets
    assert 0 < sum(len(json.dumps(row)) for row in sheet.rows) <= 1000
    assert preview.is_cut


def test_an_export_that_is_shown_whole() -> None:
    assert not shown("csv", "fields_only", 3, count=3).is_cut
    assert shown("csv", "fields_only", 2, count=3).is_cut
    assert [sheet.rows for sheet in shown("xlsx", None, count=0).sheets] == [[], []]
