"""The semantic model of an electronic invoice: the business terms of EN 16931 by short names.

A party's terms are ``<party>_<attribute>`` for each of ``PARTIES``: ``seller_name``, ``buyer_vat_id``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["invoice", "credit note", "order"]
Row = dict[str, list[str]]
"""Terms with their values as text, at least one: dates ISO ``YYYY-MM-DD``, numbers plain decimals."""

PARTIES = ("seller", "buyer", "delivery", "payee", "tax_representative")

DATES = frozenset({
    "invoice_date", "due_date", "delivery_date", "period_start", "period_end", "tax_point_date",
    "order_date", "preceding_invoice_date", "date", "line_date",
})  # fmt: skip
NUMBERS = frozenset({
    "lines_total", "discount", "charges", "net_total", "tax_total", "grand_total", "amount_paid", "rounding",
    "amount_due", "withheld_tax", "quantity", "base_quantity", "unit_price", "gross_price", "price_discount",
    "line_total", "gross_line_total", "tax_rate", "tax_amount", "taxable_amount", "discount_rate", "amount",
    "line_discount", "line_charge", "tax_rate_total",
})  # fmt: skip
JOINED = frozenset({"note", "payment_terms", "line_note"})
"""Terms that may be repeated and are read as one text, line by line."""


@dataclass(slots=True)
class Invoice:
    """An invoice, credit note or order.

    ``terms`` are those of the whole document. ``tables`` are its repeating groups: ``lines``, ``vat`` (the
    breakdown by rate) and ``allowances`` (discounts and charges on the whole document); ``syntax`` names the
    format that it was written in.
    """

    syntax: str
    kind: Kind
    terms: Row
    tables: dict[str, list[Row]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def get(self, term: str) -> str | None:
        """Return the first value of a term."""
        values = self.terms.get(term)
        return values[0] if values else None
