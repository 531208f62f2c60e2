"""A purchase order and its amounts."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tools.samples.formats import Locale
from tools.samples.invoice import COLUMNS, Line, cents
from tools.samples.party import Party
from tools.samples.sheet import Theme
from tools.samples.words import Words


@dataclass(frozen=True)
class Order:
    """A purchase order. What is None is not printed; ``columns`` are those of the table."""

    buyer: Party
    supplier: Party
    number: str
    date: datetime.date
    currency: str
    locale: Locale
    words: Words
    lines: tuple[Line, ...]
    columns: tuple[str, ...]
    delivery: datetime.date | None = None
    ship_to: Party | None = None
    tax_rate: str | None = None
    terms: str | None = None
    delivery_terms: str | None = None
    extras: tuple[tuple[str, str], ...] = ()
    closing: str = ""
    theme: Theme = field(default_factory=Theme)

    @property
    def net(self) -> Decimal:
        return sum((line.amount for line in self.lines), Decimal(0))

    @property
    def tax(self) -> Decimal | None:
        return cents(self.net * Decimal(self.tax_rate) / 100) if self.tax_rate else None

    @property
    def total(self) -> Decimal:
        return self.net + (self.tax or 0)

    def facts(self) -> list[tuple[str, str]]:
        values = {
            "number": self.number,
            "date": self.locale.date(self.date),
            "delivery": self.locale.date(self.delivery) if self.delivery else None,
            "terms": self.terms,
            "delivery_terms": self.delivery_terms,
        }
        return [(self.words[k], value) for k, value in values.items() if value is not None] + list(
            self.extras
        )

    def totals(self) -> Iterator[tuple[str, str]]:
        """Label and printed amount of the sums."""
        if self.tax is not None and self.tax_rate:
            yield self.words["subtotal"], self.locale.amount(self.net)
            label = self.words["tax"].format(rate=self.locale.quantity(Decimal(self.tax_rate)))
            yield label, self.locale.amount(self.tax)
        yield self.words["total"], self.locale.amount(self.total)

    def rows(self) -> list[dict[str, str]]:
        """The printed cells of the table."""
        return [
            {
                "position": str(position * 10),
                "item": line.item or "",
                "description": line.description,
                "quantity": self.locale.quantity(Decimal(line.quantity)),
                "unit": line.unit or "",
                "unit_price": self.locale.price(Decimal(line.unit_price)),
                "amount": self.locale.number(line.amount),
            }
            for position, line in enumerate(self.lines, 1)
        ]

    def truth(self) -> dict[str, Any]:
        """The values by the names of the purchase order template; None for what is not printed."""
        place = self.ship_to
        return {
            "Order Number": self.number,
            "Order Date": self.date.isoformat(),
            "Delivery Date": self.delivery.isoformat() if self.delivery else None,
            "Buyer Name": self.buyer.name,
            "Buyer Address": self.buyer.address_line,
            "Supplier Name": self.supplier.name,
            "Supplier Address": self.supplier.address_line,
            "Delivery Address": f"{place.name}, {place.address_line}" if place else None,
            "Payment Terms": self.terms,
            "Delivery Terms": self.delivery_terms,
            "Currency": self.currency,
            "Subtotal": float(self.net) if self.tax is not None else None,
            "Tax Amount": float(self.tax) if self.tax is not None else None,
            "Total": float(self.total),
            "Line Items": [self._row(line) for line in self.lines],
        }

    def _row(self, line: Line) -> dict[str, Any]:
        cells = {
            "item": line.item,
            "description": " ".join(line.description.split()),
            "quantity": float(line.quantity),
            "unit": line.unit,
            "unit_price": float(line.unit_price),
            "amount": float(line.amount),
        }
        return {
            name: cells[k] if k in self.columns else None for k, name in COLUMNS.items() if k != "tax_rate"
        }
