"""The same invoice in every format gives the same values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docduck import extract
from tests.documents.formats.office import files

FIELDS = [
    {"name": "Invoice Number", "type": "text"},
    {"name": "Invoice Date", "type": "date"},
    {"name": "Total", "type": "currency"},
    {
        "name": "Line Items",
        "type": "table",
        "columns": [
            {"name": "Description", "type": "text"},
            {"name": "Quantity", "type": "number"},
            {"name": "Unit Price", "type": "currency"},
            {"name": "Amount", "type": "currency"},
        ],
    },
]


def _html() -> bytes:
    facts = "".join(f"<p>{label}: {value}</p>" for label, value in files.FACTS[:2])
    rows = "".join(
        "<tr>" + "".join(f"<td>{text}</td>" for text in row) + "</tr>" for row in (files.HEAD, *files.ROWS)
    )
    return (
        f"<html><body><h1>Invoice</h1>{facts}<table>{rows}</table><p>Total: 70.00</p></body></html>".encode()
    )


def _markdown() -> bytes:
    rows = [files.HEAD, ("---",) * 5, *files.ROWS]
    facts = [f"{label}: {value}" for label, value in files.FACTS[:2]]
    table = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n\n".join(["# Invoice", *facts, "\n".join(table), "Total: 70.00"]).encode()


def _csv() -> bytes:
    rows = [*files.FACTS, ("",), files.HEAD, *files.ROWS]
    return "\n".join(";".join(row) for row in rows).encode()


def _rtf() -> bytes:
    facts = "".join(rf"{label}:\tab {value}\par " for label, value in files.FACTS[:2])
    edges = "".join(rf"\cellx{1500 * (at + 1)}" for at in range(5))
    rows = "".join(
        rf"\trowd{edges}\pard\intbl " + "".join(rf"{text}\cell " for text in row) + r"\row "
        for row in (files.HEAD, *files.ROWS)
    )
    return (r"{\rtf1\ansi Invoice\par " + facts + rows + r"\pard Total:\tab 70.00\par}").encode()


def _xml() -> bytes:
    tags = ("Pos", "Description", "Qty", "Price", "Amount")
    lines = "".join(
        "<Line>" + "".join(f"<{tag}>{text}</{tag}>" for tag, text in zip(tags, row, strict=True)) + "</Line>"
        for row in files.ROWS
    )
    return (
        "<Record><InvoiceNumber>INV-4711</InvoiceNumber><InvoiceDate>2024-03-15</InvoiceDate>"
        f"<Lines>{lines}</Lines><Total>70.00</Total></Record>"
    ).encode()


@pytest.mark.parametrize(
    "make",
    [
        files.invoice_docx, files.invoice_pptx, files.invoice_xlsx, files.invoice_xls, files.invoice_odt,
        files.invoice_ods, _html, _markdown, _csv, _rtf, _xml,
    ],
)  # fmt: skip
def test_values_and_rows(make: Callable[[], bytes]) -> None:
    name = "a.csv" if make is _csv else ""
    data = extract(make(), FIELDS, name=name).data
    assert data["Invoice Number"] == "INV-4711"
    assert data["Invoice Date"] == "2024-03-15"
    assert data["Total"] == 70.0
    assert data["Line Items"] == [
        {"Description": "Steel bolt M8", "Quantity": 10, "Unit Price": 2.5, "Amount": 25.0},
        {"Description": "Copper wire", "Quantity": 3, "Unit Price": 15.0, "Amount": 45.0},
    ]
