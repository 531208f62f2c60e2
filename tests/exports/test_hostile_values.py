from __future__ import annotations

import csv
import io
import zipfile
from decimal import Decimal
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docduck.exports import xlsx_file
from docduck.fields import Field, FieldType
from tests.exports.reading import (
    BASE,
    as_csv,
    as_csvs,
    as_json,
    as_sheets,
    as_workbook,
    as_xml,
    document,
    export,
    table,
    xml_fields,
)

TEXT = [Field(name="Text")]


def text_cell(format: str, value: Any, kind: FieldType = FieldType.TEXT) -> Any:
    """What stands in the one field of the one document, read back."""
    fields = [Field(name="Text", type=kind)]
    documents = [document(1, {"Text": value})]
    match format:
        case "json":
            return as_json("fields_only", documents, fields)[0]["Text"]
        case "xml":
            return as_xml("all_flat", documents, fields)[0][-1].text
        case "csv":
            return as_csv(None, documents, fields)[1][-1]
        case _:
            return as_sheets(None, documents, fields)["Fields"][1][-1]


@pytest.mark.parametrize(
    "value",
    [
        *("=cmd|' /C calc'!A0", "@SUM(1+1)", "+1+1", "-2+3", "=1", "-", "+a", "-=1"),
        *("\t=1", "\r=1", "\n=1", "\tText", "＝1", "＋1", "－1", "＠x"),
        *(
            " =1",
            "\u00a0=1",
            "\u200b=1",
            "\ufeff@x",
            "\u2060+a",
            "\u00ad=1",
            "\u202e=1",
            " \u200b\u3164-2+3",
            "\u2800=1",
        ),
    ],
)
def test_csv_takes_the_teeth_out_of_formulas(value: str) -> None:
    assert text_cell("csv", value) == f"'{value}"


@pytest.mark.parametrize(
    "value", ["-12.50", "+49", "-1.234,50", "-.5", "-1e3", "-5%", "a=b", "'=1", " a=1", "\u200bText", ""]
)
def test_csv_leaves_numbers_and_other_text(value: str) -> None:
    assert text_cell("csv", value) == value


def test_csv_protects_names_of_documents_and_fields() -> None:
    heading, row = as_csv(None, [document(1, {"=F": 1}, name="=n", external_id="@x")], [Field(name="=F")])
    assert (heading[-1], row[1], row[2]) == ("'=F", "'=n", "'@x")


def test_csv_is_rfc_4180() -> None:
    value = 'a "quoted", text\r\nover\nlines'
    content, _ = export("csv", None, [document(1, {"Text": value})], TEXT)
    assert content.startswith(b"\xef\xbb\xbfdocument_id,")
    assert b'"a ""quoted"", text\r\nover\nlines"\r\n' in content
    assert text_cell("csv", value) == value


@pytest.mark.parametrize("value", ["=1+1", "=cmd|' /C calc'!A0", "#N/A", "#REF!", "@x", "+1", "1e5", "TRUE"])
def test_xlsx_text_stays_text(value: str) -> None:
    page = as_workbook("fields_only", [document(1, {"Text": value})], TEXT)["Fields"]
    cell = page.cell(2, page.max_column)
    assert (cell.value, cell.data_type) == (value, "s")
    heading = as_workbook(None, [], [Field(name=value)])["Fields"].cell(1, 6)
    assert (heading.value, heading.data_type) == (value, "s")


@pytest.mark.parametrize("format", ["xml", "csv", "xlsx"])
def test_control_characters_are_left_out(format: str) -> None:
    assert text_cell(format, "a\x00b\x0bc\x1bd\ufffee\tf") == "abcde\tf"


@pytest.mark.parametrize("format", ["json", "xml", "csv", "xlsx"])
def test_lone_surrogates_are_replaced(format: str) -> None:
    assert text_cell(format, "a\ud800b😀") == "a\ufffdb😀"


@pytest.mark.parametrize("format", ["json", "xml", "csv", "xlsx"])
@pytest.mark.parametrize(
    "value", ["<b>&amp;</b> ]]>", "Größe: 5 €, 東京, 😀", " edges ", "two\nlines", "quote \" and '", "null"]
)
def test_text_survives(format: str, value: str) -> None:
    assert text_cell(format, value) == value


@given(st.text(st.characters(codec="utf-8"), max_size=60))
@settings(max_examples=40, deadline=None)
def test_any_text_survives_json_and_can_be_read_from_the_others(value: str) -> None:
    documents = [document(1, {"Text": value}, name=value, external_id=value)]
    assert as_json("fields_only", documents, TEXT)[0]["Text"] == value
    for scope in (None, "all_flat", "all_sheets"):
        assert as_xml(scope, documents, TEXT) is not None
    assert len(as_csv(None, documents, TEXT)) == 2
    assert len(as_sheets(None, documents, TEXT)["Fields"]) == 2


def test_names_of_fields_and_tables_are_safe_in_xml() -> None:
    fields = [Field(name='A "b" <c> & \n\x01d'), table("T <&>", Field(name="c'\""))]
    documents = [document(1, {fields[0].name: "v", "T <&>": [{"c'\"": "w"}]}, name="<\"'&>")]
    nested = as_xml(None, documents, fields)[0]
    assert nested.get("name") == "<\"'&>"
    assert xml_fields(nested) == {'A "b" <c> & \nd': "v"}
    assert nested.find("table").get("name") == "T <&>"
    assert as_xml("table", documents, fields).get("table") == "T <&>"
    assert xml_fields(as_xml("table", documents, fields)[0])["c'\""] == "w"
    assert [sheet.get("name") for sheet in as_xml("all_sheets", documents, fields)] == ["Fields", "T <&>"]


def test_very_long_text() -> None:
    longest = "ä" * 32_767
    assert text_cell("xlsx", longest) == longest
    assert text_cell("xlsx", longest + "b") == "ä" * 32_766 + "…"
    # A spreadsheet counts UTF-16 units, of which an emoji takes two; none is cut in half.
    assert text_cell("xlsx", "😀" * 20_000) == "😀" * 16_383 + "…"
    for format in ("json", "xml", "csv"):
        assert text_cell(format, "ä" * 100_000) == "ä" * 100_000


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (119.0, "119"),
        (-0.05, "-0.05"),
        (1e22, "10000000000000000000000"),
        (1e-7, "0.0000001"),
        (12345678901234567890, "12345678901234567890"),
        (Decimal("12.30"), "12.3"),
        (float("nan"), ""),
        (float("inf"), ""),
        (0, "0"),
        (False, "false"),
    ],
)
def test_numbers_as_text(value: Any, shown: str) -> None:
    assert text_cell("csv", value, FieldType.NUMBER) == shown
    assert text_cell("xml", value, FieldType.NUMBER) == (shown or None)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_json_and_xlsx_have_no_nan(value: float) -> None:
    assert text_cell("json", value, FieldType.NUMBER) is None
    assert text_cell("xlsx", value, FieldType.NUMBER) is None
    assert as_json(None, [document(1, {"Text": value}, custom={"n": [value]})], TEXT) == [
        {**as_json(None, [document(1, {}, custom={"n": [None]})], TEXT)[0]}
    ]


def test_large_integers_in_xlsx() -> None:
    assert text_cell("xlsx", 2**53, FieldType.NUMBER) == 2**53
    assert text_cell("xlsx", 10**20, FieldType.NUMBER) == 1e20
    assert text_cell("xlsx", 10**400, FieldType.NUMBER) == "1" + "0" * 400


@pytest.mark.parametrize(
    "value", ["", "soon", "31.01.2024", "0001-01-01", "1899-12-31", "1900-02-28", "2024-13-01"]
)
def test_what_no_spreadsheet_knows_as_a_date_stays_text(value: str) -> None:
    assert text_cell("xlsx", value, FieldType.DATE) == (value or None)


def test_a_date_in_a_text_field_stays_text() -> None:
    assert text_cell("xlsx", "2024-01-31") == "2024-01-31"


def test_values_of_the_wrong_shape_are_shown_not_lost() -> None:
    fields = [Field(name="Scalar"), Field(name="List", type=FieldType.LIST), table("T", Field(name="c"))]
    data = {"Scalar": {"a": "ü"}, "List": ["a", None, 1.0, True, ["b"]], "T": "no table"}
    (row,) = as_json("all_flat", [document(1, data)], fields)
    assert row["Scalar"] == {"a": "ü"}
    assert row["List"] == ["a", None, 1.0, True, ["b"]]
    assert row["T.c"] is None
    (cells,) = as_csv("all_flat", [document(1, data)], fields)[1:]
    assert cells[5:] == ['{"a": "ü"}', "a; ; 1; true; b", ""]
    rows: dict[str, Any] = {"T": [{"c": ["x", "y"]}, "no row", {}]}
    assert [row["c"] for row in as_json("table", [document(1, rows)], fields)] == [["x", "y"], None]


def test_columns_called_alike_are_told_apart() -> None:
    fields = [
        Field(name="status", position=1),
        Field(name="T.c", position=2),
        table("T", Field(name="c"), Field(name="row_number"), Field(name="status"), position=3),
    ]
    documents = [
        document(1, {"status": "a", "T.c": "b", "T": [{"c": "c", "row_number": "d", "status": "e"}]})
    ]
    (flat,) = as_json("all_flat", documents, fields)
    assert list(flat)[5:] == ["status_2", "T.c", "T.c_2", "T.row_number", "T.status"]
    assert list(flat.values())[5:] == ["a", "b", "c", "d", "e"]
    (row,) = as_json("table", documents, fields)
    assert list(row)[5:] == ["row_number", "c", "row_number_2", "status_2"]
    assert as_csv("table", documents, fields)[0] == [*BASE, "row_number", "c", "row_number_2", "status_2"]


TABLES = [
    "fields",
    "A" * 40 + "1",
    "a" * 40 + "2",
    "Q1/Q2: [x]*?\\",
    "'quoted'",
    "History",
    "../../etc/passwd",
    "CON",
    "Straße",
    "STRASSE",
    "😀" * 20,
    "=1+1",
    "\x01\x02",
    ".hidden",
    "ä" * 300,
    "😀" * 300,
]


def test_sheet_names_are_valid_and_unique_ignoring_case() -> None:
    names = as_workbook(None, [], [table(name, Field(name="c")) for name in TABLES]).sheetnames
    assert len(names) == len(TABLES) + 1
    assert len({name.casefold() for name in names}) == len(names)
    for name in names:
        assert 1 <= len(name.encode("utf-16-le")) // 2 <= 31
        assert not set(name) & set("[]:*?/\\")
        assert name.casefold() != "history"
        assert name == name.strip("'")
    assert names[:4] == ["Fields", "fields (2)", "A" * 31, "a" * 27 + " (2)"]
    assert "=1+1" in names


def test_names_in_the_zip_are_plain_files_everywhere() -> None:
    content, _ = export("csv", "all_sheets", [], [table(name, Field(name="c")) for name in TABLES])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
    assert len({name.casefold() for name in names}) == len(TABLES) + 1
    for name in names:
        assert name.endswith(".csv")
        assert not name.startswith(".")
        assert PurePosixPath(name).name == PureWindowsPath(name).name == name
        assert not set(name) & set('<>:"/\\|?*')
        assert not PureWindowsPath(name).is_reserved()
    assert all(len(name.encode()) <= 255 for name in names)
    assert "Straße.csv" in names


def test_json_and_xml_keep_both_of_two_sheets_called_fields() -> None:
    fields = [Field(name="x"), table("Fields", Field(name="c"))]
    documents = [document(1, {"x": 1, "Fields": [{"c": 2}]})]
    found = as_json("all_sheets", documents, fields)
    assert (found["Fields"][0]["x"], found["Fields_2"][0]["c"]) == (1, 2)
    assert [sheet.get("name") for sheet in as_xml("all_sheets", documents, fields)] == ["Fields", "Fields_2"]


def test_a_full_worksheet_is_continued_on_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_file, "MOST_ROWS", 4)
    rows = {"T": [{"c": number} for number in range(7)]}
    fields = [table("T", Field(name="c"))]
    written = export("xlsx", "table", [document(1, rows)], fields)[1]
    assert written.warnings == ("'T' has more rows than a worksheet holds; it continues on T (2), T (3)",)
    found = as_sheets("table", [document(1, rows)], fields)
    assert list(found) == ["T", "T (2)", "T (3)"]
    assert [[row[-1] for row in page] for page in found.values()] == [
        ["c", 0, 1, 2],
        ["c", 3, 4, 5],
        ["c", 6],
    ]


@pytest.mark.parametrize("format", ["json", "xml", "csv", "xlsx"])
@pytest.mark.parametrize("scope", [None, "all_flat", "all_sheets"])
def test_an_error_while_reading_documents_is_not_swallowed(format: str, scope: str | None) -> None:
    def documents() -> Any:
        yield document()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        export(format, scope, documents(), TEXT)


def test_csv_fields_are_no_longer_than_written() -> None:
    limit = csv.field_size_limit(10**7)
    try:
        assert text_cell("csv", "x" * 1_000_000) == "x" * 1_000_000
    finally:
        csv.field_size_limit(limit)


def test_a_table_without_columns() -> None:
    fields = [table("T"), Field(name="x")]
    documents = [document(1, {"T": [{}, {}], "x": 1})]
    assert [row["row_number"] for row in as_json("table", documents, fields)] == [1, 2]
    assert as_csvs("all_sheets", documents, fields)["T.csv"][0] == [*BASE, "row_number"]
