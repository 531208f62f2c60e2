"""An invoice and its amounts."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from tools.samples.formats import Locale
from tools.samples.party import Party
from tools.samples.sheet import Theme
from tools.samples.words import Words

CENT = Decimal("0.01")
COLUMNS = {
    "item": "Item Number",
    "description": "Description",
    "quantity": "Quantity",
    "unit": "Unit",
    "unit_price": "Unit Price",
    "tax_rate": "Tax Rate",
    "amount": "Amount",
}


def cents(value: Decimal) -> Decimal:
    """Round an amount to cents, half up."""
    return value.quantize(CENT, ROUND_HALF_UP)


@dataclass(frozen=True)
class Line:
    """A line item; numbers are strings, to be exact."""

    description: str
    quantity: str
    unit_price: str
    item: str | None = None
    unit: str | None = None
    tax_rate: str | None = None

    @property
    def amount(self) -> Decimal:
        return cents(Decimal(self.quantity) * Decimal(self.unit_price))


@dataclass(frozen=True)
class Invoice:
    """An invoice or credit note. What is None is not printed; ``columns`` are those of the table.

    ``sign`` -1 prints the amounts of a credit note negative. ``extras`` are further labelled facts.
    """

    vendor: Party
    customer: Party
    number: str
    date: datetime.date
    currency: str
    locale: Locale
    words: Words
    lines: tuple[Line, ...]
    columns: tuple[str, ...]
    tax_rate: str | None = None
    due: datetime.date | None = None
    order: str | None = None
    customer_number: str | None = None
    terms: str | None = None
    extras: tuple[tuple[str, str], ...] = ()
    ship_to: Party | None = None
    credit: bool = False
    sign: int = 1
    intro: str = ""
    closing: str = ""
    carry: bool = False
    theme: Theme = field(default_factory=Theme)

    @property
    def title(self) -> str:
        return self.words["credit_note" if self.credit else "invoice"]

    def rate(self, line: Line) -> Decimal | None:
        rate = line.tax_rate or self.tax_rate
        return Decimal(rate) if rate is not None else None

    def amount(self, line: Line) -> Decimal:
        return self.sign * line.amount

    @property
    def net(self) -> Decimal:
        return sum((self.amount(line) for line in self.lines), Decimal(0))

    @property
    def taxes(self) -> list[tuple[Decimal, Decimal, Decimal]]:
        """For each rate: the rate, the net amount under it, and the tax on that."""
        bases: dict[Decimal, Decimal] = {}
        for line in self.lines:
            rate = self.rate(line)
            if rate is not None:
                bases[rate] = bases.get(rate, Decimal(0)) + self.amount(line)
        return [(rate, base, cents(base * rate / 100)) for rate, base in sorted(bases.items())]

    @property
    def tax(self) -> Decimal:
        return sum((tax for _, _, tax in self.taxes), Decimal(0))

    @property
    def total(self) -> Decimal:
        return self.net + self.tax

    def facts(self, *names: str) -> list[tuple[str, str]]:
        """Label and printed value of those of ``names`` that the invoice has, then the extras."""
        values = {
            "number": self.number,
            "date": self.locale.date(self.date),
            "due": self.locale.date(self.due) if self.due else None,
            "order": self.order,
            "customer_number": self.customer_number,
            "terms": self.terms,
        }
        known = [(self.words[name], values[name]) for name in names]
        return [(label, value) for label, value in known if value is not None] + list(self.extras)

    def totals(self) -> Iterator[tuple[str, str]]:
        """Label and printed amount of the sums: net, tax for each rate, all tax, total."""
        if self.taxes:
            yield self.words["subtotal"], self.locale.amount(self.net)
            for rate, _, tax in self.taxes:
                label = self.words["tax"].format(rate=self.locale.quantity(rate))
                yield label, self.locale.amount(tax)
            if len(self.taxes) > 1:
                yield self.words["tax_sum"], self.locale.amount(self.tax)
        yield self.words["total"], self.locale.amount(self.total)

    def rows(self) -> list[dict[str, str]]:
        """The printed cells of the table."""
        rows = []
        for position, line in enumerate(self.lines, 1):
            rate = self.rate(line)
            rows.append(
                {
                    "position": str(position),
                    "item": line.item or "",
                    "description": line.description,
                    "quantity": self.locale.quantity(Decimal(line.quantity)),
                    "unit": line.unit or "",
                    "unit_price": self.locale.price(Decimal(line.unit_price)),
                    "tax_rate": self.locale.quantity(rate) if rate is not None else "",
                    "amount": self.locale.number(self.amount(line)),
                }
            )
        return rows

    def carried(self, count: int) -> tuple[str, str]:
        """Label and printed sum of the first ``count`` lines."""
        amount = sum((self.amount(line) for line in self.lines[:count]), Decimal(0))
        return self.words["carry"], self.locale.number(amount)

    def truth(self) -> dict[str, Any]:
        """The values by the names of the invoice template; None for what is not printed."""
        taxed = bool(self.taxes)
        return {
            "Invoice Number": self.number,
            "Invoice Date": self.date.isoformat(),
            "Due Date": self.due.isoformat() if self.due else None,
            "Order Number": self.order,
            "Customer Number": self.customer_number,
            "Vendor Name": self.vendor.name,
            "Vendor Address": self.vendor.address_line,
            "Vendor Tax ID": self.vendor.tax_id,
            "IBAN": self.vendor.iban,
            "Customer Name": self.customer.name,
            "Customer Address": self.customer.address_line,
            "Currency": self.currency,
            "Subtotal": float(self.net) if taxed else None,
            "Tax Amount": float(self.tax) if taxed else None,
            "Total": float(self.total),
            "Payment Terms": self.terms,
            "Line Items": [self._row(line) for line in self.lines],
        }

    def _row(self, line: Line) -> dict[str, Any]:
        rate = self.rate(line)
        cells = {
            "item": line.item,
            "description": " ".join(line.description.split()),
            "quantity": float(line.quantity),
            "unit": line.unit,
            "unit_price": float(line.unit_price),
            "tax_rate": float(rate) if rate is not None else None,
            "amount": float(self.amount(line)),
        }
        return {name: cells[key] if key in self.columns else None for key, name in COLUMNS.items()}
