"""A reminder of several invoices, read by its template."""

from __future__ import annotations

from docduck.extraction.run_extractors import extract_document
from docduck.templates import load
from tests.extraction.pages import document, page, right, words


def test_a_reminder_lists_its_invoices_and_has_its_own_date() -> None:
    rows = [
        ("24-311", "11.01.24", "25.01.24", "318,20"),
        ("24-402", "29.01.24", "12.02.24", "96,00"),
        ("24-417", "02.02.24", "16.02.24", "40,00"),
    ]
    letter = page(
        words(40, 40, "Gerüstbau Nehring"), words(40, 52, "Werftweg 3, 18439 Stralsund"),
        words(40, 100, "Café Windflüchter"), words(40, 112, "Lotsenstraße 8"), words(40, 124, "18565 Vitte"),
        right(560, 150, "Stralsund, 18.03.2024"),
        words(40, 180, "Zweite Mahnung"),
        words(40, 200, "Sehr geehrte Damen und Herren, diese Rechnungen sind noch nicht bezahlt:"),
        words(40, 230, "Rechnung"), words(160, 230, "vom"), words(280, 230, "fällig am"),
        right(560, 230, "offen EUR"),
        *(word for at, row in enumerate(rows) for word in (
            words(40, 246 + 16 * at, row[0]), words(160, 246 + 16 * at, row[1]),
            words(280, 246 + 16 * at, row[2]), right(560, 246 + 16 * at, row[3]))),
        words(40, 294, "Offener Betrag"), right(560, 294, "454,20"),
        words(40, 310, "Mahngebühr"), right(560, 310, "5,00"),
        words(40, 326, "Gesamtforderung"), right(560, 326, "459,20"),
    )  # fmt: skip
    found = extract_document(document(letter), load("payment_reminder").fields).data
    named = ("Creditor", "Debtor", "Reminder Date", "Late Fee", "Total Due")
    assert [found[name] for name in named] == [
        "Gerüstbau Nehring", "Café Windflüchter", "2024-03-18", 5, 459.2,
    ]  # fmt: skip
    assert [list(row.values()) for row in found["Open Invoices"]] == [
        ["24-311", "2024-01-11", "2024-01-25", 318.2],
        ["24-402", "2024-01-29", "2024-02-12", 96],
        ["24-417", "2024-02-02", "2024-02-16", 40],
    ]
