from __future__ import annotations

import io
import re
import zipfile
from datetime import date, datetime

import openpyxl
import pytest
import xlwt

from docduck.documents.formats.office.sheets import sheet_pages
from docduck.documents.formats.office.sheets.number_format import BUILT_IN, date_of, format_number
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import read
from docduck.errors import DocumentError, EncryptedFile
from tests.documents.formats.office.files import (
    invoice_ods,
    invoice_xls,
    invoice_xlsx,
    odf_table,
    open_document,
    replaced,
    saved,
)


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (1234.5, "#,##0.00", "1,234.50"),
        (1234.5, '#,##0.00 "€"', "1,234.50 €"),
        (-1234.5, "#,##0.00 [$€-407];[Red]-#,##0.00 [$€-407]", "-1,234.50 €"),
        (-5, "#,##0_);(#,##0)", "(5)"),
        (0, '0.00;-0.00;"-"', "-"),
        (0.1925, "0.0%", "19.3%"),
        (2.675, "0.00", "2.68"),
        (5, "00000", "00005"),
        (123456789, "000-00-0000", "123-45-6789"),
        (0.1 + 0.2, "General", "0.3"),
        (1234567, '#,##0,"K"', "1,235K"),
        (1234.0, "0.00E+00", "1.23E+03"),
        (150, '[>100]"big "0;0', "big 150"),
        (45000, "dd.mm.yyyy", "15.03.2023"),
        (45000, "m/d/yy", "2023-03-15"),
        (45000, "d mmmm yyyy", "15 March 2023"),
        (45000.5, "yyyy-mm-dd hh:mm", "2023-03-15 12:00"),
        (0.75, "h:mm AM/PM", "6:00 PM"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (12, "@", "12"),
        (1e300, "yyyy-mm-dd", "1.00000E+300"),
    ],
)
def test_number_formats(value: float, code: str, text: str) -> None:
    assert format_number(value, code) == text


@pytest.mark.parametrize(
    "code", ["mmm-yy", "d. mmm", "dddd", "m/d/yy", "yyyy", "dd.mm. hh:mm", "[$-411]ggge"]
)
def test_a_cell_keeps_its_date_whatever_its_format_shows(code: str) -> None:
    assert date_of(45000, code) == "2023-03-15"


@pytest.mark.parametrize(
    ("value", "code"), [(45000, "0.00"), (0.75, "h:mm"), (1.5, "[h]:mm:ss"), (12, "@"), (1e300, "yyyy")]
)
def test_other_cells_have_no_date(value: float, code: str) -> None:
    assert date_of(value, code) == ""


@pytest.mark.parametrize(
    ("number", "value", "text"),
    [
        (14, 45000, "2023-03-15"),
        *((number, 45000, "2023-03-15") for number in (27, 31, 34, 36, 50, 55, 58)),
        (32, 0.75, "18:00"),
        (55, 0.75, "18:00:00"),
    ],
)
def test_formats_that_files_do_not_define(number: int, value: float, text: str) -> None:
    assert format_number(value, BUILT_IN[number]) == text


def test_cells_as_they_are_shown() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Text", 1.5, True, date(2024, 2, 3), 0.19, 1234.5, "=1+1"])
    for place, code in (("D1", "DD.MM.YYYY"), ("E1", "0%"), ("F1", '#,##0.00 "€"')):
        sheet[place].number_format = code
    hidden = book.create_sheet("Secret")
    hidden["A1"] = "hidden sheet"
    hidden.sheet_state = "hidden"
    sheet["A2"], sheet["A3"] = "hidden row", "two\nlines"
    sheet.row_dimensions[2].hidden = True
    document = read(saved(book))
    assert document.text.split("\n")[0:6] == ["Text", "1.5", "TRUE", "03.02.2024", "19%", "1,234.50 €"]
    assert "hidden" not in document.text
    assert "two\nlines" in document.text
    assert document.warnings == ["Some formulas have no stored result; their cells are empty"]


def test_rows_and_columns_without_a_size_are_hidden() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"], sheet["A2"], sheet["B1"], sheet["C1"] = "shown", "by height", "by width", "low and narrow"
    sheet.row_dimensions[1].height, sheet.row_dimensions[2].height = 0.5, 77
    sheet.column_dimensions["B"].width, sheet.column_dimensions["C"].width = 77, 0.5
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(book))) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, re.sub(rb'(ht|width)="77"', rb'\1="0"', old.read(name)))
    document = read(changed.getvalue())
    assert document.text.split() == ["shown", "low", "and", "narrow"]


def test_formulas_by_their_stored_results() -> None:
    book = openpyxl.Workbook()
    book.active["A1"] = "=1+1"
    sheet = "xl/worksheets/sheet1.xml"
    data = replaced(saved(book), sheet, lambda xml: re.sub(rb"<v ?/>|<v></v>", b"<v>2</v>", xml))
    assert read(data).text == "2"


def test_regions_merges_and_columns() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Item", "Qty"], ["a", 1], ["b", 2], [], ["x", "y"], [None, "z"]):
        sheet.append(row)
    sheet.merge_cells("A5:A6")
    page = read(saved(book)).pages[0]
    first, second = page.grids
    assert [[cell.text for cell in row] for row in first.rows] == [["Item", "Qty"], ["a", "1"], ["b", "2"]]
    assert [cell.header for cell in first.rows[0]] == [True, True]
    assert [(cell.text, cell.merged) for cell in second.rows[1]] == [("x", True), ("z", False)]
    lefts = {line.text: line.box.left for line in page.lines}
    assert lefts["Qty"] == lefts["1"] == lefts["z"] > lefts["Item"] == lefts["a"]


def test_sheets_are_pages_and_long_ones_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    book = openpyxl.Workbook()
    for number in range(450):
        book.active.append([number, f"row {number}"])
    book.create_sheet("Other").append(["second sheet"])
    data = saved(book)
    document = read(data)
    assert document.page_count == 4
    assert [page.grids[0].continued for page in document.pages[:3]] == [False, True, True]
    assert read(data, options=ReadOptions(pages="4")).text.split("\n") == ["Other", "second sheet"]
    monkeypatch.setattr(sheet_pages, "MAX_CELLS", 100)
    short = read(data)
    assert len(short.pages[0].lines) <= 102
    assert any("Only the first 100 cells were read" in warning for warning in short.warnings)


def test_binary_workbooks() -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("One")
    sheet.write(0, 0, "Name")
    sheet.write(0, 1, datetime(2024, 2, 3), xlwt.easyxf(num_format_str="DD.MM.YYYY"))
    sheet.write(0, 2, 0.5, xlwt.easyxf(num_format_str="0.0%"))
    sheet.write_merge(1, 2, 0, 0, "tall")
    sheet.write(2, 1, True)
    hidden = book.add_sheet("Two")
    hidden.write(0, 0, "secret")
    hidden.visibility = 1
    document = read(saved(book), "a.doc")
    assert document.content_type == "application/vnd.ms-excel"
    assert document.text.split("\n") == ["Name", "03.02.2024", "50.0%", "tall", "TRUE"]
    assert document.pages[0].grids[0].rows[2][0].merged


def test_open_document_spreadsheets() -> None:
    hidden = (
        '<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/>'
        "</style:style>"
    )
    body = (
        '<table:table table:name="S" table:style-name="h"><table:table-row><table:table-cell>'
        "<text:p>secret</text:p></table:table-cell></table:table-row></table:table>"
        '<table:table table:name="T"><table:table-row><table:table-cell table:number-columns-repeated="2">'
        "<text:p>twice</text:p></table:table-cell>"
        '<table:table-cell office:value-type="date" office:date-value="2024-04-03"><text:p>03/04/24</text:p>'
        '</table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row>'
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>'
        "</table:table>"
    )
    assert read(open_document("spreadsheet", body, hidden)).text.split("\n") == [
        "twice",
        "twice",
        "2024-04-03",
    ]


@pytest.mark.parametrize("make", [invoice_xlsx, invoice_xls, invoice_ods])
def test_cut_files_are_damaged(make: object) -> None:
    data = make()  # type: ignore[operator]
    with pytest.raises(DocumentError):
        read(data[: len(data) // 2], "a")


def test_passwords() -> None:
    manifest = b'<m xmlns:manifest="urn:x"><manifest:encryption-data/></m>'
    data = replaced(
        open_document("spreadsheet", odf_table(("a",))), "META-INF/manifest.xml", lambda _: manifest
    )
    with pytest.raises(EncryptedFile):
        read(data)


def test_dates_of_open_document_cells() -> None:
    body = (
        '<table:table table:name="S"><table:table-row>'
        "<table:table-cell><text:p>Due</text:p></table:table-cell>"
        "<table:table-cell><text:p>Note</text:p></table:table-cell></table:table-row><table:table-row>"
        '<table:table-cell office:value-type="date" office:date-value="2024-04-03"><text:p>April</text:p>'
        '</table:table-cell><table:table-cell office:date-value="soon"><text:p>x</text:p></table:table-cell>'
        "</table:table-row></table:table>"
    )
    (page,) = read(open_document("spreadsheet", body)).pages
    assert [[(cell.text, cell.date) for cell in row] for row in page.grids[0].rows] == [
        [("Due", ""), ("Note", "")],
        [("April", "2024-04-03"), ("x", "")],
    ]
