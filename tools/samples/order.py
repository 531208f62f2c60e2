"""A purchase order."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any, ClassVar

from tools.samples.formats import Locale
from tools.samples.party import Party
from tools.samples.priced import Line, Priced
from tools.samples.sheet import Theme
from tools.samples.words import Words


@dataclass(frozen=True)
class Order(Priced):
    """A purchase order. What is None is not printed."""

    columns_by_key: ClassVar = {key: name for key, name in Priced.columns_by_key.items() if key != "tax_rate"}
    position_step = 10

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
    closing: str = ""
    theme: Theme = field(default_factory=Theme)

    def facts(self) -> list[tuple[str, str]]:
        return self.labelled(
            {
                "number": self.number,
                "date": self.locale.date(self.date),
                "delivery": self.locale.date(self.delivery) if self.delivery else None,
                "terms": self.terms,
                "delivery_terms": self.delivery_terms,
            }
        )

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
            **self.true_sums(),
            "Line Items": self.true_rows(),
        }
