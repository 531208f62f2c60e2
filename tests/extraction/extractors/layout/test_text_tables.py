"""Tables found by the column names printed above them, whatever their content."""

from __future__ import annotations

import io
import random
from itertools import pairwise
from typing import Any

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from docduck.documents.document import Box, Cell, Grid, Rule, Word
from docduck.extraction import extract
from docduck.extraction.extractors.layout.extractor import LayoutExtractor
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.options import TableMode
from docduck.extraction.run_extractors import ExtractOptions, extract_document
from docduck.fields import parse_fields
from tests.extraction.pages import HEIGHT, WIDTH, document, page, right, words

STYLE = getSampleStyleSheet()["BodyText"]


def table_field(
    *columns: str, description: str | None = None, name: str = "T", **types: str
) -> dict[str, Any]:
    made = [{"name": c, "type": types.get(c.split()[0], "text")} for c in columns]
    return {"name": name, "type": "table", "description": description, "columns": made}


def rows_of(fields: list[dict[str, Any]], *pages: Any, tables: TableMode = "auto") -> list[list[list[Any]]]:
    options = ExtractOptions(tables=tables)
    found = extract_document(document(*pages), parse_fields(fields), options).data
    return [[list(row.values()) for row in found[field["name"]]] for field in fields]


def rule(x0: float, y0: float, x1: float, y1: float) -> Rule:
    return Rule(x0 / WIDTH, y0 / HEIGHT, x1 / WIDTH, y1 / HEIGHT)


def pdf(*flowables: Any) -> bytes:
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, pagesize=A4).build(list(flowables))
    return buffer.getvalue()


def rows_in(data: bytes, *fields: dict[str, Any]) -> list[list[list[Any]]]:
    found = extract(data, parse_fields(list(fields)), name="report.pdf").data
    return [[list(row.values()) for row in found[field["name"]]] for field in fields]


def test_grouped_headers() -> None:
    one = page(
        words(230, 100, "Imports"), words(430, 100, "Exports"),
        words(40, 114, "Region"), right(220, 114, "Tonnes"), right(310, 114, "Share"),
        right(420, 114, "Tonnes"), right(510, 114, "Share"),
        words(40, 130, "North"), right(220, 130, "1,200"), right(310, 130, "60%"),
        right(420, 130, "300"), right(510, 130, "75%"),
        words(40, 144, "South"), right(220, 144, "800"), right(310, 144, "40%"),
        right(420, 144, "100"), right(510, 144, "25%"),
    )  # fmt: skip
    columns = ("Region", "Imports / Tonnes", "Imports / Share", "Exports / Tonnes", "Exports / Share")
    assert rows_of([table_field(*columns)], one) == [
        [["North", "1,200", "60%", "300", "75%"], ["South", "800", "40%", "100", "25%"]]
    ]
    assert rows_of([table_field("Region", "Exports / Share")], one) == [[["North", "75%"], ["South", "25%"]]]


def test_row_labels_without_header() -> None:
    one = page(
        right(300, 100, "Number of"), right(420, 100, "Number of"),
        right(300, 111, "schools"), right(420, 111, "pupils"),
        words(40, 126, "Primary education"), right(300, 126, "410"), right(420, 126, "98 200"),
        words(40, 140, "Secondary education,"), words(40, 151, "all types"), right(300, 151, "120"),
        right(420, 151, "64 050"),
        words(40, 166, "Other"), right(300, 166, "–"), right(420, 166, "12"),
    )  # fmt: skip
    found = rows_of([table_field("row_label", "Number of schools", "Number of pupils")], one)
    assert found == [
        [
            ["Primary education", "410", "98 200"],
            ["Secondary education, all types", "120", "64 050"],
            ["Other", "–", "12"],
        ]
    ]


def statistics(y: float = 100) -> list[list[Word]]:
    return [
        words(40, y, "Sector"), right(300, y, "2023"), right(400, y, "2024"),
        words(40, y + 16, "Agriculture"),
        words(52, y + 30, "Crops"), right(300, y + 30, "11.5"), right(400, y + 30, "12.0"),
        words(52, y + 44, "Livestock"), right(400, y + 44, "7.5"),
        words(40, y + 58, "Total"), right(300, y + 58, "11.5"), right(400, y + 58, "19.5"),
        words(40, y + 84, "Source: national accounts of both years, revised after the census of 2021"),
    ]  # fmt: skip


def test_text_table_keeps_headings_sums_and_empty_cells() -> None:
    assert rows_of([table_field("Sector", "2023", "2024")], page(*statistics())) == [
        [
            ["Agriculture", None, None],
            ["Crops", "11.5", "12.0"],
            ["Livestock", None, "7.5"],
            ["Total", "11.5", "19.5"],
        ]
    ]


def test_typed_table_excludes_headings_and_sums() -> None:
    fields = [table_field("Sector", "2023", "2024", **{"2023": "number", "2024": "number"})]
    assert rows_of(fields, page(*statistics())) == [[["Crops", 11.5, 12], ["Livestock", None, 7.5]]]


def test_page_named_in_description_is_preferred() -> None:
    pages = [page(*statistics(), number=1), page(*statistics(300), words(40, 40, "Revised"), number=2)]
    fields = [table_field("Sector", "2023", "2024", description="The table on page 2")]
    found = extract_document(document(*pages), parse_fields(fields)).field_metadata["T"]
    assert {cell["page"] for row in found for cell in row.values()} == {2}


def test_equal_tables_are_assigned_in_order() -> None:
    one = page(
        words(40, 100, "Country"), right(300, 100, "Cases"),
        words(40, 116, "Austria"), right(300, 116, "1"), words(40, 130, "Belgium"), right(300, 130, "3"),
        words(40, 170, "Table 2. The same a year later"),
        words(40, 190, "Country"), right(300, 190, "Cases"),
        words(40, 206, "Austria"), right(300, 206, "5"), words(40, 220, "Belgium"), right(300, 220, "8"),
    )  # fmt: skip
    fields = [table_field("Country", "Cases", name="first"), table_field("Country", "Cases", name="second")]
    assert rows_of(fields, one) == [
        [["Austria", "1"], ["Belgium", "3"]],
        [["Austria", "5"], ["Belgium", "8"]],
    ]
    assert rows_of(fields[:1], one) == [[["Austria", "1"], ["Belgium", "3"]]]


def test_caption_distinguishes_equal_tables() -> None:
    placed = []
    tables = ((100, "Table 1. Imports of cereals", "11"), (200, "Table 2. Exports of cereals", "22"))
    for y, title, value in tables:
        placed += [words(40, y, title), words(40, y + 20, "Country"), right(300, y + 20, "Tonnes")]
        placed += [words(40, y + 36, "Austria"), right(300, y + 36, value)]
        placed += [words(40, y + 50, "Belgium"), right(300, y + 50, "7")]
    field = table_field("Country", "Tonnes", description="Exports of cereals by country")
    assert rows_of([field], page(*placed)) == [[["Austria", "22"], ["Belgium", "7"]]]


def test_prose_beside_ruled_table_is_excluded() -> None:
    placed = [
        words(300, 100, "Building"),
        right(560, 100, "n ="),
        words(20, 100, "prose that runs beside it and"),
    ]
    for at, (label, value) in enumerate((("Library", "60"), ("Garage", "58"), ("Hall", "7"))):
        y = 116 + 14 * at
        placed += [
            words(300, y, label),
            right(560, y, value),
            words(20, y, "goes on and on for some more 12 lines"),
        ]
    rules = tuple(rule(295, y, 565, y) for y in (98, 112, 158))
    found = rows_of([table_field("Building", "n =")], page(*placed, rules=rules))
    assert found == [[["Library", "60"], ["Garage", "58"], ["Hall", "7"]]]


def test_table_continues_with_and_without_repeated_header() -> None:
    first = page(
        words(40, 690, "Country"), right(300, 690, "Cases"), words(40, 706, "Austria"), right(300, 706, "1"),
        words(40, 720, "Belgium"), right(300, 720, "3"), words(290, 780, "7"),
    )  # fmt: skip
    second = page(
        words(40, 60, "Country"), right(300, 60, "Cases"), words(40, 76, "Chile"), right(300, 76, "9"),
        words(40, 90, "Cuba"), right(300, 90, "4"), words(290, 780, "8"), number=2,
    )  # fmt: skip
    third = page(
        words(40, 60, "Denmark"), right(300, 60, "2"), words(40, 74, "Egypt"), right(300, 74, "6"), number=3
    )
    found = rows_of([table_field("Country", "Cases", Cases="number")], first, second, third)
    assert found == [
        [["Austria", 1], ["Belgium", 3], ["Chile", 9], ["Cuba", 4], ["Denmark", 2], ["Egypt", 6]]
    ]


def test_columns_by_similar_names() -> None:
    one = page(
        words(40, 100, "Name of the country"), right(300, 100, "Reported cases"), right(420, 100, "Deaths"),
        words(40, 116, "Austria"), right(300, 116, "17"), right(420, 116, "1"),
        words(40, 130, "Belgium"), right(300, 130, "23"), right(420, 130, "2"),
    )  # fmt: skip
    fields = [table_field("Country", "Cases", "Deaths", Cases="number", Deaths="number")]
    assert rows_of(fields, one) == [[["Austria", 17, 1], ["Belgium", 23, 2]]]


def test_table_without_header_is_matched_by_type() -> None:
    one = page(
        words(40, 60, "Movements of the week"),
        words(40, 100, "03.02.2024"), words(150, 100, "Bread and rolls"), right(420, 100, "12,40"),
        words(40, 114, "04.02.2024"), words(150, 114, "Paper"), right(420, 114, "7,00"),
        words(40, 128, "06.02.2024"), words(150, 128, "Soap, towels"), right(420, 128, "31,95"),
    )  # fmt: skip
    fields = [table_field("Tag", "Zweck", "Wieviel", Tag="date", Wieviel="currency")]
    expected = [
        ["2024-02-03", "Bread and rolls", 12.4],
        ["2024-02-04", "Paper", 7],
        ["2024-02-06", "Soap, towels", 31.95],
    ]
    assert rows_of(fields, one) == [expected]
    assert rows_of(fields, one, tables="disabled") == [[]]
    others = table_field("Test", "Passed on", "Score", Passed="date", Score="number")
    assert rows_of([others], one) == [[]]


@pytest.mark.parametrize("seed", range(2))
def test_ocr_positions_may_deviate(seed: int) -> None:
    chance = random.Random(seed)
    tilt = chance.choice((-0.004, 0.004))
    placed = [
        words(40, 100, "Station"), right(260, 100, "Rain"), right(360, 100, "Sun"), right(460, 100, "Wind"),
    ]  # fmt: skip
    expected = []
    for at, label in enumerate(("Aachen", "Bad Hersfeld", "Celle", "Emden", "Fulda")):
        cells = [str(chance.randint(10, 2000)) for _ in range(3)]
        y = 116 + 15 * at
        placed += [words(40, y, label), *(right(260 + 100 * i, y, cell) for i, cell in enumerate(cells))]
        expected.append([label, *cells])
    noisy = []
    for word in (w for some in placed for w in some):
        box = word.box
        left = box.left + chance.uniform(-0.002, 0.002)
        top = box.top + chance.uniform(-0.0012, 0.0012) + tilt * box.left
        height = box.height * chance.uniform(0.9, 1.15)
        noisy.append(Word(word.text, Box(left, top, box.width, height), "ocr", 0.9))
    assert rows_of([table_field("Station", "Rain", "Sun", "Wind")], page(noisy)) == [expected]


def test_wrapped_and_merged_cells_of_ruled_table() -> None:
    def cell(text: str) -> Paragraph:
        return Paragraph(text, STYLE)

    long = "Stability of the scores over time when no change of the thing measured is to be expected"
    table = Table(
        [
            [cell("Property"), cell("Type of test"), cell("What is assessed")],
            [cell("Reliability"), cell("Test and retest, by an interviewer or alone"), cell(long)],
            ["", cell("Internal consistency"), cell("Extent to which items measure the same")],
            [cell("Validity"), cell("Content"), cell("Evidence that the concept is measured")],
        ],
        colWidths=[90, 120, 220],
        style=TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("SPAN", (0, 1), (0, 2))]),
    )
    data = pdf(
        Paragraph("Some words before the table.", STYLE), table, Paragraph("And some after it.", STYLE)
    )
    assert rows_in(data, table_field("Property", "Type of test", "What is assessed")) == [
        [
            ["Reliability", "Test and retest, by an interviewer or alone", long],
            ["Reliability", "Internal consistency", "Extent to which items measure the same"],
            ["Validity", "Content", "Evidence that the concept is measured"],
        ]
    ]


def test_a_drawn_line_divides_words_on_almost_one_baseline() -> None:
    one = page(
        words(40, 100, "Measure"), words(200, 100, "Problems"),
        words(40, 116, "Clarity"), words(200, 116, "Nobody knows what it"), words(200, 133, "means"),
        words(40, 137, "Range"), words(200, 149, "Most are at one end"),
        words(40, 166, "Recall"), words(200, 166, "The period is too long"),
        rules=tuple(rule(35, y, 400, y) for y in (98, 112, 140, 162, 178)),
    )  # fmt: skip
    assert rows_of([table_field("Measure", "Problems")], one) == [
        [
            ["Clarity", "Nobody knows what it means"],
            ["Range", "Most are at one end"],
            ["Recall", "The period is too long"],
        ]
    ]


@pytest.mark.parametrize("font", ["Helvetica", "Times-Roman", "Courier"])
@pytest.mark.parametrize("align", ["LEFT", "CENTER", "RIGHT"])
@pytest.mark.parametrize("ruled", ["none", "grid", "lines"])
def test_fonts_alignments_and_rules(font: str, align: str, ruled: str) -> None:
    body = [
        ["Vienna", "1,897,000", "414.8", "yes"],
        ["Graz", "291,000", "127.6", "no"],
        ["Linz", "", "96.0", "no"],
    ]
    commands: list[Any] = [("FONT", (0, 0), (-1, -1), font, 9), ("ALIGN", (1, 0), (-1, -1), align)]
    if ruled == "grid":
        commands.append(("GRID", (0, 0), (-1, -1), 0.5, colors.black))
    if ruled == "lines":
        commands += [
            ("LINEABOVE", (0, 0), (-1, 0), 1, colors.black),
            ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
        ]
        commands.append(("LINEBELOW", (0, -1), (-1, -1), 1, colors.black))
    table = Table([["City", "Residents", "Area (km²)", "Capital"], *body], style=TableStyle(commands))
    data = pdf(
        Paragraph("City and residents are counted as of January, the area as surveyed.", STYLE),
        Spacer(1, 14), table, Spacer(1, 14),
        Paragraph("The capital has 9 districts that are not listed here, as they are no cities.", STYLE),
    )  # fmt: skip
    expected = [[cell or None for cell in row] for row in body]
    assert rows_in(data, table_field("City", "Residents", "Area (km²)", "Capital")) == [expected]


def test_long_table_over_pages() -> None:
    rows = [[f"Item {n}", str(n * 7), str(n * n)] for n in range(1, 91)]
    table = Table([["Thing", "Sevenfold", "Square"], *rows], repeatRows=1, colWidths=[150, 100, 100])
    data = pdf(
        table, PageBreak(), Paragraph("Thing, sevenfold and square are explained in the glossary.", STYLE)
    )
    assert rows_in(data, table_field("Thing", "Sevenfold", "Square")) == [rows]


def test_format_cells_without_drawn_lines() -> None:
    placed = [
        words(40, 100, "Task"), words(200, 100, "Who"),
        words(40, 114, "Write the text"), words(200, 114, "Anna"),
        words(40, 125, "and check it"), words(200, 125, "Bea"),
        words(40, 136, "Print"), words(200, 136, "Carl"),
    ]  # fmt: skip
    edges = (98, 112, 135, 148)
    rows = tuple(
        tuple(
            Cell("", Box(x / WIDTH, y / HEIGHT, w / WIDTH, (below - y) / HEIGHT))
            for x, w in ((35, 160), (195, 200))
        )
        for y, below in pairwise(edges)
    )
    one = page(*placed)
    one.grids = (Grid(rows, Box(35 / WIDTH, 98 / HEIGHT, 360 / WIDTH, 50 / HEIGHT)),)
    fields = parse_fields([table_field("Task", "Who")])
    found = (
        LayoutExtractor()
        .find(document(one), [query_of(field) for field in fields], ExtractOptions())
        .tables["T"]
    )
    assert [[cell.value for cell in row.values()] for row in found] == [
        ["Write the text and check it", "Anna Bea"],
        ["Print", "Carl"],
    ]
