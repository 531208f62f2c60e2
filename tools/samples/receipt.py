"""A receipt and its amounts."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from tools.samples.formats import Locale
from tools.samples.party import Party
from tools.samples.priced import cents


@dataclass(frozen=True)
class Item:
    """A bought article; numbers as text. Without ``quantity`` the receipt prints only ``amount``."""

    description: str
    amount: str
    quantity: str | None = None
    unit_price: str | None = None
    code: str = ""


@dataclass(frozen=True)
class Receipt:
    """A till receipt. ``rates`` are percent by tax code; with ``tax_included`` prices hold the tax already.

    ``style`` is how items are set: quantity and price on a line of their own below, or in columns.
    ``heads`` are the titles of those columns. ``payment`` are printed lines (label, value); the first
    names the method. ``labels`` are: subtotal, tax, total, number, date, time.
    """

    merchant: Party
    number: str
    date: datetime.date
    time: str
    currency: str
    locale: Locale
    items: tuple[Item, ...]
    labels: dict[str, str]
    rates: dict[str, str]
    tax_included: bool
    payment: tuple[tuple[str, str], ...]
    method: str
    style: Literal["below", "columns"] = "below"
    heads: tuple[str, ...] = ()
    greeting: tuple[str, ...] = ()
    show_net: bool = True

    @property
    def gross(self) -> dict[str, Decimal]:
        """What the items come to by tax code, as their amounts are printed."""
        sums: dict[str, Decimal] = {}
        for item in self.items:
            sums[item.code] = sums.get(item.code, Decimal(0)) + Decimal(item.amount)
        return sums

    def taxes(self) -> list[tuple[str, Decimal, Decimal, Decimal, Decimal]]:
        """For each code: code, rate, net, tax, gross."""
        rows = []
        for code, amount in sorted(self.gross.items()):
            rate = Decimal(self.rates[code])
            tax = cents(amount * rate / (100 + rate)) if self.tax_included else cents(amount * rate / 100)
            net = amount - tax if self.tax_included else amount
            rows.append((code, rate, net, tax, net + tax))
        return rows

    @property
    def net(self) -> Decimal:
        return sum((row[2] for row in self.taxes()), Decimal(0))

    @property
    def tax(self) -> Decimal:
        return sum((row[3] for row in self.taxes()), Decimal(0))

    @property
    def total(self) -> Decimal:
        return self.net + self.tax

    def truth(self) -> dict[str, Any]:
        """The values by the names of the receipt template; None for what is not printed."""
        return {
            "Merchant Name": self.merchant.name,
            "Merchant Address": self.merchant.address_line,
            "Merchant Tax ID": self.merchant.tax_id,
            "Receipt Number": self.number,
            "Date": self.date.isoformat(),
            "Time": self.time,
            "Currency": self.currency,
            "Subtotal": float(self.net) if self.show_net else None,
            "Tax Amount": float(self.tax),
            "Total": float(self.total),
            "Payment Method": self.method,
            "Line Items": [
                {
                    "Description": item.description,
                    "Quantity": float(item.quantity) if item.quantity else None,
                    "Unit Price": float(item.unit_price) if item.unit_price else None,
                    "Amount": float(item.amount),
                }
                for item in self.items
            ],
        }
