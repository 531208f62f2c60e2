"""A purchase order."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, ClassVar

from tools.samples.priced import Priced


@dataclass(frozen=True)
class Order(Priced):
    """A purchase order. What is None is not printed."""

    columns_by_key: ClassVar = {key: name for key, name in Priced.columns_by_key.items() if key != "tax_rate"}
    position_step = 10

    delivery: datetime.date | None = None
    delivery_terms: str | None = None

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
            "Buyer Name": self.issuer.name,
            "Buyer Address": self.issuer.address_line,
            "Supplier Name": self.receiver.name,
            "Supplier Address": self.receiver.address_line,
            "Delivery Address": f"{place.name}, {place.address_line}" if place else None,
            "Payment Terms": self.terms,
            "Delivery Terms": self.delivery_terms,
            **self.true_sums(),
            "Line Items": self.true_rows(),
        }
