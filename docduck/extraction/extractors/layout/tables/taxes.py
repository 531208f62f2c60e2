"""Columns of net, tax and gross amounts, told from each other and from rates by what they add up to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from docduck.extraction.equations import CENT, HALF_PERCENT, is_taxed, makes_gross

_SHARE = 0.6
"""Minimum share of the rows with all numbers that a sum or a product holds in."""
_PERCENT = 100
_TELLING = 20
"""Net amount from which the taxes by two such rates differ by much more than rounding."""
_MOST_COLUMNS = 8
"""Number columns that are tried at most."""

Numbers = Mapping[int, Decimal]
"""The numbers of a row by column."""


@dataclass(frozen=True, slots=True)
class TaxColumns:
    """The columns of the net amounts, of the taxes on them and of both together."""

    net: int
    tax: int
    gross: int
    rows: int
    """The number of rows that show it."""
    alone: bool
    """Whether the rows have no other numbers, such as quantities."""

    def has(self, at: int) -> bool:
        """Return whether a column is one of the three."""
        return at in (self.net, self.tax, self.gross)

    def excludes(self, concept: str | None, at: int, called: bool) -> bool:
        """Return whether a column is not what a concept asks for: net and gross are amounts of the row.

        What a column is ``called`` says more than the sum of one row, and of which amount it is.
        """
        if at == self.tax:
            is_other = concept in ("quantity", "unit_price", "line_total", "gross_line_total")
            return is_other and not (called and self.rows == 1)
        is_price = concept == "unit_price" and (at == self.gross or self.alone)
        return (concept == "quantity" or is_price) and self.has(at) and not called


def tax_columns(rows: Sequence[Numbers]) -> TaxColumns | None:
    """Return the columns whose sums hold in most rows, the gross amounts behind the others; None if none do.

    Of equal ones, the net amounts closest to the tax count: a price may be that of one piece.
    """
    places = sorted({i for row in rows for i in row})[:_MOST_COLUMNS]
    best: tuple[int, int, TaxColumns] | None = None
    for first, second, gross in combinations(places, 3):
        for net, tax in ((first, second), (second, first)):
            held = _held(rows, net, tax, gross)
            if held and (best is None or (held, -abs(tax - net)) > best[:2]):
                best = held, -abs(tax - net), TaxColumns(net, tax, gross, held, len(places) == 3)
    return best[2] if best else None


def _held(rows: Sequence[Numbers], net: int, tax: int, gross: int) -> int:
    """Return in how many rows net and tax are gross, 0 if these are few of those with all three."""
    complete = [(row[net], row[tax], row[gross]) for row in rows if {net, tax, gross} <= row.keys()]
    held = [makes_gross(*three) for three in complete if any(three)]
    return sum(held) if held and sum(held) >= _SHARE * len(held) else 0


def are_taxes(rows: Sequence[Numbers], at: int) -> bool:
    """Return whether the numbers of a column are no rates: above 100, or the taxes on other amounts."""
    taxes = {row[at] for row in rows if row.get(at)}
    if 2 * sum(tax > _PERCENT for tax in taxes) > len(taxes) or _are_on_products(rows, at):
        return True
    if len(taxes) <= 2 and not any(tax % HALF_PERCENT for tax in taxes):
        return False
    for net in {i for row in rows for i in row} - {at}:
        pairs = [(row[net], row[at]) for row in rows if row.get(net) and row.get(at)]
        telling = [(amount, tax) for amount, tax in pairs if abs(amount) >= _TELLING]
        if telling and all(is_taxed(amount, tax) for amount, tax in telling):
            return True
    return False


def _are_on_products(rows: Sequence[Numbers], at: int) -> bool:
    """Return whether the numbers of a column are what products of two others lack of a third."""
    places = sorted({i for row in rows for i in row} - {at})[:_MOST_COLUMNS]
    for gross in places:
        for first, second in combinations([place for place in places if place != gross], 2):
            four = {first, second, at, gross}
            full = [row for row in rows if four <= row.keys() and row[at]]
            sums = [(row[first] * row[second], row[at], row[gross]) for row in full]
            if sums and all(makes_gross(*three) for three in sums):
                return not all(
                    abs(net * (_PERCENT + tax) / _PERCENT - whole) <= CENT for net, tax, whole in sums
                )
    return False
