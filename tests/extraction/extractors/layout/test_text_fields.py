"""Text fields keep values as printed, whatever their name; other types are normalised."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.document import Barcode, Box, Document, Page, Word
from docduck.documents.reader import read
from docduck.extraction.extractors.model.evidence import Evidence
from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields
from tests.documents.formats.einvoice import samples
from tests.documents.formats.files import lines_page, pdf
from tests.extraction.extractors.prose.test_letters import ENGLISH, GERMAN
from tests.extraction.pages import document, page, right, text_document, words


def data_of(one: Document, *fields: dict[str, Any]) -> dict[str, Any]:
    return extract_document(one, parse_fields(list(fields))).data


@pytest.mark.parametrize(
    ("name", "line", "printed"),
    [
        ("Date", "Date: 03/04/2024", "03/04/2024"),
        ("Date received", "Date received: Dec. 21, 1998", "Dec. 21, 1998"),
        ("Received", "Received: 3 March 2024.", "3 March 2024"),
        ("Invoice Date", "Invoice date: 2024-03-04", "2024-03-04"),
        ("Due Date", "Due date: 04.03.24", "04.03.24"),
        ("Total", "Total: $1,234.50", "$1,234.50"),
        ("Total", "Total:  EUR 1.234,50", "EUR 1.234,50"),
        ("Total", "Total: 1 234,50 €", "1 234,50 €"),
        ("Total", "Total: (12.50)", "(12.50)"),
        ("Discount", "Discount: 3.50-", "3.50-"),
        ("VAT rate", "VAT rate: 19.0 %", "19.0 %"),
    ],
)
def test_text_beside_label(name: str, line: str, printed: str) -> None:
    assert data_of(text_document("Acme Ltd", "", line), {"name": name}) == {name: printed}


def test_period_start_and_end() -> None:
    one = text_document(
        "Billing period: 01.02.2024 - 29.02.2024", "", "Date  Text", "03.02.  Fee", "04.02.  Fee"
    )
    table = {
        "name": "Items",
        "type": "table",
        "columns": [{"name": "Date", "type": "date"}, {"name": "Text"}],
    }
    found = data_of(one, {"name": "Period Start"}, {"name": "Period End"}, table)
    assert (found["Period Start"], found["Period End"]) == ("01.02.2024", "29.02.2024")
    assert [row["Date"] for row in found["Items"]] == ["2024-02-03", "2024-02-04"]


def test_text_columns() -> None:
    columns = (60, 200, 330, 470)

    def row(y: float, *cells: str) -> list[Word]:
        return [word for x, cell in zip(columns, cells, strict=True) for word in words(x, y, cell)]

    one = document(
        page(
            row(100, "Date", "Description", "Quantity", "Amount"),
            row(120, "03/04/24", "Oak plank", "2.00", "$ 1,200.50"),
            row(140, "05/04/24", "Iron hinge", "12", "$ 80.00"),
        )
    )
    names = ("Date", "Description", "Quantity", "Amount")
    table = {"name": "Items", "type": "table", "columns": [{"name": name} for name in names]}
    assert data_of(one, table)["Items"] == [
        {"Date": "03/04/24", "Description": "Oak plank", "Quantity": "2.00", "Amount": "$ 1,200.50"},
        {"Date": "05/04/24", "Description": "Iron hinge", "Quantity": "12", "Amount": "$ 80.00"},
    ]


def test_receipt_without_header() -> None:
    one = document(
        page(
            words(40, 60, "Corner Shop"),
            [*words(40, 100, "Fountain pen"), *right(300, 100, "24.00")],
            [*words(40, 114, "Notebook A5"), *right(300, 114, "17.00")],
            words(60, 128, "2 x 8.50"),
            [*words(40, 142, "Total"), *right(300, 142, "41.00")],
        )
    )
    names = ("Description", "Quantity", "Unit Price", "Amount")
    table = {"name": "Items", "type": "table", "columns": [{"name": name} for name in names]}
    rows = data_of(one, table)["Items"]
    assert [row["Amount"] for row in rows] == ["24.00", "17.00"]
    assert (rows[1]["Quantity"], rows[1]["Unit Price"]) == ("2", "8.50")


def test_a_letter() -> None:
    assert data_of(ENGLISH, {"name": "letter_date"}) == {"letter_date": "12 November 2020"}
    assert data_of(ENGLISH, {"name": "letter_date", "type": "date"}) == {"letter_date": "2020-11-12"}
    assert data_of(GERMAN, {"name": "letter_date", "type": "date"}) == {"letter_date": "2021-07-03"}


def test_electronic_invoice_with_and_without_pages() -> None:
    fields = ({"name": "Invoice Date"}, {"name": "Amount Due"})
    lines = lines_page(("Invoice no. R-7 of 31 July 2024.", "To be paid: 200,00 EUR"))
    printed = read(samples.with_attachments(pdf(lines), {"factur-x.xml": samples.cii()}), "")
    assert data_of(printed, *fields) == {"Invoice Date": "31 July 2024", "Amount Due": "200,00"}
    plain = data_of(read(samples.cii(), ""), *fields)
    assert plain == {"Invoice Date": "2024-07-31", "Amount Due": "200.00"}


def test_texts_come_from_page_not_payment_code() -> None:
    code = "BCD\n002\n1\nSCT\nCOBADEFFXXX\nRotes Kreuz\nDE89370400440532013000\nEUR12.5\n\nRF18539007547034\n"
    printed = page(words(40, 60, "Total: 12,50 EUR"))
    printed.barcodes = (Barcode("QRCode", code, Box(0.1, 0.5, 0.2, 0.2)),)
    assert data_of(document(printed), {"name": "Total"}) == {"Total": "12,50 EUR"}
    bare = document(Page(1, 600, 800, [], barcodes=printed.barcodes))
    assert data_of(bare, {"name": "Total"}) == {"Total": None}
    assert data_of(bare, {"name": "Total", "type": "currency"}) == {"Total": 12.5}


def test_text_rewritten_by_language_model() -> None:
    one = text_document("Notice", "Signed on 3 March 2024, for 1.200,50 EUR in all")
    (signed,) = parse_fields([{"name": "Signed"}])
    evidence, pages = Evidence(one), frozenset({1})
    assert evidence.as_printed(signed, "2024-03-03", pages) == "3 March 2024"
    assert evidence.as_printed(signed, "1200.5", pages) == "1.200,50"
    assert evidence.as_printed(signed, "2024-03-04", pages) == "2024-03-04"
