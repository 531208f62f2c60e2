"""The equations of a document's amounts, on plain numbers: sums with further terms, products and rates."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations

TOLERANCE = Decimal("0.02")
_MOST_TERMS, _MOST_TOGETHER = 16, 3
"""Further terms of a sum that are looked at, and how many of them may be part of it."""
_CENT, _HALF_CENT = Decimal("0.011"), Decimal("0.005")
_BASES = (Decimal(10), Decimal(100), Decimal(1000))
"""For how many pieces prices are."""
_HALF_PERCENT, _HIGHEST_RATE = Decimal("0.5"), 35


def explained(gap: Decimal, terms: Sequence[Decimal], tolerance: Decimal = TOLERANCE) -> bool:
    """Return whether some of the further ``terms`` of a sum, or none, add up to ``gap``."""
    sums = _sums(tuple(terms[:_MOST_TERMS]))
    at = bisect_left(sums, gap - tolerance)
    return at < len(sums) and sums[at] <= gap + tolerance


@lru_cache(maxsize=256)
def _sums(terms: tuple[Decimal, ...]) -> Sequence[Decimal]:
    """Return the sums of up to three of ``terms``, and of all, sorted."""
    some = {
        sum(part, Decimal(0)) for count in range(_MOST_TOGETHER + 1) for part in combinations(terms, count)
    }
    return sorted({*some, sum(terms, Decimal(0))})


def product_holds(quantity: Decimal, price: Decimal, total: Decimal) -> bool:
    """Return whether quantity times unit price is the total, whatever the signs."""
    return abs(abs(quantity * price) - abs(total)) <= _CENT


def product_explained(quantity: Decimal, price: Decimal, total: Decimal, terms: Sequence[Decimal]) -> bool:
    """Return whether quantity times unit price may be the total with one of the further ``terms`` of its row.

    That is a discount or tax in percent or money, a discount of the price, or for how many pieces the price
    is. Quantity and price may be rounded to cents.
    """
    quantity, price, total = abs(quantity), abs(price), abs(total)
    rounding = _CENT + _HALF_CENT * ((quantity if price % 1 else 0) + (price if quantity % 1 else 0))
    product = quantity * price
    if any(abs(product / base - total) <= rounding for base in (1, *_BASES)):
        return True
    return any(
        abs(value - total) <= rounding
        for term in map(abs, terms)
        if term
        for value in (
            product - term,
            product + term,
            product * (1 - term / 100),
            product * (1 + term / 100),
            quantity * (price - term),
            quantity * (price + term),
            product * term,
            product / term,
        )
    )


def is_included(tax: Decimal, gross: Decimal) -> bool:
    """Return whether a tax is part of an amount, not added to it: its rate is of whole or half percents."""
    return abs(tax) < abs(gross) and _is_rate(tax, gross - tax) and not _is_rate(tax, gross)


def _is_rate(tax: Decimal, net: Decimal) -> bool:
    rate = 100 * tax / net
    nearest = round(rate / _HALF_PERCENT) * _HALF_PERCENT
    return 0 < nearest <= _HIGHEST_RATE and abs(net * nearest / 100 - tax) <= _CENT
