"""What invoices and orders have in common: priced lines, taxes on them, and their sums."""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, ClassVar

from tools.samples.formats import Locale
from tools.samples.party import Party
from tools.samples.sheet import Theme
from tools.samples.words import Words

CENT = Decimal("0.01")


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


def chosen_lines(seed: int, count: int, goods: Sequence[Line], quantities: Sequence[int]) -> tuple[Line, ...]:
    """Return ``count`` lines of ``goods`` in any of ``quantities``, the same for each seed."""
    pick = random.Random(seed)
    return tuple(replace(pick.choice(goods), quantity=str(pick.choice(quantities))) for _ in range(count))


@dataclass(frozen=True)
class Priced:
    """A document with priced ``lines``; ``columns`` are those of their table. What is None is not printed.

    ``columns_by_key`` are the names of the template's columns, ``position_step`` is between two positions,
    and ``sign`` -1 makes all amounts negative.
    """

    columns_by_key: ClassVar[Mapping[str, str]] = {
        "item": "Item Number",
        "description": "Description",
        "quantity": "Quantity",
        "unit": "Unit",
        "unit_price": "Unit Price",
        "tax_rate": "Tax Rate",
        "amount": "Amount",
    }
    position_step: ClassVar[int] = 1

    issuer: Party
    receiver: Party
    number: str
    date: datetime.date
    currency: str
    locale: Locale
    words: Words
    lines: tuple[Line, ...]
    columns: tuple[str, ...]
    tax_rate: str | None = None
    sign: int = 1
    terms: str | None = None
    ship_to: Party | None = None
    closing: str = ""
    theme: Theme = field(default_factory=Theme)

    def rate(self, line: Line) -> Decimal | None:
        rate = line.tax_rate or self.tax_rate
        return Decimal(rate) if rate is not None else None

    def amount(self, line: Line) -> Decimal:
        return self.sign * line.amount

    @property
    def net(self) -> Decimal:
        return sum((self.amount(line) for line in self.lines), Decimal(0))

    @property
    def taxes(self) -> list[tuple[Decimal, Decimal]]:
        """For each rate: the rate, and the tax on the net amount under it."""
        bases: dict[Decimal, Decimal] = {}
        for line in self.lines:
            rate = self.rate(line)
            if rate is not None:
                bases[rate] = bases.get(rate, Decimal(0)) + self.amount(line)
        return [(rate, cents(base * rate / 100)) for rate, base in sorted(bases.items())]

    @property
    def tax(self) -> Decimal:
        return sum((tax for _, tax in self.taxes), Decimal(0))

    @property
    def total(self) -> Decimal:
        return self.net + self.tax

    def labelled(self, values: Mapping[str, str | None]) -> list[tuple[str, str]]:
        """Return the label and the printed text of the values that the document has."""
        return [(self.words[name], value) for name, value in values.items() if value is not None]

    def totals(self) -> Iterator[tuple[str, str]]:
        """Label and printed amount of the sums: net, tax for each rate, all tax, total."""
        if self.taxes:
            yield self.words["subtotal"], self.locale.amount(self.net)
            for rate, tax in self.taxes:
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
                    "position": str(position * self.position_step),
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

    def true_sums(self) -> dict[str, Any]:
        """The sums by their names in the template; None for what is not printed."""
        taxed = bool(self.taxes)
        return {
            "Currency": self.currency,
            "Subtotal": float(self.net) if taxed else None,
            "Tax Amount": float(self.tax) if taxed else None,
            "Total": float(self.total),
        }

    def true_rows(self) -> list[dict[str, Any]]:
        """The rows by the names of the template's columns; None for what is not printed."""
        rows = []
        for line in self.lines:
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
            rows.append(
                {
                    name: cells[key] if key in self.columns else None
                    for key, name in self.columns_by_key.items()
                }
            )
        return rows
