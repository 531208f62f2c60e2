"""Random schemas and values, through every format and back."""

from __future__ import annotations

import csv
import datetime as dt
import io
import zipfile
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from docduck.fields import Field, FieldType
from tests.exports.reading import as_json, as_xml, document, export, read_frames

SCALARS = [FieldType.TEXT, FieldType.NUMBER, FieldType.DATE, FieldType.BOOLEAN, FieldType.LIST]
FORMULA = "=+-@＝＋－＠'"
# What a spreadsheet or CSV reader hands back unchanged: no control characters, no line end but \n.
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=20)
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Cn"]), min_size=1, max_size=12).filter(
    lambda name: (
        name.strip() == name and name.strip(".") != "" and not name.startswith(tuple("=+-@＝＋－＠'"))
    )
)
ITEMS = TEXT.filter(lambda text: "; " not in text and text.strip(";") == text)
NUMBERS = st.one_of(
    st.integers(-(10**12), 10**12),
    st.decimals(-(10**6), 10**6, places=4, allow_nan=False).map(float),
)
VALUES: dict[FieldType, st.SearchStrategy[Any]] = {
    FieldType.TEXT: TEXT,
    FieldType.NUMBER: NUMBERS,
    FieldType.DATE: st.dates(dt.date(1900, 3, 1)).map(dt.date.isoformat),
    FieldType.BOOLEAN: st.booleans(),
    FieldType.LIST: st.lists(
        TEXT.filter(lambda text: "; " not in text and text.strip(";") == text), max_size=3
    ),
}


@st.composite
def worlds(draw: Any) -> tuple[list[Field], list[dict[str, Any]]]:
    """Fields, with a table at the end, and values of some documents."""
    names = draw(st.lists(NAMES, min_size=2, max_size=7, unique_by=str.casefold))
    kinds = draw(st.lists(st.sampled_from(SCALARS), min_size=len(names), max_size=len(names)))
    fields = [Field(name=name, type=kind) for name, kind in zip(names, kinds, strict=True)]
    table = Field(name="Table 1", type=FieldType.TABLE, columns=tuple(fields[1:]))
    scalars = [one for one in fields if one.name.casefold() != "table 1"][:4]

    def row(columns: Any) -> Any:
        cell = {one.name: st.one_of(st.none(), VALUES[one.type]) for one in columns}
        return st.fixed_dictionaries(cell)

    documents = draw(st.lists(row(scalars), max_size=3))
    for one in documents:
        one["Table 1"] = draw(st.lists(row(table.columns), max_size=3))
    return [*scalars, table], documents


def clean(field: Field, value: Any) -> Any:
    return [] if field.type is FieldType.LIST and value is None else value


ODD = tuple(Field(name=name, type=FieldType.NUMBER) for name in ("$externalId", "$rowNumber", "*"))
"""Fields that are called like properties of documents and like patterns of names."""


@pytest.mark.slow
@example(
    (
        [*ODD, Field(name="Table 1", type=FieldType.TABLE, columns=ODD)],
        [
            {
                "$externalId": 0,
                "$rowNumber": 5,
                "*": 1.5,
                "Table 1": [{"$externalId": 1, "$rowNumber": 6, "*": 2}],
            },
        ],
    )
)
@given(worlds())
@settings(max_examples=40, deadline=None)
def test_values_survive_every_format(world: tuple[list[Field], list[dict[str, Any]]]) -> None:
    fields, values = world
    *scalars, table = fields
    documents = [document(number, one) for number, one in enumerate(values)]
    rows = [[clean(field, one[field.name]) for field in scalars] for one in values]
    items = [[clean(c, row[c.name]) for c in table.columns] for one in values for row in one["Table 1"]]

    nested = [one["data"] for one in as_json(None, documents, fields)]
    assert [[one[field.name] for field in scalars] for one in nested] == rows
    assert [[*row.values()] for one in nested for row in one["Table 1"]] == items
    flat = as_json("table", documents, fields)
    assert [list(row.values())[6:] for row in flat] == items

    sheets = (scalars, rows), (list(table.columns), items)
    check_xml(as_xml("all_sheets", documents, fields), *sheets)
    check_csv(export("csv", "all_sheets", documents, fields)[0], *sheets)
    check_xlsx(export("xlsx", None, documents, fields)[0], *sheets)
    check_parquet(export("parquet", None, documents, fields)[0], *sheets)


Sheet = tuple[list[Field], list[list[Any]]]


def read(field: Field, text: str) -> Any:
    """A value of a text format, by its type; missing and empty texts are the same."""
    match field.type:
        case FieldType.LIST:
            return text.split("; ") if text else []
        case FieldType.NUMBER:
            return Decimal(text) if text else None
        case FieldType.BOOLEAN:
            return {"true": True, "false": False, "": None}[text]
        case _:
            return text or None


def same(field: Field, value: Any) -> Any:
    match field.type:
        case FieldType.NUMBER if value is not None:
            return Decimal(str(value))
        case FieldType.LIST:
            return value if value not in ([""], None) else []
        case _:
            return value if value != "" else None


def compare(sheet: Sheet, found: list[list[Any]]) -> None:
    columns, rows = sheet
    assert found == [[same(field, v) for field, v in zip(columns, row, strict=True)] for row in rows]


def check_xml(root: Any, *sheets: Sheet) -> None:
    for (columns, rows), element, start in zip(sheets, root, (5, 6), strict=True):
        names = [name for name in numbered(columns, start)]
        found = []
        for line in element:
            cells = {one.get("name"): one.text or "" for one in line}
            found.append([read(f, cells.get(name, "")) for f, name in zip(columns, names, strict=True)])
        compare((columns, rows), found)


def numbered(columns: list[Field], start: int) -> list[str]:
    """The headings of columns behind those of the document."""
    taken = ["document_id", "document_name", "external_id", "status", "created_at", "row_number"][:start]
    for one in columns:
        name, count = one.name, 1
        while name in taken:
            count += 1
            name = f"{one.name}_{count}"
        taken.append(name)
    return taken[start:]


def check_csv(content: bytes, *sheets: Sheet) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = [archive.read(name).decode("utf-8-sig") for name in archive.namelist()]
    for (columns, rows), part, start in zip(sheets, parts, (5, 6), strict=True):
        _, *lines = csv.reader(io.StringIO(part, newline=""), strict=True)
        found = [
            [read(f, undefused(cell)) for f, cell in zip(columns, line[start:], strict=True)]
            for line in lines
        ]
        compare((columns, rows), found)


def undefused(cell: str) -> str:
    return cell[1:] if cell.startswith(tuple(f"'{one}" for one in "=+-@＝＋－＠")) else cell


def check_xlsx(content: bytes, *sheets: Sheet) -> None:
    book = openpyxl.load_workbook(io.BytesIO(content))
    for (columns, rows), page, start in zip(sheets, book, (5, 6), strict=True):
        _, *lines = page.iter_rows(values_only=True)
        found = [
            [typed(f, v) for f, v in zip(columns, [*line, *[None] * 20][start:], strict=False)]
            for line in lines
        ]
        compare((columns, rows), found)


def typed(field: Field, value: Any) -> Any:
    match field.type:
        case FieldType.DATE if value is not None:
            return value.date().isoformat()
        case FieldType.LIST:
            return value.split("; ") if value else []
        case FieldType.NUMBER if value is not None:
            return Decimal(str(value))
        case _:
            return value


def check_parquet(content: bytes, *sheets: Sheet) -> None:
    for (columns, rows), frame, start in zip(sheets, read_frames(content).values(), (5, 6), strict=True):
        found = []
        for line in frame.rows():
            cells = zip(columns, line[start:], strict=True)
            found.append([value.isoformat() if isinstance(value, dt.date) else value for _, value in cells])
        wanted = [
            [Decimal(str(v)) if f.type is FieldType.NUMBER and v is not None else v for f, v in cells]
            for cells in (zip(columns, row, strict=True) for row in rows)
        ]
        assert found == wanted
