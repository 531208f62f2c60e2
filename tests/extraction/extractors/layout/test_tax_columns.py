"""Tables with a column each for net, tax and gross amounts: what they add up to tells them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from docduck.documents.document import Word
from docduck.extraction.run_extractors import extract_document
from docduck.templates import load
from tests.extraction.extractors.layout.test_tables import line
from tests.extraction.pages import document, page, words

X = (40, -250, -320, -400, -480, -560)
ROWS = [
    ("Oak board", "2", "10.00", "20.00", "4.00", "24.00"),
    ("Pine board", "3", "5.50", "16.50", "3.30", "19.80"),
    ("Glue", "1", "7.25", "7.25", "1.45", "8.70"),
]
SUMS = ("43.75", "8.75", "52.50")


def read(*lines: list[Word]) -> dict[str, Any]:
    """Return what is read of an invoice with these lines."""
    top = (words(40, 40, "Otter Mill Ltd"), words(400, 40, "INVOICE"), words(400, 56, "Invoice No: 551"))
    return extract_document(document(page(*top, *lines)), load("invoice").fields).data


def table(
    *heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], xs: tuple[int, ...], total: str = ""
) -> list[Any]:
    lines = [*heads, *rows]
    made = [
        line(150 + 14 * n, *[(x, t) for x, t in zip(xs, cells, strict=True) if t])
        for n, cells in enumerate(lines)
    ]
    sums = zip(xs[-3:], SUMS, strict=True)
    return [*made, line(160 + 14 * len(lines), (40, total), *sums)] if total else made


HEADS: dict[str, list[tuple[str, ...]]] = {
    "en": [("Description", "Qty", "Unit Price", "Net Price", "GST", "Total Price")],
    "amount over the tax": [("Description", "Qty", "Unit Price", "Net", "Amount", "Gross")],
    "two lines": [
        ("", "", "Unit Price", "Net Price", "GST", "Total Price"),
        ("Description", "Qty", "ex GST", "ex GST", "Amount", "inc GST"),
    ],
    "de": [("Artikel", "Menge", "Einzelpreis", "Netto", "USt", "Brutto")],
    "fr": [("Désignation", "Qté", "P.U. HT", "Montant HT", "Montant TVA", "Montant TTC")],
    "es": [("Descripción", "Cant.", "Precio", "Base", "IVA", "Total")],
    "it": [("Descrizione", "Q.tà", "Prezzo", "Imponibile", "IVA", "Totale")],
    "pl": [("Nazwa", "Ilość", "Cena netto", "Wartość netto", "Kwota VAT", "Wartość brutto")],
}


@pytest.mark.parametrize("heads", HEADS.values(), ids=HEADS)
def test_products_and_sums_tell_the_columns(heads: list[tuple[str, ...]]) -> None:
    data = read(*table(*heads, rows=ROWS, xs=X, total="Total"))
    names = ("Description", "Quantity", "Unit Price", "Tax Rate", "Amount")
    assert [[cells[name] for name in names] for cells in data["Line Items"]] == [
        ["Oak board", 2, 10, None, 20],
        ["Pine board", 3, 5.5, None, 16.5],
        ["Glue", 1, 7.25, None, 7.25],
    ]
    assert [data[name] for name in ("Subtotal", "Tax Amount", "Total")] == [43.75, 8.75, 52.5]


@pytest.mark.parametrize("heads", [
    ("", "Montant EUR HT", "Montant TVA", "Montant EUR TTC"),
    ("Service", "Net amount", "VAT amount", "Gross amount"),
    ("Leistung", "Nettobetrag", "MwSt.", "Bruttobetrag"),
    ("Item", "Excl. GST", "GST", "Incl. GST"),
    ("Description", "Amount ex VAT", "VAT amount", "Total"),
])  # fmt: skip
def test_amounts_alone_are_no_quantities_and_no_prices(heads: tuple[str, ...]) -> None:
    rows = [(text, *amounts) for text, _, _, *amounts in (*ROWS, ("Calls", "", "", "0.00", "0.00", "0.00"))]
    data = read(*table(heads, rows=rows, xs=(40, -320, -440, -560), total="Total"))
    assert [cells["Description"] for cells in data["Line Items"]] == [
        "Oak board",
        "Pine board",
        "Glue",
        "Calls",
    ]
    assert [cells["Amount"] for cells in data["Line Items"]] in ([20, 16.5, 7.25, 0], [24, 19.8, 8.7, 0])
    assert all(
        cells[name] is None for cells in data["Line Items"] for name in ("Quantity", "Unit Price", "Tax Rate")
    )
    assert [data[name] for name in ("Subtotal", "Tax Amount", "Total")] == [43.75, 8.75, 52.5]


def test_rates_stay_rates() -> None:
    xs, head = (
        (40, -220, -280, -340, -410, -480, -560),
        ("Description", "Qty", "Price", "VAT %", "Net", "VAT", "Gross"),
    )
    for rate in ("20%", "20", "20.00"):
        rows = [(*cells[:3], rate, *cells[3:]) for cells in ROWS]
        data = read(*table(head, rows=rows, xs=xs))
        assert [[cells["Tax Rate"], cells["Amount"]] for cells in data["Line Items"]] == [
            [20, 20],
            [20, 16.5],
            [20, 7.25],
        ]


@pytest.mark.parametrize("sign", ["", "€"])
def test_taxes_without_gross_amounts_are_no_rates(sign: str) -> None:
    rows = [(*cells[:3], sign + cells[4], cells[3]) for cells in ROWS]
    data = read(*table(("Description", "Qty", "Price", "VAT", "Amount"), rows=rows, xs=X[:5]))
    assert [[cells["Tax Rate"], cells["Amount"]] for cells in data["Line Items"]] == [
        [None, 20],
        [None, 16.5],
        [None, 7.25],
    ]


def test_taxes_that_products_lack_are_no_rates() -> None:
    rows = [("Oak", "2", "50.00", "20.00", "120.00"), ("Pine", "1", "50.00", "10.00", "60.00")]
    data = read(*table(("Description", "Qty", "Price", "VAT", "Total"), rows=rows, xs=X[:5]))
    assert [[cells["Tax Rate"], cells["Amount"]] for cells in data["Line Items"]] == [[None, 120], [None, 60]]
    rows = [("Oak", "2", "50.00", "20.00", "120.00"), ("Pine", "1", "50.00", "10.00", "55.00")]
    data = read(*table(("Description", "Qty", "Price", "VAT", "Total"), rows=rows, xs=X[:5]))
    assert [[cells["Tax Rate"], cells["Amount"]] for cells in data["Line Items"]] == [[20, 120], [10, 55]]


def test_discounts_are_no_taxes() -> None:
    rows = [("Oak", "2", "10.00", "2.00", "18.00"), ("Pine", "3", "5.00", "1.50", "13.50")]
    data = read(*table(("Description", "Qty", "Price", "Discount", "Amount"), rows=rows, xs=X[:5]))
    assert [[cells["Unit Price"], cells["Amount"]] for cells in data["Line Items"]] == [[10, 18], [5, 13.5]]


def test_the_only_row_tells_the_totals() -> None:
    heads = ("Service", "Net amount", "VAT amount", "Gross amount")
    for text in ("Subscription", "Invoice total"):
        data = read(*table(heads, rows=[(text, "24.99", "5.00", "29.99")], xs=(40, -320, -440, -560)))
        assert [data[name] for name in ("Subtotal", "Tax Amount", "Total")] == [24.99, 5, 29.99]


def test_rates_are_no_prices() -> None:
    rows = [("10%", "100.00", "10.00", "110.00"), ("20%", "50.00", "10.00", "60.00")]
    data = read(*table(("Rate", "Net", "VAT", "Gross"), rows=rows, xs=(40, -320, -440, -560)))
    assert all(cells["Unit Price"] is None and cells["Quantity"] is None for cells in data["Line Items"])
