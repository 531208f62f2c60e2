"""Tables that are found by the heads which the page's reading sees, or by the types of their columns."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Any

from docduck.documents.document import Page, Rule, Word
from docduck.extraction.extractors.layout.tables.cells import TableContext, read_cell
from docduck.extraction.extractors.layout.tables.columns import match_columns
from docduck.extraction.extractors.layout.tables.headers import HeadCell, Header, find_headers
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.page.locale import Locale
from docduck.extraction.page.page_view import views_of
from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields
from tests.extraction.pages import document, page, right, words

LETTERHEAD = (words(40, 40, "Otter Mill Ltd"), words(40, 54, "Mill Lane 4, Leeds LS2 8JT"))


def tables(fields: dict[str, list[tuple[str, str]]], *pages: Page) -> dict[str, list[list[Any]]]:
    """Return the rows of some tables, given as their columns' names and types."""
    schema = parse_fields(
        [
            {"name": name, "type": "table", "columns": [{"name": n, "type": t} for n, t in columns]}
            for name, columns in fields.items()
        ]
    )
    found = extract_document(document(*pages), schema).data
    return {name: [list(row.values()) for row in found[name]] for name in fields}


def line(y: float, *cells: tuple[float, str]) -> list[Word]:
    """Return cells of one line: from x if that is positive, else up to -x."""
    return [w for x, text in cells for w in (words(x, y, text) if x > 0 else right(-x, y, text))]


def payslip(*more: list[Word]) -> Page:
    return page(
        *LETTERHEAD,
        line(150, (40, "Earnings"), (-280, "Amount"), (310, "Deductions"), (-560, "Amount")),
        line(166, (40, "Basic pay"), (-280, "2,310.00"), (310, "Income tax"), (-560, "288.60")),
        line(182, (40, "Overtime"), (-280, "126.75"), (310, "Insurance"), (-560, "115.90")),
        line(198, (40, "Bonus"), (-280, "60.00"), (310, "Pension"), (-560, "124.84")),
        *more,
    )


PAIR = {
    "Earnings": [("Item", "text"), ("Amount", "currency")],
    "Deductions": [("Item", "text"), ("Amount", "currency")],
}


def test_tables_side_by_side_are_told_apart_by_their_names() -> None:
    found = tables(PAIR, payslip())
    assert found["Earnings"] == [["Basic pay", 2310], ["Overtime", 126.75], ["Bonus", 60]]
    assert found["Deductions"] == [["Income tax", 288.6], ["Insurance", 115.9], ["Pension", 124.84]]


def test_a_sum_of_the_rows_above_is_no_row_whatever_it_is_called() -> None:
    sums = line(214, (40, "Zwolsk"), (-280, "2,496.75"), (310, "Zwolsk"), (-560, "529.34"))
    found = tables(PAIR, payslip(sums))
    assert [row[0] for row in found["Earnings"]] == ["Basic pay", "Overtime", "Bonus"]
    assert [row[0] for row in found["Deductions"]] == ["Income tax", "Insurance", "Pension"]


def test_columns_of_unknown_heads_are_known_by_their_place() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Nota"), (200, "kelt"), (320, "esedekes"), (-560, "hatralek EUR")),
        line(166, (40, "24-0071"), (200, "09.01.2024"), (320, "23.01.2024"), (-560, "412,30")),
        line(182, (40, "24-0098"), (200, "24.01.2024"), (320, "07.02.2024"), (-560, "1.288,00")),
    )
    columns = [("Number", "text"), ("Date", "date"), ("Due", "date"), ("Amount", "currency")]
    assert tables({"Open": columns}, one)["Open"] == [
        ["24-0071", "2024-01-09", "2024-01-23", 412.3],
        ["24-0098", "2024-01-24", "2024-02-07", 1288],
    ]


def test_amounts_have_the_sign_of_the_word_behind_them() -> None:
    def statement(*amounts: str) -> list[Any]:
        rows = [
            line(166 + 16 * n, (40, "2024-03-0" + str(n + 1)), (150, "Shop " + "ABCD"[n]), (-540, amount))
            for n, amount in enumerate(amounts)
        ]
        head = line(150, (40, "Date"), (150, "Merchant"), (-540, "Amount"))
        columns = [("Date", "date"), ("Merchant", "text"), ("Amount", "currency")]
        found = tables({"Transactions": columns}, page(*LETTERHEAD, head, *rows))
        return [row[2] for row in found["Transactions"]]

    assert statement("12.00", "24.99 CR", "8.50") == [12, -24.99, 8.5]
    assert statement("12.00 DR", "24.99 CR", "8.50 DR") == [-12, 24.99, -8.5]
    assert statement("87.40 S", "1152.00 H", "8.90 S") == [-87.4, 1152, -8.9]


def test_a_group_heading_is_neither_a_row_nor_the_end() -> None:
    columns = [("Work", "text"), ("Unit", "text"), ("Quantity", "number"), ("Total", "currency")]
    one = page(
        *LETTERHEAD,
        line(150, (40, "Work"), (250, "Unit"), (-400, "Quantity"), (-560, "Total")),
        line(168, (40, "TERRACE")),
        line(184, (40, "Paving"), (250, "m2"), (-400, "24"), (-560, "1,640.00")),
        line(200, (40, "Edging"), (250, "m"), (-400, "18"), (-560, "324.00")),
        line(216, (40, "PLANTING")),
        line(232, (40, "Hornbeam hedge"), (250, "pcs"), (-400, "24"), (-560, "213.60")),
        line(248, (40, "Mulch"), (250, "bag"), (-400, "6"), (-560, "90.00")),
    )
    found = tables({"Works": columns}, one)["Works"]
    assert [row[0] for row in found] == ["Paving", "Edging", "Hornbeam hedge", "Mulch"]


ITEMS = [("Item", "text"), ("Quantity", "number"), ("Unit Price", "currency"), ("Amount", "currency")]


def test_one_head_over_two_columns_is_divided() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Item"), (-250, "Price"), (300, "VAT Quantity"), (-560, "Amount")),
        line(166, (40, "Bolts"), (-250, "0.50"), (298, "21 %"), (330, "10"), (-560, "5.00")),
        line(182, (40, "Nuts"), (-250, "0.25"), (298, "21 %"), (330, "20"), (-560, "5.00")),
        line(198, (40, "Steel rods"), (-250, "7.00"), (298, "21 %"), (330, "30"), (-560, "210.00")),
    )
    assert [row[1] for row in tables({"Items": ITEMS}, one)["Items"]] == [10, 20, 30]


def test_a_column_right_of_all_heads_is_known_by_its_values() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Item"), (-250, "Price"), (-350, "Quantity")),
        line(166, (40, "Bolts"), (-250, "0.50"), (-350, "10"), (-560, "5.00")),
        line(182, (40, "Nuts"), (-250, "0.25"), (-350, "20"), (-560, "5.00")),
        line(198, (40, "Steel rods"), (-250, "7.00"), (-350, "30"), (-560, "210.00")),
    )
    assert [row[3] for row in tables({"Items": ITEMS}, one)["Items"]] == [5, 5, 210]


def test_the_quantity_is_the_column_whose_products_hold() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (-80, "Amount"), (110, "Item"), (-320, "VAT"), (-430, "Price"), (-560, "Total")),
        line(166, (-80, "3"), (110, "Design"), (-320, "7%"), (-430, "160.00"), (-560, "480.00")),
        line(182, (-80, "400"), (110, "Balloons"), (-320, "19%"), (-430, "0.80"), (-560, "320.00")),
    )
    assert tables({"Items": ITEMS}, one)["Items"] == [["Design", 3, 160, 480], ["Balloons", 400, 0.8, 320]]


def test_a_header_at_the_end_of_a_page_heads_the_next_one() -> None:
    head = line(760, (40, "Item"), (-350, "Quantity"), (-450, "Price"), (-560, "Amount"))
    second = page(
        line(40, (40, "Bolts"), (-350, "10"), (-450, "0.50"), (-560, "5.00")),
        line(56, (40, "Nuts"), (-350, "20"), (-450, "0.25"), (-560, "5.00")),
        number=2,
    )
    found = tables({"Items": ITEMS}, page(*LETTERHEAD, head), second)["Items"]
    assert found == [["Bolts", 10, 0.5, 5], ["Nuts", 20, 0.25, 5]]


def test_words_of_a_table_without_a_header_are_descriptions_rather_than_item_numbers() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "03-06-2024"), (120, "Bloedonderzoek"), (-420, "1 x"), (-560, "89,75")),
        line(166, (40, "03-06-2024"), (120, "Carprodyl, tabletten"), (-420, "20 x"), (-560, "23,80")),
        line(182, (40, "05-06-2024"), (120, "Ontwormingstablet"), (-420, "2 x"), (-560, "15,90")),
    )
    columns = [
        ("Item Number", "text"),
        ("Description", "text"),
        ("Quantity", "number"),
        ("Amount", "currency"),
    ]
    assert [row[:2] for row in tables({"Line Items": columns}, one)["Line Items"]] == [
        [None, "Bloedonderzoek"],
        [None, "Carprodyl, tabletten"],
        [None, "Ontwormingstablet"],
    ]


def test_a_table_without_a_header_may_have_columns_that_the_field_lacks() -> None:
    one = page(
        words(40, 100, "Trattoria da Nello"),
        line(140, (40, "3"), (70, "Coperto"), (-260, "10%"), (-330, "7,50")),
        line(156, (40, "1"), (70, "Zuppa di pesce"), (-260, "10%"), (-330, "13,00")),
        line(172, (40, "2"), (70, "Acqua naturale"), (-260, "22%"), (-330, "6,00")),
        line(200, (40, "Totale"), (-330, "26,50")),
    )
    columns = [("Quantità", "number"), ("Piatto", "text"), ("Importo", "currency")]
    assert tables({"Piatti": columns}, one)["Piatti"] == [
        [3, "Coperto", 7.5],
        [1, "Zuppa di pesce", 13],
        [2, "Acqua naturale", 6],
    ]


def columns_of(fields: list[tuple[str, str]], name: str, head: list[Word], *lines: list[Word]) -> list[Any]:
    """Return the names of the columns of a header by cell, None for a cell that is of none."""
    view = views_of(document(page(head, *lines))).pages[0]
    (table,) = parse_fields(
        [{"name": name, "type": "table", "columns": [{"name": n, "type": t} for n, t in fields]}]
    )
    top, *rows = [[list(segment.tokens) for segment in row.segments] for row in view.rows]
    header = Header(view, 0, 0, [HeadCell(tokens, tokens) for tokens in top], 1.0)
    context = TableContext(Locale("en", ".", True, None))
    match = match_columns(header, query_of(table), [dict(enumerate(row)) for row in rows], context, set())
    assert match is not None
    return [match.columns[i].name if i in match.columns else None for i in range(len(top))]


def test_the_name_of_the_table_above_numbers_is_no_head_of_texts() -> None:
    fields = [("Test", "text"), ("Level", "number"), ("Unit", "text")]
    head = line(150, (40, "Sysmex"), (-240, "Findings"), (300, "Unit"))
    row = line(166, (40, "Leucocytes"), (-240, "11.80"), (300, "G/L"))
    assert columns_of(fields, "Findings", head, row) == ["Test", "Level", "Unit"]


def test_a_head_with_a_word_of_one_name_is_of_that_column() -> None:
    fields = [("Item", "text"), ("Wolfram interval", "text"), ("Amount", "currency")]
    head = line(150, (40, "Item"), (200, "Remarks"), (300, "Values of wolfram"), (-560, "Amount"))
    row = line(166, (40, "Taxi"), (200, "late"), (300, "yes"), (-560, "7.20"))
    assert columns_of(fields, "Expenses", head, row) == ["Item", None, "Wolfram interval", "Amount"]


def test_rows_without_a_price_say_nothing_of_products() -> None:
    head = line(150, (40, "Item"), (-250, "Price"), (-350, "Quantity"), (-560, "VAT"))
    rows = (
        line(166, (40, "Bolts"), (-250, "0.50"), (-350, "10"), (-560, "5.00")),
        line(182, (40, "Gift"), (-250, "0.00"), (-350, "1"), (-560, "0.00")),
    )
    assert columns_of(ITEMS, "Items", head, *rows)[3] == "Amount"


def test_labels_of_rows_without_a_head_have_a_column_of_their_own() -> None:
    one = page(
        *LETTERHEAD,
        line(110, (57, "Built"), (198, "1908")),
        line(126, (57, "Owner"), (198, "J. Smith")),
        line(150, (269, "Insured sum"), (379, "Own risk"), (-539, "Premium")),
        line(166, (57, "House"), (269, "rebuilding"), (420, "–"), (499, "£"), (-539, "14.38")),
        line(182, (57, "Glass"), (269, "see house"), (420, "–"), (499, "£"), (-539, "2.05")),
        line(202, (340, "Total"), (499, "£"), (-539, "16.43")),
    )
    columns = [("Cover", "text"), ("Insured sum", "text"), ("Own risk", "currency"), ("Premium", "currency")]
    assert tables({"Covers": columns}, one)["Covers"] == [
        ["House", "rebuilding", None, 14.38],
        ["Glass", "see house", None, 2.05],
    ]


def test_a_head_that_names_its_column_keeps_it_whatever_the_products_say() -> None:
    head = line(150, (40, "Item"), (-230, "Zwuj"), (-330, "Quantity"), (-430, "Price"), (-560, "Amount"))
    rows = (
        line(166, (40, "Bolts"), (-230, "2"), (-330, "10"), (-430, "2.50"), (-560, "5.00")),
        line(182, (40, "Nuts"), (-230, "4"), (-330, "20"), (-430, "1.25"), (-560, "5.00")),
    )
    assert columns_of(ITEMS, "Items", head, *rows) == ["Item", None, "Quantity", "Unit Price", "Amount"]


GRADES = {"Grades": [("Subject", "text"), ("Grade", "number")]}


def test_tables_side_by_side_with_the_same_heads_are_one() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Subject"), (-280, "Grade"), (310, "Subject"), (-560, "Grade")),
        line(170, (40, "History"), (-280, "8"), (310, "Music"), (-560, "7")),
        line(190, (40, "Physics"), (-280, "9"), (310, "Sport"), (-560, "6")),
    )
    assert tables(GRADES, one)["Grades"] == [["History", 8], ["Physics", 9], ["Music", 7], ["Sport", 6]]


def test_tables_side_by_side_are_told_apart_by_the_lines_below_their_heads() -> None:
    rules = tuple(
        Rule(x / 600, y / 800, end / 600, y / 800) for x, end in ((40, 290), (310, 560)) for y in (148, 163)
    )
    one = page(
        *LETTERHEAD,
        line(150, (40, "Part"), (170, "Market"), (-290, "Assessed"), (310, "Zwuj"), (430, "Qarp"),
             (-560, "Amount")),
        line(166, (40, "Land"), (170, "48,200"), (-290, "16,870"), (310, "County"), (430, "2.41"),
             (-560, "185.65")),
        line(182, (40, "Buildings"), (170, "171,900"), (-290, "60,165"), (310, "Library"), (430, "1.96"),
             (-560, "151.14")),
        rules=rules,
    )  # fmt: skip
    columns = [("District", "text"), ("Mills", "number"), ("Amount", "currency")]
    assert tables({"Levies": columns}, one)["Levies"] == [
        ["County", 2.41, 185.65],
        ["Library", 1.96, 151.14],
    ]


def test_tables_side_by_side_are_told_apart_by_the_same_last_head_and_the_words_that_rows_begin_with() -> (
    None
):
    def wages(*third: str) -> list[Any]:
        one = page(
            *LETTERHEAD,
            line(150, (40, "Earnings"), (-280, "Amount"), (310, third[0]), (-560, "Amount")),
            line(170, (40, "Basic pay"), (-280, "210.00"), (310, third[1]), (-560, "28.60")),
            line(190, (40, "Overtime"), (-280, "60.00"), (310, third[2]), (-560, "12.40")),
        )
        columns = [("Description", "text"), ("Hours", "number"), ("Rate", "currency"), ("Amount", "currency")]
        return tables({"Earnings": columns}, one)["Earnings"]

    assert wages("Deductions", "Tax", "Pension") == [
        ["Basic pay", None, None, 210],
        ["Overtime", None, None, 60],
    ]
    assert [row[2] for row in wages("Rate", "1.20", "1.40")] == [1.2, 1.4]


def test_a_table_may_lack_most_columns_of_the_field_and_number_its_rows() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "#"), (70, "Delegate and registration type"), (-560, "Amount (S$)")),
        line(166, (40, "1"), (70, "Mr Rajesh Pillai"), (-560, "1,450.00")),
        line(182, (40, "2"), (70, "Ms Tan Bee Leng"), (-560, "1,450.00")),
        line(198, (70, "Group discount (3 or more delegates)"), (-560, "-176.00")),
    )
    columns = [("Description", "text"), ("Quantity", "number"), ("Unit", "text"), ("Unit Price", "currency"),
               ("Tax Rate", "number"), ("Amount", "currency")]  # fmt: skip
    rows = tables({"Line Items": columns}, one)["Line Items"]
    assert [row[:3] + row[5:] for row in rows] == [
        ["Mr Rajesh Pillai", None, None, 1450],
        ["Ms Tan Bee Leng", None, None, 1450],
        ["Group discount (3 or more delegates)", None, None, -176],
    ]


def test_of_two_tables_the_one_whose_names_a_header_has_gets_it() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Article"), (-250, "Pieces"), (-560, "Amount")),
        line(166, (40, "Oil filter"), (-250, "1"), (-560, "189.00")),
        line(182, (40, "Glow plug"), (-250, "4"), (-560, "1,708.00")),
        line(260, (40, "Labour"), (-250, "Hours"), (-560, "Amount")),
        line(276, (40, "Service"), (-250, "2.4"), (-560, "2,868.00")),
        line(292, (40, "New brakes"), (-250, "1.5"), (-560, "1,792.50")),
    )
    found = tables(
        {
            "Works": [("Description", "text"), ("Quantity", "number"), ("Amount", "currency")],
            "Parts": [("Article", "text"), ("Pieces", "number"), ("Amount", "currency")],
        },
        one,
    )
    assert [row[0] for row in found["Works"]] == ["Service", "New brakes"]
    assert [row[0] for row in found["Parts"]] == ["Oil filter", "Glow plug"]


def test_a_head_may_abbreviate_a_name() -> None:
    head = line(150, (40, "Zwuj"), (-250, "Thick."), (-400, "Len"), (-560, "Peso kg"))
    rows = (
        line(166, (40, "Oak"), (-250, "38"), (-400, "12.00"), (-560, "1.36")),
        line(182, (40, "Fir"), (-250, "44"), (-400, "10.50"), (-560, "1.82")),
    )
    columns = [("Wood", "text"), ("Length", "number"), ("kg", "number"), ("Thickness", "number")]
    assert columns_of(columns, "Logs", head, *rows) == ["Wood", "Thickness", "Length", "kg"]


def typed(x: float, y: float, text: str) -> list[Word]:
    """Return words in a font whose letters and spaces are equally wide."""
    return [word for i, part in _starts(text) for word in words(x + 5.0 * i, y, part)]


def _starts(text: str) -> list[tuple[int, str]]:
    return [(m.start(), m[0]) for m in re.finditer(r"\S+", text)]


def test_words_that_one_letter_parts_are_of_one_cell() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Code"), (100, "Description"), (-400, "Quantity"), (-560, "Amount")),
        [
            *typed(40, 166, "00 10"),
            *typed(100, 166, "Beef lean"),
            *line(166, (-400, "2"), (-560, "9.80")),
        ],
        [*typed(40, 182, "00 12"), *typed(100, 182, "Milk skim"), *line(182, (-400, "6"), (-560, "7.20"))],
    )
    columns = [("Code", "text"), ("Description", "text"), ("Quantity", "number"), ("Amount", "currency")]
    assert tables({"Items": columns}, one)["Items"] == [
        ["00 10", "Beef lean", 2, 9.8],
        ["00 12", "Milk skim", 6, 7.2],
    ]


def test_one_head_over_a_text_and_a_number_is_that_of_the_number() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Subject"), (-280, "Grade")),
        line(166, (40, "History"), (-262, "satisfactory"), (-280, "8")),
        line(182, (40, "Physics"), (-262, "very good"), (-280, "9")),
        line(198, (40, "Chemistry"), (-262, "exempted")),
        line(214, (40, "Music"), (-262, "satisfactory"), (-280, "8")),
    )
    columns = [("Subject", "text"), ("In words", "text"), ("Grade", "number")]
    assert tables({"Grades": columns}, one)["Grades"] == [
        ["History", "satisfactory", 8],
        ["Physics", "very good", 9],
        ["Chemistry", "exempted", None],
        ["Music", "satisfactory", 8],
    ]


def test_lines_between_two_drawn_lines_are_one_row() -> None:
    rules = tuple(Rule(40 / 600, y / 800, 560 / 600, y / 800) for y in (164, 198, 232))
    one = page(
        *LETTERHEAD,
        line(150, (40, "Parcel"), (200, "Addressee"), (-560, "Weight")),
        line(168, (40, "DA490 440")),
        line(175, (200, "Hotel Alba"), (-560, "7.88")),
        line(182, (40, "336 PT")),
        line(202, (40, "EE109 899")),
        line(209, (200, "John Smith"), (-560, "13.30")),
        line(216, (40, "355 PT")),
        rules=rules,
    )
    columns = [("Parcel", "text"), ("Addressee", "text"), ("Weight", "number")]
    assert tables({"Parcels": columns}, one)["Parcels"] == [
        ["DA490 440 336 PT", "Hotel Alba", 7.88],
        ["EE109 899 355 PT", "John Smith", 13.3],
    ]


def small(words_: list[Word]) -> list[Word]:
    """Return words printed four fifths as high."""
    return [replace(w, box=replace(w.box, height=0.8 * w.box.height)) for w in words_]


def test_a_line_in_smaller_print_below_a_text_is_a_note() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Item"), (-330, "Quantity"), (-430, "Unit Price"), (-560, "Amount")),
        line(170, (40, "Team plan"), (-330, "2"), (-430, "12.00"), (-560, "24.00")),
        small(line(181, (40, "unlimited boards"))),
        line(196, (40, "Guest access for"), (-330, "3"), (-430, "3.50"), (-560, "10.50")),
        line(207, (40, "three months")),
    )
    assert [row[0] for row in tables({"Items": ITEMS}, one)["Items"]] == [
        "Team plan",
        "Guest access for three months",
    ]


def test_the_rows_of_a_table_are_not_those_of_another_one() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Item"), (-330, "Quantity"), (-430, "Unit Price"), (-560, "Amount")),
        line(166, (40, "Bolts"), (-330, "2"), (-430, "1.25"), (-560, "2.50")),
        line(182, (40, "Nuts"), (-330, "4"), (-430, "1.25"), (-560, "5.00")),
    )
    found = tables({"Items": ITEMS, "Calls": [("Called", "text"), ("Charge", "currency")]}, one)
    assert len(found["Items"]) == 2
    assert found["Calls"] == []


def test_columns_below_one_head_are_told_apart_by_the_heads_below_it() -> None:
    one = page(
        *LETTERHEAD,
        line(140, (230, "meter reading of the year")),
        line(151, (40, "Meter"), (230, "previous"), (325, "current"), (-560, "Consumption")),
        line(167, (40, "48221907"), (-270, "612"), (-380, "641"), (-560, "29")),
        line(183, (40, "48221908"), (-270, "641"), (-380, "668"), (-560, "27")),
    )
    columns = [("Meter", "text"), ("Before", "number"), ("Now", "number"), ("Consumption", "number")]
    assert tables({"Readings": columns}, one)["Readings"] == [
        ["48221907", 612, 641, 29],
        ["48221908", 641, 668, 27],
    ]


def test_heads_close_to_each_other_are_two_if_the_lines_below_have_texts_below_either() -> None:
    def row(y: float, name: str, code: str, *amounts: str) -> list[list[Word]]:
        cells = [(x, amount) for x, amount in zip((-330, -420, -560), amounts, strict=True)]
        return [line(y, (104, name)), line(y + 6, (40, code), *cells)]

    one = page(
        *LETTERHEAD,
        line(150, (40, "Product code"), (104, "Name"), (-330, "Quantity"), (-420, "Price"), (-560, "Amount")),
        *row(166, "Oak board", "5987854125", "2", "30.00", "60.00"),
        *row(190, "Steel hinge", "5987854126", "3", "10.00", "30.00"),
        *row(214, "Brass screw", "5987854127", "5", "1.00", "5.00"),
    )
    columns = [("Name", "text"), ("Quantity", "number"), ("Amount", "currency")]
    assert tables({"Items": columns}, one)["Items"] == [
        ["Oak board", 2, 60],
        ["Steel hinge", 3, 30],
        ["Brass screw", 5, 5],
    ]


def test_a_line_of_heads_is_part_of_one_header() -> None:
    heads = [line(150 + 11 * n, (40, "Product"), (-340, "Quantity"), (-560, "Amount")) for n in range(6)]
    view = views_of(document(page(*LETTERHEAD, *heads))).pages[0]
    found = find_headers(view, ["product", "quantity", "amount"])
    rows = [row for header in found for row in range(header.first_row, header.last_row + 1)]
    assert len(found) == 2 and rows == sorted(set(rows))


def test_dates_with_a_weekday_and_without_a_year_are_of_the_last_date() -> None:
    rules = tuple(Rule(40 / 600, y / 800, 560 / 600, y / 800) for y in (164, 180, 196, 212))
    fields = [
        {"name": "Signed on", "type": "date"},
        {
            "name": "Days",
            "type": "table",
            "columns": [
                {"name": "Day", "type": "date"},
                {"name": "From", "type": "text"},
                {"name": "Hours", "type": "number"},
            ],
        },
    ]
    one = page(
        *LETTERHEAD,
        line(110, (40, "Signed on:"), (120, "23 September 2024")),
        line(150, (40, "Day"), (200, "From"), (-560, "Hours")),
        line(167, (40, "Mo 16-9"), (200, "06:00"), (-560, "8.00")),
        line(183, (40, "Tu 17-9"), (200, "07:00"), (-560, "7.50")),
        rules=rules,
    )
    found = extract_document(document(one), parse_fields(fields)).data
    assert [row["Day"] for row in found["Days"]] == ["2024-09-16", "2024-09-17"]


TRIPS = [("Vehicle", "text"), ("Place", "text"), ("Litres", "number"), ("Amount", "currency")]
TRIP_HEAD = line(150, (40, "Place"), (-350, "Litres"), (-560, "Amount"))


def test_a_heading_of_rows_is_the_value_of_the_column_without_a_head() -> None:
    one = page(
        *LETTERHEAD,
        TRIP_HEAD,
        line(166, (40, "Vehicle AB-17 - J. Smith")),
        line(182, (40, "Leeds"), (-350, "31.5"), (-560, "47.25")),
        line(198, (40, "Hull"), (-350, "12.0"), (-560, "18.00")),
        line(214, (-350, "subtotal"), (-560, "65.25")),
        line(230, (40, "Vehicle CD-90 - K. Brown")),
        line(246, (40, "York"), (-350, "40.1"), (-560, "60.15")),
    )
    assert tables({"Trips": TRIPS}, one)["Trips"] == [
        ["AB-17", "Leeds", 31.5, 47.25],
        ["AB-17", "Hull", 12, 18],
        ["CD-90", "York", 40.1, 60.15],
    ]


def test_tables_with_the_same_heads_are_one_if_no_other_field_is_a_table() -> None:
    one = page(
        *LETTERHEAD,
        line(138, (40, "AB-17")),
        TRIP_HEAD,
        line(166, (40, "Leeds"), (-350, "31.5"), (-560, "47.25")),
        line(182, (40, "Hull"), (-350, "12.0"), (-560, "18.00")),
        line(238, (40, "CD-90")),
        line(250, (40, "Place"), (-350, "Litres"), (-560, "Amount")),
        line(266, (40, "York"), (-350, "40.1"), (-560, "60.15")),
        line(282, (40, "Ripon"), (-350, "20.0"), (-560, "30.00")),
    )
    assert [row[:2] for row in tables({"Trips": TRIPS}, one)["Trips"]] == [
        ["AB-17", "Leeds"],
        ["AB-17", "Hull"],
        ["CD-90", "York"],
        ["CD-90", "Ripon"],
    ]


def test_a_line_left_of_the_rows_below_is_no_part_of_their_text() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Item"), (-350, "Quantity"), (-560, "Amount")),
        line(166, (50, "Cupboard"), (-350, "2"), (-560, "80.00")),
        line(182, (50, "Shelf"), (-350, "3"), (-560, "45.00")),
        line(192, (45, "Bathroom")),
        line(208, (50, "Mirror"), (-350, "1"), (-560, "35.00")),
    )
    columns = [("Item", "text"), ("Quantity", "number"), ("Amount", "currency")]
    assert tables({"Items": columns}, one)["Items"] == [
        ["Cupboard", 2, 80],
        ["Shelf", 3, 45],
        ["Mirror", 1, 35],
    ]


def test_as_many_heads_as_columns_are_in_their_order() -> None:
    fields = [("Code", "text"), ("Variety", "text"), ("Pieces", "number"), ("Price", "currency")]
    head = line(150, (40, "artnr"), (150, "Variety"), (-400, "count"), (-560, "per piece"))
    rows = (
        line(166, (40, "WP 118"), (150, "Rodelika"), (-400, "4"), (-560, "31.40")),
        line(182, (40, "RB 020"), (150, "Boldor"), (-400, "3"), (-560, "18.75")),
    )
    assert columns_of(fields, "Seeds", head, *rows) == ["Code", "Variety", "Pieces", "Price"]


def test_borders_printed_as_characters_are_no_words() -> None:
    one = page(
        *LETTERHEAD,
        words(40, 150, "| Invoice | Dated      | Gross     | Paid      |"),
        words(40, 166, "| SVC-17  | 2025-01-08 |  8,845.00 |  8,836.15 |"),
        words(40, 182, "| SVC-18  | 2025-01-17 | 12,453.00 | 12,440.54 |"),
    )
    columns = [("Invoice", "text"), ("Date", "date"), ("Gross", "currency"), ("Paid", "currency")]
    assert tables({"Invoices": columns}, one)["Invoices"] == [
        ["SVC-17", "2025-01-08", 8845, 8836.15],
        ["SVC-18", "2025-01-17", 12453, 12440.54],
    ]


def test_a_line_beside_the_drawn_line_of_the_heads_is_no_head() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (30, "Villa"), (269, "Insured sum"), (379, "Own risk"), (-539, "Premium")),
        line(166, (30, "Flat"), (150, "House"), (269, "1.350.000"), (379, "2000"), (-539, "218.40")),
        line(182, (30, "Co-op"), (150, "Glass"), (269, "unlimited"), (379, "1000"), (-539, "31.20")),
        line(198, (30, "Size"), (150, "Bicycle"), (269, "18.000"), (379, "750"), (-539, "84.60")),
        rules=(Rule(150 / 600, 164 / 800, 540 / 600, 164 / 800),),
    )
    columns = [("Cover", "text"), ("Sum", "text"), ("Excess", "currency"), ("Price", "currency")]
    assert tables({"Covers": columns}, one)["Covers"] == [
        ["House", "1.350.000", 2000, 218.4],
        ["Glass", "unlimited", 1000, 31.2],
        ["Bicycle", "18.000", 750, 84.6],
    ]


def test_empty_cells_may_be_printed_as_dashes() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Invoice"), (-300, "Gross"), (-430, "Deductions"), (-560, "Paid")),
        line(166, (40, "SVC-17"), (-300, "845.00"), (-430, "-"), (-560, "845.00")),
        line(182, (40, "SVC-18"), (-300, "453.00"), (-430, "-"), (-560, "453.00")),
        line(198, (40, "SVC-19"), (-300, "672.00"), (-430, "18.00"), (-560, "654.00")),
    )
    columns = [(name, "currency") for name in ("Gross", "Deductions", "Paid")]
    assert tables({"Invoices": [("Invoice", "text"), *columns]}, one)["Invoices"] == [
        ["SVC-17", 845, None, 845],
        ["SVC-18", 453, None, 453],
        ["SVC-19", 672, 18, 654],
    ]


def test_codes_in_brackets_are_of_the_column_whose_name_announces_them() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Description"), (-560, "Amount")),
        line(166, (40, "Expert (KV 9005)"), (-560, "1,184.30")),
        line(182, (40, "Delivery (KV 9002)"), (-560, "38.50")),
    )
    columns = [("Description", "text"), ("KV no.", "text"), ("Amount", "currency")]
    assert tables({"Costs": columns}, one)["Costs"] == [
        ["Expert", "9005", 1184.3],
        ["Delivery", "9002", 38.5],
    ]


def test_a_number_of_many_digits_is_a_code_and_no_quantity() -> None:
    one = page(
        *LETTERHEAD,
        *(
            line(150 + 16 * n, (40, text), (-280, count), (-400, code), (-560, weight))
            for n, (text, count, code, weight) in enumerate(
                (
                    ("Tiles, grey", "22", "69072100", "23.5"),
                    ("Grout", "40", "32149000", "12.5"),
                    ("Sample", "3", "69072100", "4.2"),
                )
            )
        ),
    )
    columns = [("Description", "text"), ("HS code", "text"), ("Packages", "number"), ("Gross", "number")]
    found = tables({"Goods": columns}, one)["Goods"]
    assert [row[1:3] for row in found] == [["69072100", 22], ["32149000", 40], ["69072100", 3]]


def test_a_date_before_a_time_has_no_year() -> None:
    date_query = query_of(parse_fields([{"name": "Date", "type": "date"}])[0])
    tokens = views_of(document(page(words(40, 40, "14.04. 12:38")))).pages[0].rows[0].tokens
    value = read_cell(
        date_query, tokens, TableContext(Locale("ro", ",", True, None), None, date(2025, 4, 16))
    )
    assert value is not None and value[0] == "2025-04-14"


def test_heads_that_are_one_letter_apart_are_two_where_letters_are_equally_wide() -> None:
    one = page(
        *LETTERHEAD,
        typed(40, 150, "Pos Code     Description                  Qty Unit      Price     Amount"),
        typed(40, 164, "  1 EL-10442 Cable 3x2.5 450/750V, 100 m   12 pcs      289.00   3,468.00"),
        typed(40, 178, "  2 EL-20817 Breaker B16 1P                60 pcs       11.45     687.00"),
        typed(40, 192, "  3 EL-31005 Conduit                      250 m          1.18     295.00"),
    )
    columns = [
        ("Code", "text"), ("Description", "text"), ("Qty", "number"), ("Unit", "text"),
        ("Amount", "currency"),
    ]  # fmt: skip
    assert tables({"Goods": columns}, one)["Goods"] == [
        ["EL-10442", "Cable 3x2.5 450/750V, 100 m", 12, "pcs", 3468],
        ["EL-20817", "Breaker B16 1P", 60, "pcs", 687],
        ["EL-31005", "Conduit", 250, "m", 295],
    ]


def test_groups_without_a_head_are_the_outer_column_and_a_deduction_that_is_summed_is_a_row() -> None:
    one = page(
        *LETTERHEAD,
        line(150, (40, "Subscriptions")),
        line(164, (50, "Fibre 1000"), (-560, "45.08")),
        line(178, (50, "Modem rental"), (-560, "8.20")),
        line(192, (50, "Total subscriptions"), (-560, "53.28")),
        line(214, (40, "Other amounts")),
        line(228, (50, "Collection fee"), (-560, "1.64")),
        line(242, (50, "Discount"), (-560, "-6.56")),
        line(256, (50, "Total other amounts"), (-560, "-4.92")),
        line(280, (40, "Total"), (-560, "48.36")),
    )
    columns = [("Group", "text"), ("Entry", "text"), ("Amount", "currency")]
    assert tables({"Entries": columns}, one)["Entries"] == [
        ["Subscriptions", "Fibre 1000", 45.08],
        ["Subscriptions", "Modem rental", 8.2],
        ["Other amounts", "Collection fee", 1.64],
        ["Other amounts", "Discount", -6.56],
    ]
