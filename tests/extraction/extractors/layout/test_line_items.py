from __future__ import annotations

from typing import Any

from docduck.documents.document import Rule, Word
from docduck.extraction.options import TableMode
from docduck.extraction.run_extractors import ExtractOptions, extract_document
from docduck.fields import parse_fields
from tests.extraction.pages import HEIGHT, WIDTH, document, page, right, words

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


def test_rows_between_header_and_totals() -> None:
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


def test_details_and_section_headings_are_excluded() -> None:
    one = page(
        header(100),
        row(120, "Steel cabinet", "1", "90.00", "90.00"),
        words(40, 131, "• Colour: grey"),
        words(40, 142, "Serial no: 4711-9"),
        words(40, 180, "Second floor"),
        row(200, "Shelf", "2", "5.00", "10.00"),
    )
    assert [r[0] for r in rows_of(one)] == ["Steel cabinet", "Shelf"]


def test_page_break_with_repeated_header_and_carried_over_sum() -> None:
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


def test_header_over_two_lines() -> None:
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


def test_discounted_price_is_confirmed_by_product() -> None:
    one = page(
        header(100),
        row(120, "Screws", "5", "20.00", "90.00"),
        right(450, 131, "- 2.00"),
        right(450, 142, "= 18.00"),
        row(165, "Brackets", "3", "15.00", "45.00"),
    )
    assert rows_of(one) == [["Screws", 5, 18, 90], ["Brackets", 3, 15, 45]]


def test_running_numbers_are_removed_from_descriptions() -> None:
    one = page(header(100), row(120, "1 Bolts", "1", "5.00", "5.00"), row(140, "2 Nuts", "1", "4.00", "4.00"))
    assert [r[0] for r in rows_of(one)] == ["Bolts", "Nuts"]


def test_product_mismatch_is_reported() -> None:
    one = page(header(100), row(120, "Bolts", "10", "0.50", "6.00"))
    (entry,) = extract_document(document(one), FIELDS).field_metadata["Items"]
    assert [e["rule"] for e in entry["Amount"]["validation"]] == ["quantity_times_price"]


def test_sum_mismatch_is_reported() -> None:
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


def items(columns: list[dict[str, str]], *pages: Any) -> list[list[Any]]:
    fields = parse_fields([{"name": "Items", "type": "table", "columns": columns}])
    return [list(r.values()) for r in extract_document(document(*pages), fields).data["Items"]]


def test_allowances_are_not_rows() -> None:
    one = page(
        header(100),
        row(120, "Bolts", "10", "0.50", "5.00"),
        words(40, 140, "Rabatt: Treue"), words(280, 140, "5,00% von 100"), right(560, 140, "-5.00"),
        words(40, 160, "Zuschlag : Fracht"), right(560, 160, "1.00"),
    )  # fmt: skip
    assert rows_of(one) == [["Bolts", 10, 0.5, 5]]


def test_centred_cells_beside_two_line_description() -> None:
    one = page(
        header(100),
        words(40, 120, "Steel cabinet with two"), right(350, 125, "1"), right(450, 125, "90.00"),
        right(560, 125, "90.00"), words(40, 131, "doors and a lock"),
        words(40, 150, "Garden chair made"), right(350, 155, "4"), right(450, 155, "10.00"),
        right(560, 155, "40.00"), words(40, 161, "of old oak"),
    )  # fmt: skip
    assert [r[0] for r in rows_of(one)] == [
        "Steel cabinet with two doors and a lock",
        "Garden chair made of old oak",
    ]


def test_amount_one_line_below_its_row() -> None:
    one = page(
        header(100),
        words(40, 120, "Motor insurance"), right(350, 120, "1"), right(450, 120, "80.00"),
        right(560, 131, "80.00"),
        words(40, 142, "Insurance tax included: 12.77"),
        words(40, 250, "Glass insurance"), right(350, 250, "1"), right(450, 250, "40.00"),
        right(560, 261, "40.00"),
    )  # fmt: skip
    assert rows_of(one) == [["Motor insurance", 1, 80, 80], ["Glass insurance", 1, 40, 40]]


def test_description_excludes_price_base() -> None:
    one = page(
        header(100),
        row(120, "Brackets (3 kg)", "9", "15.00", "45.00"),
        row(140, "Paper (500 St)", "2", "4.00", "8.00"),
    )
    assert [r[0] for r in rows_of(one)] == ["Brackets", "Paper (500 St)"]


def test_code_glued_to_description_is_separated() -> None:
    columns = [{"name": "SKU"}, {"name": "Description"}, {"name": "Amount", "type": "currency"}]
    one = page(
        words(40, 100, "Artikelnummer"), words(152, 100, "Bezeichnung"), right(560, 100, "Betrag"),
        words(85, 120, "4123456000014Zitronensäure 100ml"), right(560, 120, "100.00"),
        words(85, 140, "2001015001325Leergutpfand"), right(560, 140, "95.00"),
        rules=(Rule(149 / WIDTH, 95 / HEIGHT, 149 / WIDTH, 155 / HEIGHT),),
    )  # fmt: skip
    assert items(columns, one) == [
        ["4123456000014", "Zitronensäure 100ml", 100],
        ["2001015001325", "Leergutpfand", 95],
    ]


def test_merged_header_labels_over_several_lines() -> None:
    columns = [{"name": "Description"}, *COLUMNS[1:]]
    one = page(
        words(40, 100, "Pos Art-Nr-Kunde Beschreibung"), right(350, 100, "Menge"),
        right(450, 100, "Nettopreis"), right(560, 100, "Betrag"), words(58, 111, "Art-Nr-Lief."),
        words(40, 130, "1"), words(125, 130, "Haftpflicht"), right(350, 130, "1"), right(450, 130, "59.50"),
        right(560, 130, "59.50"),
        words(40, 150, "2"), words(125, 150, "Zusatzschutz"), right(350, 150, "1"), right(450, 150, "0.00"),
        right(560, 150, "0.00"), words(125, 161, "zur Haftpflicht"),
    )  # fmt: skip
    assert items(columns, one) == [["Haftpflicht", 1, 59.5, 59.5], ["Zusatzschutz zur Haftpflicht", 1, 0, 0]]


def test_unknown_column_by_products() -> None:
    one = page(
        words(40, 100, "Description"), right(350, 100, "Qty"), right(450, 100, "Zwuj"),
        right(560, 100, "Amount"), row(120, "Bolts", "10", "0.50", "5.00"),
        row(140, "Nuts", "4", "1.25", "5.00"), row(160, "Rods", "3", "7.00", "21.00"),
    )  # fmt: skip
    assert [r[2] for r in rows_of(one)] == [0.5, 1.25, 7]
