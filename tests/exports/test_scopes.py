"""Every cell of the table of formats and scopes, read back."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from docduck.exports import Written
from docduck.fields import Field, FieldType
from tests.exports.reading import (
    BASE,
    as_csv,
    as_csvs,
    as_frames,
    as_json,
    as_sheets,
    as_workbook,
    as_xml,
    base,
    document,
    export,
    table,
    xml_fields,
)

# Positions are not in the order of the list: Number, Items, Tags, Date, Paid, Taxes, Total.
FIELDS = [
    Field(name="Total", type=FieldType.CURRENCY, position=7),
    Field(name="Number", position=1),
    table(
        "Items",
        Field(name="Description"),
        Field(name="Quantity", type=FieldType.NUMBER),
        Field(name="Delivered", type=FieldType.DATE),
        position=2,
    ),
    Field(name="Tags", type=FieldType.LIST, position=3),
    Field(name="Date", type=FieldType.DATE, position=4),
    Field(name="Paid", type=FieldType.BOOLEAN, position=5),
    table("Taxes", Field(name="Rate", type=FieldType.NUMBER), position=6),
]
SCALARS = ["Number", "Tags", "Date", "Paid", "Total"]
FLAT = [
    *BASE,
    "Number",
    *("Items.Description", "Items.Quantity", "Items.Delivered"),
    *("Tags", "Date", "Paid"),
    "Taxes.Rate",
    "Total",
]
ITEMS = [*BASE, "row_number", "Description", "Quantity", "Delivered"]
TAXES = [*BASE, "row_number", "Rate"]

FULL = {
    "Number": "R-1",
    "Items": [
        {"Description": "Öl", "Quantity": 2, "Delivered": "2024-02-29"},
        {"Description": None, "Quantity": 0.5},
        {"Description": "Süßholz", "Quantity": 3.0, "Delivered": None},
    ],
    "Tags": ["neu", "eilig"],
    "Date": "2024-01-31",
    "Paid": True,
    "Taxes": [{"Rate": 19}],
    "Total": 1234.5,
    "Old field": "of before the parser was changed",
}
DOCUMENTS = [
    document(1, FULL, external_id="X-1", custom={"a": {"ü": [1, None]}}),
    document(2, {"Number": "R-2", "Paid": False, "Taxes": [{"Rate": 7}, {"Rate": 19}]}),
    document(3, {}),
]
ONE = ["d1", "Rechnung 1.pdf", "X-1", "processed", "2024-03-09T14:05:06.789Z"]
TWO, THREE = base(2), base(3)

FIELD_ROWS: list[list[Any]] = [
    [*ONE, "R-1", "neu; eilig", "2024-01-31", True, 1234.5],
    [*TWO, "R-2", None, None, False, None],
    [*THREE, None, None, None, None, None],
]
ITEM_ROWS: list[list[Any]] = [
    [*ONE, 1, "Öl", 2, "2024-02-29"],
    [*ONE, 2, None, 0.5, None],
    [*ONE, 3, "Süßholz", 3.0, None],
]
TAX_ROWS: list[list[Any]] = [[*ONE, 1, 19], [*TWO, 1, 7], [*TWO, 2, 19]]
_1 = ["neu; eilig", "2024-01-31", True]
_2 = [None, None, False]
_NO = [None, None, None]
FLAT_ROWS: list[list[Any]] = [
    [*ONE, "R-1", "Öl", 2, "2024-02-29", *_1, None, 1234.5],
    [*ONE, "R-1", None, 0.5, None, *_1, None, 1234.5],
    [*ONE, "R-1", "Süßholz", 3.0, None, *_1, None, 1234.5],
    [*ONE, "R-1", *_NO, *_1, 19, 1234.5],
    [*TWO, "R-2", *_NO, *_2, 7, None],
    [*TWO, "R-2", *_NO, *_2, 19, None],
    [*THREE, None, *_NO, *_NO, None, None],
]
SHEETS = {
    "fields_only": {"Fields": ([*BASE, *SCALARS], FIELD_ROWS)},
    "all_flat": {"Data": (FLAT, FLAT_ROWS)},
    "table": {"Items": (ITEMS, ITEM_ROWS)},
    "all_sheets": {
        "Fields": ([*BASE, *SCALARS], FIELD_ROWS),
        "Items": (ITEMS, ITEM_ROWS),
        "Taxes": (TAXES, TAX_ROWS),
    },
}
SINGLE = ["fields_only", "all_flat", "table"]


def only(scope: str) -> tuple[list[str], list[list[Any]]]:
    (sheet,) = SHEETS[scope].values()
    return sheet


def arguments(scope: str | None) -> tuple[Any, ...]:
    return scope, DOCUMENTS, FIELDS, "Items" if scope == "table" else None


def in_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def in_json(columns: list[str], row: list[Any]) -> dict[str, Any]:
    """As JSON holds it: a list as an array."""
    cells = dict(zip(columns, row, strict=True))
    if "Tags" in cells:
        cells["Tags"] = cells["Tags"].split("; ") if cells["Tags"] else []
    return cells


def in_xml(columns: list[str], row: list[Any]) -> list[tuple[str, str]]:
    """As XML holds it: nothing for a value that is missing."""
    return [
        (name, in_text(value)) for name, value in zip(columns, row, strict=True) if value not in (None, "")
    ]


def in_cells(columns: list[str], row: list[Any]) -> list[Any]:
    """As a workbook holds it: dates and moments as such."""
    cells = list(row)
    for place, column in enumerate(columns):
        if column == "created_at":
            cells[place] = dt.datetime(2024, 3, 9, 14, 5, 6, 789_000)
        elif column.endswith(("Date", "Delivered")) and row[place]:
            cells[place] = dt.datetime.fromisoformat(row[place])
    return cells


def test_json_nested() -> None:
    first, second, third = as_json(*arguments(None))
    assert list(first) == ["document", "data"]
    assert first["document"] == {
        "id": "d1",
        "name": "Rechnung 1.pdf",
        "externalId": "X-1",
        "status": "processed",
        "createdAt": "2024-03-09T14:05:06.789Z",
        "updatedAt": "2024-03-09T22:00:00.000Z",
        "custom": {"a": {"ü": [1, None]}},
    }
    assert list(first["data"].items()) == [
        ("Number", "R-1"),
        (
            "Items",
            [
                {"Description": "Öl", "Quantity": 2, "Delivered": "2024-02-29"},
                {"Description": None, "Quantity": 0.5, "Delivered": None},
                {"Description": "Süßholz", "Quantity": 3.0, "Delivered": None},
            ],
        ),
        ("Tags", ["neu", "eilig"]),
        ("Date", "2024-01-31"),
        ("Paid", True),
        ("Taxes", [{"Rate": 19}]),
        ("Total", 1234.5),
    ]
    assert second["data"]["Taxes"] == [{"Rate": 7}, {"Rate": 19}]
    assert third["data"] == {
        "Number": None,
        "Items": [],
        "Tags": [],
        "Date": None,
        "Paid": None,
        "Taxes": [],
        "Total": None,
    }


@pytest.mark.parametrize("scope", SINGLE)
def test_json_rows(scope: str) -> None:
    columns, rows = only(scope)
    found = as_json(*arguments(scope))
    assert [list(row) for row in found] == [columns] * len(rows)
    assert found == [in_json(columns, row) for row in rows]


def test_json_sheets() -> None:
    found = as_json(*arguments("all_sheets"))
    assert list(found) == ["Fields", "Items", "Taxes"]
    for name, (columns, rows) in SHEETS["all_sheets"].items():
        assert found[name] == [in_json(columns, row) for row in rows]


def test_json_is_utf_8_without_escapes() -> None:
    content, _ = export("json", *arguments(None))
    assert "Süßholz".encode() in content
    assert b"\\u" not in content


@pytest.mark.parametrize("scope", [None, "fields_only"])
def test_xml_documents(scope: str | None) -> None:
    root = as_xml(*arguments(scope))
    assert root.tag == "documents"
    first, second, _third = root
    assert dict(first.attrib) == {
        "id": "d1",
        "name": "Rechnung 1.pdf",
        "externalId": "X-1",
        "status": "processed",
    }
    assert second.get("externalId") == ""
    assert xml_fields(first) == {
        "Number": "R-1",
        "Tags": "neu; eilig",
        "Date": "2024-01-31",
        "Paid": "true",
        "Total": "1234.5",
    }
    assert xml_fields(second) == {"Number": "R-2", "Paid": "false"}
    if scope:
        assert {child.tag for child in first} == {"field"}
        return
    assert [(child.tag, child.get("name")) for child in first] == [
        ("field", "Number"),
        ("table", "Items"),
        ("field", "Tags"),
        ("field", "Date"),
        ("field", "Paid"),
        ("table", "Taxes"),
        ("field", "Total"),
    ]
    assert [xml_fields(row) for row in first.find("table").findall("row")] == [
        {"Description": "Öl", "Quantity": "2", "Delivered": "2024-02-29"},
        {"Quantity": "0.5"},
        {"Description": "Süßholz", "Quantity": "3"},
    ]
    assert len(second.find("table[@name='Items']")) == 0


@pytest.mark.parametrize("scope", ["all_flat", "table"])
def test_xml_rows(scope: str) -> None:
    columns, rows = only(scope)
    root = as_xml(*arguments(scope))
    assert root.tag == "rows"
    assert root.get("table") == ("Items" if scope == "table" else None)
    assert [list(xml_fields(row).items()) for row in root] == [in_xml(columns, row) for row in rows]


def test_xml_sheets() -> None:
    root = as_xml(*arguments("all_sheets"))
    assert root.tag == "sheets"
    assert [sheet.get("name") for sheet in root] == ["Fields", "Items", "Taxes"]
    for sheet in root:
        columns, rows = SHEETS["all_sheets"][sheet.get("name")]
        assert [list(xml_fields(row).items()) for row in sheet] == [in_xml(columns, row) for row in rows]


@pytest.mark.parametrize("scope", [None, *SINGLE])
def test_csv(scope: str | None) -> None:
    columns, rows = only(scope or "all_flat")
    found = as_csv(*arguments(scope))
    assert found == [columns, *([in_text(value) for value in row] for row in rows)]


def test_csv_sheets_are_a_zip() -> None:
    found = as_csvs(*arguments("all_sheets"))
    assert list(found) == ["Fields.csv", "Items.csv", "Taxes.csv"]
    for name, (columns, rows) in SHEETS["all_sheets"].items():
        assert found[f"{name}.csv"] == [columns, *([in_text(value) for value in row] for row in rows)]


@pytest.mark.parametrize("scope", [None, *SHEETS])
def test_xlsx(scope: str | None) -> None:
    expected = SHEETS[scope or "all_sheets"]
    found = as_sheets(*arguments(scope))
    assert list(found) == list(expected)
    for name, (columns, rows) in expected.items():
        assert found[name] == [columns, *(in_cells(columns, row) for row in rows)]


def test_xlsx_types_are_real() -> None:
    page = as_workbook(*arguments("all_flat"))["Data"]
    types = {heading.value: page.cell(2, place).data_type for place, heading in enumerate(page[1], start=1)}
    assert types["created_at"] == types["Date"] == types["Items.Delivered"] == "d"
    assert types["Total"] == types["Items.Quantity"] == "n"
    assert types["Paid"] == "b"
    assert types["Number"] == types["Tags"] == "s"
    date = page.cell(2, 1 + FLAT.index("Date"))
    assert date.is_date
    assert date.number_format.replace("\\", "") == "yyyy-mm-dd"
    assert page.freeze_panes == "A2"
    assert page.auto_filter.ref == page.dimensions
    amount = page.cell(2, 1 + FLAT.index("Total"))
    assert (amount.value, amount.number_format) == (1234.5, "#,##0.00####")
    assert page["A1"].font.bold
    assert not page["A2"].font.bold


def in_parquet(columns: list[str], row: list[Any]) -> dict[str, Any]:
    """As Parquet holds it: numbers exact, dates and moments as such, lists as lists."""
    cells = in_json(columns, in_cells(columns, row))
    for name, value in cells.items():
        if isinstance(value, dt.datetime) and name != "created_at":
            cells[name] = value.date()
        elif type(value) in (int, float) and name != "row_number":
            cells[name] = Decimal(str(value))
    return cells


@pytest.mark.parametrize("scope", [None, *SHEETS])
def test_parquet(scope: str | None) -> None:
    expected = SHEETS[scope or "all_sheets"]
    found = as_frames(*arguments(scope))
    assert list(found) == ([""] if scope in SINGLE else [f"{name}.parquet" for name in expected])
    for frame, (columns, rows) in zip(found.values(), expected.values(), strict=True):
        assert frame.columns == columns
        assert frame.to_dicts() == [in_parquet(columns, row) for row in rows]


def test_parquet_is_typed() -> None:
    frame = as_frames(*arguments("all_flat"))[""]
    assert frame.schema == {
        "document_id": pl.String,
        "document_name": pl.String,
        "external_id": pl.String,
        "status": pl.String,
        "created_at": pl.Datetime("ms"),
        "Number": pl.String,
        "Items.Description": pl.String,
        "Items.Quantity": pl.Decimal(38, 2),
        "Items.Delivered": pl.Date,
        "Tags": pl.List(pl.String),
        "Date": pl.Date,
        "Paid": pl.Boolean,
        "Taxes.Rate": pl.Decimal(38, 2),
        "Total": pl.Decimal(38, 2),
    }
    assert as_frames("table", [], FIELDS, "Items")[""].schema["Delivered"] == pl.Date


@pytest.mark.parametrize(
    ("scope", "rows"), [("fields_only", 3), ("all_flat", 7), ("table", 3), ("all_sheets", 9)]
)
@pytest.mark.parametrize("format", ["json", "xml", "csv", "xlsx", "parquet"])
def test_counts(format: str, scope: str, rows: int) -> None:
    assert export(format, *arguments(scope))[1] == Written(3, rows)


@pytest.mark.parametrize(
    ("format", "rows"), [("json", 3), ("xml", 3), ("csv", 7), ("xlsx", 9), ("parquet", 9)]
)
def test_counts_without_scope(format: str, rows: int) -> None:
    assert export(format, *arguments(None))[1] == Written(3, rows)


@pytest.mark.parametrize("format", ["json", "xml", "csv", "xlsx", "parquet"])
@pytest.mark.parametrize("scope", [None, *SHEETS])
def test_no_documents_leave_headings_only(format: str, scope: str | None) -> None:
    content, written = export(format, scope, [], FIELDS, "Items" if scope == "table" else None)
    assert written == Written(0, 0)
    assert content


def test_no_documents_read_back() -> None:
    assert as_json(None, [], FIELDS) == []
    assert as_json("all_sheets", [], FIELDS) == {"Fields": [], "Items": [], "Taxes": []}
    assert len(as_xml(None, [], FIELDS)) == 0
    assert [len(sheet) for sheet in as_xml("all_sheets", [], FIELDS)] == [0, 0, 0]
    assert as_csv(None, [], FIELDS) == [FLAT]
    assert as_csvs("all_sheets", [], FIELDS)["Taxes.csv"] == [TAXES]
    assert as_sheets(None, [], FIELDS)["Items"] == [ITEMS]


def test_a_parser_without_tables() -> None:
    fields = [Field(name="Number")]
    documents = [document(1, {"Number": "R-1"})]
    assert as_json("all_flat", documents, fields) == as_json("fields_only", documents, fields)
    assert list(as_json("all_sheets", documents, fields)) == ["Fields"]
    assert list(as_csvs("all_sheets", documents, fields)) == ["Fields.csv"]
    assert list(as_sheets(None, documents, fields)) == ["Fields"]
    assert as_csv(None, documents, fields) == [[*BASE, "Number"], [*map(in_text, base()), "R-1"]]


def test_a_parser_without_fields() -> None:
    assert as_json(None, [document()], [])[0]["data"] == {}
    assert as_csv(None, [document()], []) == [BASE, [in_text(value) for value in base()]]


def test_fields_without_a_position_keep_their_order_behind_the_others() -> None:
    fields = [Field(name="b"), Field(name="a"), Field(name="first", position=1)]
    assert as_csv(None, [], fields) == [[*BASE, "first", "b", "a"]]


def test_a_table_is_found_by_name_or_id() -> None:
    tables = [Field(id="f_12345678", name="T", type=FieldType.TABLE, columns=(Field(name="c"),)), FIELDS[2]]
    documents = [document(1, {"f_12345678": [{"c": "x"}]})]
    assert as_json("table", documents, tables, "f_12345678") == as_json("table", documents, tables, "T")
    assert as_json("table", documents, tables[:1])[0]["c"] == "x"
