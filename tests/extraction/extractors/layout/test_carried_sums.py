"""Sums that are carried over from one page of a table to the next."""

from __future__ import annotations

from typing import Any

import pytest

from docduck.documents.document import Page
from docduck.extraction.page.carried_sums import is_carried
from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields
from docduck.templates import load
from tests.extraction.extractors.layout.test_line_items import COLUMNS, header, row
from tests.extraction.extractors.layout.test_tables import line
from tests.extraction.pages import document, page, right, words

FIELDS = parse_fields(
    [
        {"name": "Subtotal", "type": "currency"},
        {"name": "Total", "type": "currency"},
        {"name": "Items", "type": "table", "columns": COLUMNS},
    ]
)
FIRST = 4
"""Rows of the first page; the second one has two."""


def pages(below: str, above: str, headed: bool = True, first: int = FIRST) -> list[Page]:
    """Return two pages of a table of equal rows, with the words of the sum between them."""
    amount = f"{first * 20}.00"
    rows = [row(120 + 16 * n, f"Plank {n}", "2", "10.00", "20.00") for n in range(first)]
    carried = [words(40, 122 + 16 * first, below), right(560, 122 + 16 * first, amount)] if below else []
    one = page(words(40, 40, "Otter Mill Ltd"), header(100), *rows, *carried)
    top = [words(40, 120, above), right(560, 120, amount)] if above else []
    rows = [row(140 + 16 * n, f"Post {n}", "2", "10.00", "20.00") for n in range(2)]
    total = [words(380, 200, "Total"), right(560, 200, f"{(first + 2) * 20}.00")]
    heads = [header(100)] if headed else []
    return [one, page(words(40, 40, "Otter Mill Ltd"), *heads, *top, *rows, *total, number=2)]


def read(*some: Page) -> dict[str, Any]:
    return extract_document(document(*some), FIELDS).data


WORDS = [
    ("Carried forward", "Brought forward"), ("Subtotal c/fwd", "Subtotal b/fwd"),
    ("Page total", "Total from page 1"), ("Subtotal", "Balance from previous page"),
    ("Übertrag", "Übertrag"), ("Zwischensumme", "Übertrag von Seite 1"), ("À reporter", "Report"),
    ("Sous-total", "Report de la page précédente"), ("Suma y sigue", "Suma anterior"),
    ("A riportare", "Riporto"), ("Te transporteren", "Transport"), ("A transportar", "Transporte"),
    ("Do przeniesienia", "Z przeniesienia"), ("Att överföra", "Transport från föregående sida"),
    ("Overføres", "Overført"), ("K převodu", "Převod z předchozí strany"),
    ("Devreden", "Önceki sayfadan devir"),
    ("Siirretään", "Siirto edelliseltä sivulta"), ("Átvitel", "Áthozat"), ("De reportat", "Report"),
    ("Na prevod", "Z prevodu"), ("Zwuj", "Qarp"), ("", "Brought forward"), ("Carried forward", ""),
]  # fmt: skip


@pytest.mark.parametrize(("below", "above"), WORDS)
def test_a_sum_carried_over_is_neither_a_row_nor_the_subtotal(below: str, above: str) -> None:
    for headed in (True, False):
        data = read(*pages(below, above, headed))
        assert [cells["Amount"] for cells in data["Items"]] == [20] * 6, headed
        assert (data["Subtotal"] in (None, 120), data["Total"]) == (True, 120), headed


def test_labelstell_the_sum_of_one_row() -> None:
    data = read(*pages("Carried forward", "Brought forward", first=1))
    assert len(data["Items"]) == 3


def test_an_article_called_as_such_a_line_is_a_row() -> None:
    one, _ = pages("", "")
    freight = page(
        words(40, 40, "Otter Mill Ltd"), header(100), words(40, 120, "Transport"), right(560, 120, "15.00"),
        row(140, "Post", "2", "10.00", "20.00"), row(156, "Report", "1", "80.00", "80.00"), number=2,
    )  # fmt: skip
    rows = read(one, freight)["Items"]
    assert [cells["Description"] for cells in rows[FIRST:]] == ["Transport", "Post", "Report"]


def test_labelsof_goods_and_of_payments_carry_nothing() -> None:
    assert not any(
        is_carried(text, summed=True) for text in ("Transport costs", "Total Wine", "Subtotal", "Web page")
    )
    assert not any(
        is_carried(text, summed=False) for text in ("Transport", "Report", "Saldo", "Suite", "Siirto")
    )
    assert all(
        is_carried(text, summed=False) for text in ("Übertrag Seite 2: 80,00 €", "Total brought forward")
    )


@pytest.mark.parametrize("labels", [
    ("Balance brought forward", "Balance carried forward",
     "Balance brought forward", "Balance carried forward"),
    ("Opening balance", "Carried forward", "Brought forward", "Closing balance"),
    ("Alter Saldo", "Übertrag", "Übertrag", "Neuer Saldo"),
])  # fmt: skip
def test_balances_between_pages_are_neither_the_first_nor_the_last(labels: tuple[str, str, str, str]) -> None:
    heads = line(
        150, (40, "Date"), (120, "Description"), (-400, "Debit"), (-480, "Credit"), (-560, "Balance")
    )
    first, below, above, last = labels
    one = page(
        words(40, 40, "Otter Bank Ltd"), heads, line(166, (120, first), (-560, "100.00")),
        line(182, (40, "2024-01-05"), (120, "Salary"), (-480, "400.00"), (-560, "500.00")),
        line(198, (40, "2024-01-06"), (120, "Grocer"), (-400, "30.00"), (-560, "470.00")),
        line(214, (120, below), (-560, "470.00")),
    )  # fmt: skip
    two = page(
        words(40, 40, "Otter Bank Ltd"), heads, line(166, (120, above), (-560, "470.00")),
        line(182, (40, "2024-01-08"), (120, "Gym"), (-400, "20.00"), (-560, "450.00")),
        line(198, (40, "2024-01-09"), (120, "Refund"), (-480, "5.00"), (-560, "455.00")),
        line(214, (120, last), (-560, "455.00")), number=2,
    )  # fmt: skip
    data = extract_document(document(one, two), load("bank_statement").fields).data
    assert [cells["Description"] for cells in data["Transactions"]] == ["Salary", "Grocer", "Gym", "Refund"]
    assert [data["Opening Balance"], data["Closing Balance"]] == [100, 455]
