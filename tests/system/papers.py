"""Orders of invented customers: one-page PDFs in any number, all different, with what they say."""

from __future__ import annotations

import datetime as dt
import io
import random
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from docduck.fields import Field, parse_fields

FIELDS: list[Field] = parse_fields(
    [
        {"name": "Order Number", "required": True},
        {"name": "Date", "type": "date"},
        {"name": "Total", "type": "currency"},
        {
            "name": "Items",
            "type": "table",
            "columns": [
                {"name": "Article"},
                {"name": "Quantity", "type": "number"},
                {"name": "Amount", "type": "currency"},
            ],
        },
    ]
)


@dataclass(frozen=True)
class Order:
    """What an order says; ``items`` are (article, quantity, amount)."""

    number: str
    date: dt.date
    items: tuple[tuple[str, int, Decimal], ...]

    @property
    def total(self) -> Decimal:
        return sum((amount for _, _, amount in self.items), Decimal())

    def pdf(self, **security: Any) -> bytes:
        """The order on paper."""
        target = io.BytesIO()
        canvas = Canvas(target, pagesize=(595, 842), invariant=1, **security)
        canvas.setFont("Helvetica", 11)
        canvas.drawString(72, 760, f"Order Number: {self.number}")
        canvas.drawString(72, 740, f"Date: {self.date}")
        y = 680
        for row in (("Article", "Quantity", "Amount"), *self.items):
            canvas.drawString(72, y, str(row[0]))
            canvas.drawRightString(380, y, str(row[1]))
            canvas.drawRightString(500, y, str(row[2]))
            y -= 20
        canvas.drawString(300, y - 20, "Total")
        canvas.drawRightString(500, y - 20, str(self.total))
        canvas.showPage()
        canvas.save()
        return target.getvalue()


def order(number: int) -> Order:
    """The order with this number."""
    chance = random.Random(number)
    items = tuple(
        (
            f"Article {chance.choice('ABCDEFGH')}{chance.randrange(100, 999)}",
            chance.randrange(1, 20),
            Decimal(chance.randrange(100, 99999)) / 100,
        )
        for _ in range(chance.randrange(1, 5))
    )
    cents = Decimal("0.01")
    return Order(
        f"PO-{10000 + number}",
        dt.date(2024, chance.randrange(1, 13), chance.randrange(1, 29)),
        tuple((article, quantity, amount.quantize(cents)) for article, quantity, amount in items),
    )
