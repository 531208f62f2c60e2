"""An invoice or credit note."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tools.samples.priced import Priced


@dataclass(frozen=True)
class Invoice(Priced):
    """An invoice or credit note. What is None is not printed; ``extras`` are further labelled facts."""

    due: datetime.date | None = None
    order: str | None = None
    customer_number: str | None = None
    extras: tuple[tuple[str, str], ...] = ()
    credit: bool = False
    intro: str = ""
    carry: bool = False

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
            "Vendor Name": self.issuer.name,
            "Vendor Address": self.issuer.address_line,
            "Vendor Tax ID": self.issuer.tax_id,
            "IBAN": self.issuer.iban,
            "Customer Name": self.receiver.name,
            "Customer Address": self.receiver.address_line,
            **self.true_sums(),
            "Payment Terms": self.terms,
            "Line Items": self.true_rows(),
        }
