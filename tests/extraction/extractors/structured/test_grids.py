from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date
from typing import Any

import openpyxl

from docduck.documents.reader import read
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Extraction
from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields

ITEMS = {
    "name": "Positions",
    "type": "table",
    "columns": [
        {"name": "Article"},
        {"name": "Quantity", "type": "number"},
        {"name": "Unit Price", "type": "currency"},
        {"name": "Delivered", "type": "date"},
        {"name": "Paid", "type": "boolean"},
    ],
}


def workbook(*sheets: Sequence[Any]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet(f"Sheet {number}")
        for row in rows:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def extract(data: bytes, *fields: dict[str, Any], options: ExtractOptions | None = None) -> Extraction:
    return extract_document(read(data, ""), parse_fields(list(fields)), options)


STOCK = [
    ["Stock list"],
    [],
    ["Remark", "Qty", "Article", "Price (EUR)", "Delivered", "Paid"],
    ["old", 2, "Chair", 1234.5, date(2024, 3, 1), "yes"],
    [None, 10, "Table", 99, date(2024, 12, 24), "no"],
    ["Total", 12, None, None, None, None],
    [],
    ["Printed by Ada", None, None, None, None],
]


def test_cells_keep_their_date_whatever_they_show() -> None:
    book = openpyxl.Workbook()
    rows = [["Article", "Delivered", "Weekday"], ["Chair", date(2024, 3, 1), date(2024, 3, 1)]]
    for row in [*rows, ["Table", date(2024, 12, 24), date(2024, 12, 24)]]:
        book.worksheets[0].append(row)
    for line in (2, 3):
        book.worksheets[0].cell(line, 2).number_format = "mmm-yy"
        book.worksheets[0].cell(line, 3).number_format = "dddd"
    buffer = io.BytesIO()
    book.save(buffer)
    columns = [{"name": "Article"}, {"name": "Delivered", "type": "date"}, {"name": "Weekday"}]
    result = extract(buffer.getvalue(), {"name": "Positions", "type": "table", "columns": columns})
    assert result.data["Positions"] == [
        {"Article": "Chair", "Delivered": "2024-03-01", "Weekday": "Friday"},
        {"Article": "Table", "Delivered": "2024-12-24", "Weekday": "Tuesday"},
    ]


def test_a_table_is_read_under_its_header() -> None:
    result = extract(workbook(STOCK), ITEMS)
    assert result.data["Positions"] == [
        {"Article": "Chair", "Quantity": 2, "Unit Price": 1234.5, "Delivered": "2024-03-01", "Paid": True},
        {"Article": "Table", "Quantity": 10, "Unit Price": 99, "Delivered": "2024-12-24", "Paid": False},
    ]
    cell = result.field_metadata["Positions"][0]["Article"]
    assert cell["source"] == "structured"
    assert cell["locations"][0]["text"] == "Chair"
    assert cell["confidence"] > 0.9


def test_a_value_beside_its_label() -> None:
    rows = [["Order", None], ["Customer:", "Möbel Nord GmbH"], ["Order No:", "B-77"], ["Freight", 12.5]]
    result = extract(workbook(rows), {"name": "Customer"}, {"name": "Order Number"})
    assert result.data == {"Customer": "Möbel Nord GmbH", "Order Number": "B-77"}
    assert result.field_metadata["Order Number"]["source"] == "structured"


def test_a_label_with_two_values_is_left_to_other_engines() -> None:
    data = workbook([["Batch Code", "A-1"], ["x", "y"], ["Batch Code", "B-2"]])
    result = extract(data, {"name": "Batch Code"})
    assert result.field_metadata.get("Batch Code", {}).get("source") != "structured"


def test_a_record_of_two_rows() -> None:
    data = workbook([["Invoice Number", "Invoice Date", "Total"], ["R-1", date(2024, 5, 6), 12.5]])
    result = extract(
        data,
        {"name": "Invoice Number"},
        {"name": "Invoice Date", "type": "date"},
        {"name": "Total", "type": "currency"},
    )
    assert result.data == {"Invoice Number": "R-1", "Invoice Date": "2024-05-06", "Total": 12.5}


def test_a_header_of_two_rows_with_own_names() -> None:
    data = workbook([["", "Cases", "Cases"], ["Region", "2020", "2021"], ["North", 5, 7], ["South", 1, 0]])
    table = {
        "name": "Cases",
        "type": "table",
        "columns": [
            {"name": "Region"},
            {"name": "Cases 2020", "type": "number"},
            {"name": "Cases 2021", "type": "number"},
        ],
    }
    assert extract(data, table).data["Cases"] == [
        {"Region": "North", "Cases 2020": 5, "Cases 2021": 7},
        {"Region": "South", "Cases 2020": 1, "Cases 2021": 0},
    ]


def test_equal_tables_on_several_sheets_are_one() -> None:
    head = ["Article", "Quantity", "Unit Price"]
    data = workbook([head, ["Chair", 1, 2]], [head, ["Table", 3, 4]], [["Name", "Town"], ["Ada", "London"]])
    rows = extract(data, ITEMS).data["Positions"]
    assert [row["Article"] for row in rows] == ["Chair", "Table"]


def test_tables_can_be_switched_off() -> None:
    assert extract(workbook(STOCK), ITEMS, options=ExtractOptions(tables="disabled")).data == {
        "Positions": []
    }


def test_a_table_of_other_things_is_left_alone() -> None:
    data = workbook([["Wind", "Rain"], ["12", "3"]])
    assert extract(data, ITEMS).data["Positions"] == []


def test_a_long_sheet_over_many_pages() -> None:
    rows = [[f"Article {n}", n, n / 2] for n in range(1, 301)]
    data = workbook([["Article", "Quantity", "Unit Price"], *rows])
    found = extract(data, ITEMS).data["Positions"]
    assert [(row["Article"], row["Quantity"], row["Unit Price"]) for row in found] == [
        (name, count, price) for name, count, price in rows
    ]
