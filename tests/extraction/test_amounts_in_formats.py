"""Amounts are read alike in texts, mails, web pages, office files and PDFs, beside labels and in tables."""

from __future__ import annotations

import io
from collections.abc import Callable

import docx
import pytest
from reportlab.pdfgen.canvas import Canvas

from docduck import templates
from docduck.documents.reader import read
from docduck.extraction.result import Extraction
from docduck.extraction.run_extractors import extract_document


def _text(lines: list[str]) -> bytes:
    return "\n".join(lines).encode()


def _mail(lines: list[str]) -> bytes:
    head = (
        "From: a@example.com\nTo: b@example.com\nSubject: Bill\nContent-Type: text/plain; charset=utf-8\n\n"
    )
    return head.encode() + _text(lines)


def _page(lines: list[str]) -> bytes:
    body = "".join(f"<p>{line}</p>" for line in lines)
    return f"<html><meta charset=utf-8><body>{body}</body></html>".encode()


def _docx(lines: list[str]) -> bytes:
    document, buffer = docx.Document(), io.BytesIO()
    for line in lines:
        document.add_paragraph(line)
    document.save(buffer)
    return buffer.getvalue()


def _pdf(lines: list[str]) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for row, line in enumerate(lines):
        canvas.drawString(60, 760 - 16 * row, line)
    canvas.save()
    return buffer.getvalue()


WRITERS = {"txt": _text, "eml": _mail, "html": _page, "docx": _docx, "pdf": _pdf}
LABELLED = {
    "Total: CHF 12 345.60": 12345.6,
    "Total: 1 234.50": 1234.5,
    "Total: R 1 234.50": 1234.5,
    "Amount due: EUR 1 234 567.80": 1234567.8,
    "Att betala: 12 500:-": 12500,
    "Gesamtbetrag: 1.234,- EUR": 1234,
    "Totaal: € 2.500,=": 2500,
    "Grand Total: Rs. 1,23,456/-": 123456,
    "Total: KSh 8,500/=": 8500,
    "Total: $1,333.26*": 1333.26,
    "Gesamtbetrag: 2.300,00+": 2300,
    "Gesamtbetrag: 2.300,00-": -2300,
    "Total: 35.20 CR": -35.2,
    "Total: 35.20 DR": 35.2,
}


def _extract(data: bytes, template: str = "invoice") -> Extraction:
    return extract_document(read(data, ""), templates.load(template).fields)


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("line", LABELLED)
def test_amounts_beside_labels(line: str, writer: Callable[[list[str]], bytes]) -> None:
    found = _extract(writer(["Invoice", "Invoice Number: 88", "Invoice Date: 2024-04-05", line])).data
    total = found["Total"]
    assert (found["Invoice Number"], total) == ("88", LABELLED[line])


def test_marks_in_tables() -> None:
    rows = [
        "INVOICE",
        "Invoice Number: 90",
        "Item            Qty   Price       Amount",
        "Consulting        1   1 234.50†   1 234.50†",
        "Travel            2      49.38*      98.76*",
        "Subtotal                          1 333.26**",
        "Tax 10 %                            133.33¹",
        "Total                             1 466.59",
    ]
    found = _extract(_text(rows)).data
    items = [[row[name] for name in ("Quantity", "Unit Price", "Amount")] for row in found["Line Items"]]
    assert items == [[1, 1234.5, 1234.5], [2, 49.38, 98.76]]
    assert [found[name] for name in ("Subtotal", "Tax Amount", "Total")] == [1333.26, 133.33, 1466.59]


def test_signs_behind_amounts_in_data_files() -> None:
    rows = "Datum;Text;Betrag\n05.01.2024;Pacht;850,00-\n06.01.2024;Erlös;2.300,00+\n07.01.2024;Zins;1 020,50"
    found = _extract(rows.encode(), "bank_statement").data
    assert [row["Amount"] for row in found["Transactions"]] == [-850, 2300, 1020.5]


def test_sides_beside_the_balances_of_an_account() -> None:
    rows = ["Account statement", "Opening Balance: 1,204.50 DR", "Closing Balance: 295.50 CR"]
    found = _extract(_text(rows), "bank_statement").data
    assert [found["Opening Balance"], found["Closing Balance"]] == [-1204.5, 295.5]


@pytest.mark.parametrize(
    ("marks", "signs"),
    [
        (("DR", "CR", "CR"), [-1, 1, 1]),
        (("", "CR", ""), [1, -1, 1]),
        (("CR", "CR", "CR"), [1, 1, 1]),
        (("S", "H", "H"), [-1, 1, 1]),
    ],
)
def test_sides_in_columns_are_read_together(marks: tuple[str, ...], signs: list[int]) -> None:
    lines = [f"0{day}/03/2024;Purchase {day};{day}4.99 {mark}" for day, mark in enumerate(marks, 1)]
    found = _extract("\n".join(["Date;Description;Amount", *lines]).encode(), "bank_statement").data
    amounts = [sign * (10 * day + 4.99) for day, sign in enumerate(signs, 1)]
    assert [row["Amount"] for row in found["Transactions"]] == pytest.approx(amounts)
