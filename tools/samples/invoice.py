"""An invoice or credit note."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tools.samples.formats import Locale
from tools.samples.party import Party
from tools.samples.priced import Line, Priced
from tools.samples.sheet import Theme
from tools.samples.words import Words


@dataclass(frozen=True)
class Invoice(Priced):
    """An invoice or credit note. What is None is not printed; ``extras`` are further labelled facts."""

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
        return [*self.labelled({name: values[name] for name in names}), *self.extras]

    def carried(self, count: int) -> tuple[str, str]:
        """Label and printed sum of the first ``count`` lines."""
        amount = sum((self.amount(line) for line in self.lines[:count]), Decimal(0))
        return self.words["carry"], self.locale.number(amount)

    def truth(self) -> dict[str, Any]:
        """The values by the names of the invoice template; None for what is not printed."""
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
            **self.true_sums(),
            "Payment Terms": self.terms,
            "Line Items": self.true_rows(),
        }
