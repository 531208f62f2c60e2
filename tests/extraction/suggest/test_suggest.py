from __future__ import annotations

from pathlib import Path

import pytest

from docduck import samples
from docduck.documents.document import Box, Cell, Document, Grid
from docduck.documents.reader import read
from docduck.extraction.normal_text import key
from docduck.extraction.page.locale import Locale
from docduck.extraction.run_extractors import extract_document
from docduck.extraction.suggest.naming import Names, cleaned, is_name
from docduck.extraction.suggest.suggester import read_suggestions
from docduck.extraction.suggest.types import type_of, type_of_column
from docduck.fields import Field, FieldType, parse_fields
from tests.extraction.pages import document, page, right, text_document, words

ENGLISH, GERMAN = Locale("en", ".", True, None), Locale("de", ",", True, None)


def invoice() -> Document:
    lines = [
        "Nordwind Handel GmbH", "Hafenstr. 4", "20457 Hamburg", "",
        "Rechnungsnummer: RE-2024-17", "Rechnungsdatum: 03.04.2024", "Lieblingsfarbe: Blau",
        "Schiffe im Hafen: 12", "Anker gelichtet: ja", "Liegegeld: 1.234,50 €", "",
    ]  # fmt: skip
    placed = [words(40, 40 + 14 * row, line) for row, line in enumerate(lines) if line]
    header = ["Bezeichnung", "Menge", "Einzelpreis", "Gesamt"]
    rows = [["Tau aus Hanf", "2", "20,00", "40,00"], ["Anker", "1", "60,00", "60,00"]]
    for number, cells in enumerate([header, *rows]):
        y = 220 + 14 * number
        placed += [words(40, y, cells[0])] + [
            right(edge, y, cell) for edge, cell in zip((300, 400, 500), cells[1:], strict=True)
        ]
    placed += [words(300, 280, "Gesamtbetrag"), right(500, 280, "119,00 €")]
    return document(page(*placed))


def suggest_fields(sample: Document) -> list[Field]:
    return list(read_suggestions(sample).fields)


def by_name(fields: list[Field]) -> dict[str, Field]:
    return {field.name: field for field in fields}


def test_what_is_suggested_is_called_as_it_is_printed() -> None:
    found = by_name(suggest_fields(invoice()))
    types = {name: field.type.value for name, field in found.items()}
    assert (
        types.items()
        >= {
            "Rechnungsnummer": "text",
            "Rechnungsdatum": "date",
            "Gesamtbetrag": "currency",
            "Lieblingsfarbe": "text",
            "Schiffe im Hafen": "number",
            "Anker gelichtet": "boolean",
            "Liegegeld": "currency",
            "Line Items": "table",
        }.items()
    )
    columns = {column.name: column.type.value for column in found["Line Items"].columns}
    assert columns == {
        "Bezeichnung": "text", "Menge": "number", "Einzelpreis": "currency", "Gesamt": "currency",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["invoices/CR-58213.pdf", "invoices/Facture F2024-0317.pdf"])
def test_every_field_and_column_is_printed_on_the_sample(name: str) -> None:
    data = (Path(samples.__file__).parent / name).read_bytes()
    sample = read(data, name)
    printed = key(sample.text)
    found = suggest_fields(sample)
    names = [field.name for field in found if field.type is not FieldType.TABLE]
    names += [column.name for field in found for column in field.columns]
    assert len(names) > 15
    assert [one for one in names if key(one) not in printed] == []


def test_a_title_is_no_label_of_what_is_elsewhere() -> None:
    lines = [words(40, 40, "RECHNUNG"), words(40, 300, "Rechnungsnummer: RE-2024-17")]
    assert [field.name for field in suggest_fields(document(page(*lines)))] == ["Rechnungsnummer"]


def test_a_label_that_may_mean_several_things_has_a_type_that_fits_its_value() -> None:
    lines = [
        words(40, 40, "Invoice #"),
        words(200, 40, "Due Date"),
        words(40, 54, "CR-58213"),
        words(200, 54, "09/04/2024"),
    ]
    found = {field.name: field.type.value for field in suggest_fields(document(page(*lines)))}
    assert found == {"Invoice": "text", "Due Date": "date"}


def test_what_is_suggested_is_found() -> None:
    sample = invoice()
    fields = suggest_fields(sample)
    assert parse_fields([field.model_dump(mode="json") for field in fields]) == fields
    assert [field.position for field in fields] == list(range(len(fields)))
    data = extract_document(sample, fields).data
    assert all(value not in (None, []) for value in data.values())
    assert (data["Rechnungsnummer"], data["Rechnungsdatum"]) == ("RE-2024-17", "2024-04-03")
    assert data["Gesamtbetrag"] == 119
    assert (data["Liegegeld"], data["Anker gelichtet"], data["Schiffe im Hafen"]) == (1234.5, True, 12)
    assert [row["Gesamt"] for row in data["Line Items"]] == [40, 60]


def test_tables_come_last_and_fields_as_the_page_has_them() -> None:
    names = [field.name for field in suggest_fields(invoice())]
    assert names[-1] == "Line Items"
    assert names.index("Rechnungsnummer") < names.index("Lieblingsfarbe") < names.index("Gesamtbetrag")


def test_a_table_of_the_format_is_taken_as_it_is() -> None:
    texts = [["Ship", "Built", "Tons"], ["Aurora", "03.04.1999", "1200"], ["Boreas", "05.06.2001", "900"]]
    placed, rows = [], []
    for number, texts_of_row in enumerate(texts):
        y = 100 + 20 * number
        placed += [words(40 + 150 * column, y, text) for column, text in enumerate(texts_of_row)]
        rows.append(
            tuple(
                Cell(text, Box((40 + 150 * column) / 600, y / 800, 0.2, 0.02), header=number == 0)
                for column, text in enumerate(texts_of_row)
            )
        )
    sheet = page(*placed)
    sheet.grids = [Grid(tuple(rows), Box(0.05, 0.12, 0.9, 0.1))]
    (table,) = [f for f in suggest_fields(document(sheet)) if f.type is FieldType.TABLE]
    assert [(c.name, c.type.value) for c in table.columns] == [
        ("Ship", "text"), ("Built", "date"), ("Tons", "number"),
    ]  # fmt: skip


def test_labels_over_their_values_and_beside_them_are_suggested_without_a_colon() -> None:
    placed = [words(40, 40, "The Gannet")]
    for y, texts in enumerate([("Guest", "Room", "Arrival"), ("Dr Hanneke Vos", "214", "12-Aug-24")]):
        placed += [words(40 + 160 * x, 80 + 14 * y, text) for x, text in enumerate(texts)]
    for y, (label, value) in enumerate([("Property", "Harbour Terrace"), ("Folio", "F 20931")]):
        placed += [words(40, 140 + 16 * y, label), words(200, 140 + 16 * y, value)]
    found = {field.name: field.type.value for field in suggest_fields(document(page(*placed)))}
    assert found.items() >= {"Guest": "text", "Room": "number", "Arrival": "date", "Folio": "text"}.items()


def test_what_nobody_would_call_a_field_is_not_suggested() -> None:
    sample = text_document(
        "Invoice Number: RE-2024-17",
        "Main: (503) 644-3232",
        "Tel: (317) 296-3099",
        "PO Box: 742980",
        "Printed on 04/16/2020 at 12:25 PM",
        "www.example.com: shop",
        "J. Pemberton: 19 August 2024",
        "Su 8:00 PM",
        "to: 29 February 2024",
        "ab: 7",
    )
    assert [field.name for field in suggest_fields(sample)] == ["Invoice Number"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Invoice Number", True),
        ("Lieblingsfarbe", True),
        ("21% btw", True),
        ("Fox 9 AM News", False),
        ("M-Th 11", False),
        ("Printed on 04/16/2020 at 12", False),
        ("Attention: Accounts", False),
        ("12 March 2024", False),
        ("Herr Kurt Auer", False),
        ("Kestrel Quill Ltd", False),
        ("vom", False),
        ("www", False),
        ("TI", False),
        ("Page", False),
        ("I agree that my liability for this bill", False),
        ("", False),
    ],
)
def test_names_are_words_that_mean_something(name: str, expected: bool) -> None:
    assert is_name(name) is expected


def test_one_row_of_items_is_a_table() -> None:
    header = [words(40, 100, "Description")] + [
        right(x, 100, text) for x, text in ((300, "Quantity"), (400, "Unit price"), (500, "Amount"))
    ]
    row = [words(40, 116, "Coil of hemp rope")] + [
        right(x, 116, text) for x, text in ((300, "2"), (400, "20.00"), (500, "40.00"))
    ]
    total = [words(340, 150, "Total"), right(500, 150, "40.00")]
    fields = by_name(suggest_fields(document(page(*header, *row, *total))))
    assert [column.name for column in fields["Line Items"].columns] == [
        "Description", "Quantity", "Unit price", "Amount",
    ]  # fmt: skip
    assert fields["Total"].type is FieldType.CURRENCY


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["A letter to a friend", "written on a long afternoon by the sea, without any fields at all"],
        ["See https://example.com/a: it is at 10:30"],
    ],
)
def test_prose_suggests_nothing(lines: list[str]) -> None:
    sample = text_document(*lines) if lines else Document("application/pdf", [], 0)
    assert suggest_fields(sample) == []


def test_many_pages_and_many_labels_end_soon() -> None:
    sample = text_document(*[f"Label {chr(65 + n % 26)}{chr(97 + n // 26)}: value{n}" for n in range(50)])
    many = document(*[page(*[], number=1)], *sample.pages * 9)
    assert len(suggest_fields(many)) <= 60


@pytest.mark.parametrize(
    ("text", "locale", "expected"),
    [
        ("03.04.2024", GERMAN, "date"),
        ("1 March 2024", ENGLISH, "date"),
        ("1.234,50 €", GERMAN, "currency"),
        ("$5", ENGLISH, "currency"),
        ("12.50", ENGLISH, "currency"),
        ("12", ENGLISH, "number"),
        ("19 %", GERMAN, "number"),
        ("0042", ENGLISH, "text"),
        ("4012345678901", ENGLISH, "text"),
        ("yes", ENGLISH, "boolean"),
        ("☒", ENGLISH, "boolean"),
        ("RE-2024-17", GERMAN, "text"),
        ("Blau", GERMAN, "text"),
    ],
)
def test_values_tell_their_type(text: str, locale: Locale, expected: str) -> None:
    assert type_of(text, locale).value == expected


def test_a_column_has_the_type_of_most_values() -> None:
    assert type_of_column(["12", "3.50", "4.20", ""], ENGLISH) is FieldType.CURRENCY
    assert type_of_column(["12", "n/a", "x"], ENGLISH) is FieldType.TEXT
    assert type_of_column([], ENGLISH) is FieldType.TEXT


def test_names_are_clean_and_each_its_own() -> None:
    assert cleaned(" • INVOICE NOTE : ") == "Invoice Note"
    assert cleaned("VAT:") == "VAT"
    assert cleaned("# of Spots") == "# of Spots"
    assert (cleaned("Price (EUR)"), cleaned("Tax rate [%")) == ("Price (EUR)", "Tax rate")
    names = Names()
    assert [names.take("Total"), names.take("total:"), names.take("")] == ["Total", "total: 2", "Field 2"]
