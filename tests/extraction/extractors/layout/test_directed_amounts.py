"""Printed statements with columns for the kind or the direction of a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from docduck.extraction.run_extractors import extract_document
from docduck.templates import load
from tests.extraction.extractors.layout.test_tables import line
from tests.extraction.pages import document, page, words

ROWS = [
    ("2024-01-05", "Salary", "400.00"),
    ("2024-01-06", "Grocer", "30.00"),
    ("2024-01-07", "Rent", "900.00"),
]
SIGNED = [400, -30, -900]


def transactions(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], xs: tuple[int, ...]) -> list[Any]:
    """Return the transactions that are read of a statement with these columns."""
    lines = [line(150 + 16 * n, *zip(xs, cells, strict=True)) for n, cells in enumerate([heads, *rows])]
    top = words(40, 40, "Otter Bank Ltd"), words(40, 54, "Statement of account")
    rows_ = extract_document(document(page(*top, *lines)), load("bank_statement").fields).data["Transactions"]
    return [[row[name] for name in ("Date", "Description", "Debit", "Credit", "Amount")] for row in rows_]


def expected() -> list[Any]:
    return [[date, text, None, None, amount] for (date, text, _), amount in zip(ROWS, SIGNED, strict=True)]


@pytest.mark.parametrize(
    ("head", "marks"),
    [
        ("D/C", "CDD"),
        ("S/H", "HSS"),
        ("Af/Bij", ("Bij", "Af", "Af")),
        ("Soll/Haben", "HSS"),
        ("Debit/Credit", ("Credit", "Debit", "Debit")),
    ],
)
def test_a_column_says_which_way_money_goes(head: str, marks: tuple[str, ...]) -> None:
    rows = [(*row, mark) for row, mark in zip(ROWS, marks, strict=True)]
    heads = ("Date", "Description", "Amount", head)
    assert transactions(heads, rows, (40, 120, -500, 530)) == expected()


@pytest.mark.parametrize("kinds", [("Credit", "Debit", "Debit"), ("Income", "Food", "Home")])
@pytest.mark.parametrize("head", ["Type", "Category"])
def test_a_column_of_another_name_is_no_description(head: str, kinds: tuple[str, ...]) -> None:
    rows = [
        (date, kind, text, f"{amount}.00")
        for (date, text, _), kind, amount in zip(ROWS, kinds, SIGNED, strict=True)
    ]
    heads = ("Date", head, "Description", "Amount")
    assert transactions(heads, rows, (40, 120, 220, -560)) == expected()
