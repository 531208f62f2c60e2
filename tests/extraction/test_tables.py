from __future__ import annotations

from typing import Any

from docduck.documents.model import Word
from docduck.extraction.engine import ExtractOptions, extract_document
from docduck.extraction.options import TableMode
from docduck.fields import parse_fields
from tests.extraction.pages import document, page, right, text_document, words

COLUMNS = [
    {"name": "Description"},
    {"name": "Quantity", "type": "number"},
    {"name": "Unit Price", "type": "currency"},
    {"name": "Amount", "type": "currency"},
]
FIELDS = parse_fields([{"name": "Items", "type": "table", "columns": COLUMNS}])


def header(y: float) -> list[Word]:
    return [
        *words(40, y, "Description"),
        *right(350, y, "Qty"),
        *right(450, y, "Price"),
        *right(560, y, "Amount"),
    ]


def row(y: float, text: str, quantity: str, price: str, amount: str) -> list[Word]:
    return [*words(40, y, text), *right(350, y, quantity), *right(450, y, price), *right(560, y, amount)]


def rows_of(*pages: Any, tables: TableMode = "auto") -> list[list[Any]]:
    found = extract_document(document(*pages), FIELDS, ExtractOptions(tables=tables)).data["Items"]
    return [list(r.values()) for r in found]


def test_rows_under_a_header_to_the_totals() -> None:
    one = page(
        header(100),
        row(120, "Bolts M8", "10", "0.50", "5.00"),
        row(140, "Nuts M8", "20", "0.25", "5.00"),
        words(400, 170, "Subtotal"), right(560, 170, "10.00"),
        words(400, 185, "VAT 20%"), right(560, 185, "2.00"),
        words(400, 200, "Total"), right(560, 200, "12.00"),
    )  # fmt: skip
    assert rows_of(one) == [["Bolts M8", 10, 0.5, 5], ["Nuts M8", 20, 0.25, 5]]
    assert rows_of(one, tables="disabled") == []


def test_wrapped_descriptions_join_their_row() -> None:
    one = page(
        header(100),
        row(120, "Steel cabinet with two", "1", "90.00", "90.00"),
        words(40, 131, "doors and a lock"),
        row(150, "Shelf", "2", "5.00", "10.00"),
    )
    assert [r[0] for r in rows_of(one)] == ["Steel cabinet with two doors and a lock", "Shelf"]


def test_details_and_section_headings_do_not() -> None:
    one = page(
        header(100),
        row(120, "Steel cabinet", "1", "90.00", "90.00"),
        words(40, 131, "• Colour: grey"),
        words(40, 142, "Serial no: 4711-9"),
        words(40, 180, "Second floor"),
        row(200, "Shelf", "2", "5.00", "10.00"),
    )
    assert [r[0] for r in rows_of(one)] == ["Steel cabinet", "Shelf"]


def test_a_page_break_with_the_header_repeated_and_a_sum_carried_over() -> None:
    first = page(
        header(100),
        row(120, "Bolts", "10", "0.50", "5.00"),
        words(400, 760, "Carried forward"), right(560, 760, "5.00"),
    )  # fmt: skip
    second = page(
        header(60),
        words(400, 80, "Brought forward"), right(560, 80, "5.00"),
        row(100, "Nuts", "4", "1.00", "4.00"),
        words(400, 130, "Total"), right(560, 130, "9.00"),
        number=2,
    )  # fmt: skip
    assert [r[0] for r in rows_of(first, second)] == ["Bolts", "Nuts"]


def test_a_page_break_without_a_header() -> None:
    first = page(header(100), row(700, "Bolts", "10", "0.50", "5.00"))
    second = page(
        row(60, "Nuts", "4", "1.00", "4.00"), words(400, 90, "Total"), right(560, 90, "9.00"), number=2
    )
    assert [r[0] for r in rows_of(first, second)] == ["Bolts", "Nuts"]


def test_a_header_over_two_lines() -> None:
    one = page(
        words(40, 100, "Désignation"), right(350, 100, "Quantité"), right(450, 100, "Prix"),
        right(560, 100, "Montant"), right(450, 111, "unitaire"), right(560, 111, "HT"),
        row(130, "Chaise en bois", "4", "1 250,00", "5 000,00"),
    )  # fmt: skip
    assert rows_of(one) == [["Chaise en bois", 4, 1250, 5000]]


def test_quantity_and_unit_in_one_cell() -> None:
    columns = [*COLUMNS, {"name": "Unit"}]
    fields = parse_fields([{"name": "Items", "type": "table", "columns": columns}])
    one = page(
        words(40, 100, "Bezeichnung"), right(350, 100, "Menge"), right(450, 100, "Einzelpreis"),
        right(560, 100, "Gesamt"),
        row(120, "Äpfel", "2,5 kg", "2,00", "5,00"),
    )  # fmt: skip
    (found,) = extract_document(document(one), fields).data["Items"]
    assert found == {"Description": "Äpfel", "Quantity": 2.5, "Unit Price": 2, "Amount": 5, "Unit": "kg"}


def test_a_price_after_discount_on_a_further_line_is_taken_when_the_product_says_so() -> None:
    one = page(
        header(100),
        row(120, "Screws", "5", "20.00", "90.00"),
        right(450, 131, "- 2.00"),
        right(450, 142, "= 18.00"),
        row(165, "Brackets", "3", "15.00", "45.00"),
    )
    assert rows_of(one) == [["Screws", 5, 18, 90], ["Brackets", 3, 15, 45]]


def test_running_numbers_without_a_column_are_taken_off() -> None:
    one = page(header(100), row(120, "1 Bolts", "1", "5.00", "5.00"), row(140, "2 Nuts", "1", "4.00", "4.00"))
    assert [r[0] for r in rows_of(one)] == ["Bolts", "Nuts"]


def test_a_receipt_has_no_header() -> None:
    receipt = text_document(
        "Corner Shop",
        "Fountain pen                        24.00",
        "Notebook A5                         17.00",
        "   2 x 8.50",
        "Total                               41.00",
        "Card                                41.00",
    )
    found = extract_document(receipt, FIELDS).data["Items"]
    assert [list(r.values()) for r in found] == [
        ["Fountain pen", None, None, 24],
        ["Notebook A5", 2, 8.5, 17],
    ]


def test_rows_that_do_not_multiply_are_told() -> None:
    one = page(header(100), row(120, "Bolts", "10", "0.50", "6.00"))
    (entry,) = extract_document(document(one), FIELDS).field_metadata["Items"]
    assert [e["rule"] for e in entry["Amount"]["validation"]] == ["quantity_times_price"]


def test_rows_that_do_not_sum_to_the_net_total_are_told() -> None:
    fields = [*FIELDS, *parse_fields([{"name": "Net Total", "type": "currency"}])]
    one = page(
        header(100),
        row(120, "Bolts", "10", "0.50", "5.00"),
        words(400, 150, "Net total"),
        right(560, 150, "7.00"),
    )
    found = extract_document(document(one), fields)
    assert found.data["Net Total"] == 7
    assert [e["rule"] for e in found.field_metadata["Net Total"]["validation"]] == ["sum_of_rows"]


def test_dates_without_a_year_take_it_from_the_period() -> None:
    fields = parse_fields(
        [
            {"name": "Period Start", "type": "date"},
            {"name": "Period End", "type": "date"},
            {
                "name": "Transactions",
                "type": "table",
                "columns": [
                    {"name": "Date", "type": "date"},
                    {"name": "Description"},
                    {"name": "Amount", "type": "currency"},
                ],
            },
        ]
    )  # fmt: skip
    one = page(
        words(40, 60, "Zeitraum: 15.12.2023 bis 14.01.2024"),
        words(40, 100, "Datum"), words(140, 100, "Buchungstext"), right(560, 100, "Betrag"),
        words(40, 120, "20.12."), words(140, 120, "Miete"), right(560, 120, "-700,00"),
        words(40, 140, "03.01."), words(140, 140, "Gehalt"), right(560, 140, "2.100,00"),
    )  # fmt: skip
    found = extract_document(document(one), fields).data
    assert (found["Period Start"], found["Period End"]) == ("2023-12-15", "2024-01-14")
    assert [list(r.values()) for r in found["Transactions"]] == [
        ["2023-12-20", "Miete", -700],
        ["2024-01-03", "Gehalt", 2100],
    ]
