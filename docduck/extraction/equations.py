"""The equations of a document's amounts, on plain numbers: sums with further terms, products and rates."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations

TOTALS = ("net_total", "tax_total", "grand_total")
"""The concepts of a document's net, tax and gross amounts."""
TOLERANCE = Decimal("0.02")
_NOTHING = Decimal(0)
_MOST_TERMS, _MOST_UNNAMED = 6, 12
"""Further terms of a sum that are looked at, by their label and without one."""
CENT, _HALF_CENT = Decimal("0.011"), Decimal("0.005")
"""What rounding to cents changes at most, and what it changes of a factor."""
_BASES = (Decimal(10), Decimal(100), Decimal(1000))
"""For how many pieces prices are."""
_LEAST_STEPS = 3
"""Balances of a statement that are compared at least."""
HALF_PERCENT, _HIGHEST_RATE = Decimal("0.5"), 35
"""Rates of tax in percent: what they are multiples of, and the highest."""


def explained(
    gap: Decimal, terms: Sequence[Decimal], unnamed: Sequence[Decimal] = (), tolerance: Decimal = TOLERANCE
) -> bool:
    """Return whether some of the further ``terms`` of a sum, or none, add up to ``gap``.

    Besides, up to two of the ``unnamed`` amounts may be part of it, each added or taken.
    """
    sums = _sums(tuple(terms[:_MOST_TERMS]), tuple(unnamed[:_MOST_UNNAMED]))
    at = bisect_left(sums, gap - tolerance)
    return at < len(sums) and sums[at] <= gap + tolerance


@lru_cache(maxsize=256)
def _sums(terms: tuple[Decimal, ...], unnamed: tuple[Decimal, ...]) -> Sequence[Decimal]:
    """Return the sums of any of ``terms`` and up to two of ``unnamed`` with either sign, sorted."""
    named = {sum(part, _NOTHING) for count in range(len(terms) + 1) for part in combinations(terms, count)}
    signed = [sign * value for value in unnamed for sign in (1, -1)]
    others = {sum(part, _NOTHING) for count in range(3) for part in combinations(signed, count)}
    return sorted({one + other for one in named for other in others})


def product_holds(quantity: Decimal, price: Decimal, total: Decimal) -> bool:
    """Return whether quantity times unit price is the total, whatever the signs."""
    return abs(abs(quantity * price) - abs(total)) <= CENT


def product_explained(quantity: Decimal, price: Decimal, total: Decimal, terms: Sequence[Decimal]) -> bool:
    """Return whether quantity times unit price may be the total with one of the further ``terms`` of its row.

    That is a discount or tax in percent or money, a discount of the price, or for how many pieces the price
    is; two discounts if both are negative. Quantity and price may be rounded to cents.
    """
    quantity, price, total = abs(quantity), abs(price), abs(total)
    inexact = (0 if _is_whole(price) else quantity) + (0 if _is_whole(quantity) else price)
    rounding = CENT + _HALF_CENT * inexact
    product = quantity * price
    if any(abs(product / base - total) <= rounding for base in (1, *_BASES)):
        return True
    if any(abs(product + a + b - total) <= rounding for a, b in combinations([t for t in terms if t < 0], 2)):
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


def _is_whole(number: Decimal) -> bool:
    return number == number.to_integral_value()


def wrong_steps(
    opening: Decimal | None, balances: Sequence[Decimal | None], movements: Sequence[Decimal | None]
) -> list[int]:
    """Return the rows whose movement does not lead from one balance to the next, if it does in most rows.

    Rows run up or down. A wrong balance breaks the row behind it, too, which counts once.
    """
    best: list[int] | None = None
    before = [opening, *balances[:-1]]
    for moved in (movements, [None, *movements[:-1]]):
        steps = [
            (number, abs(abs(after - start) - abs(by)) <= TOLERANCE)
            for number, (start, after, by) in enumerate(zip(before, balances, moved, strict=True))
            if start is not None and after is not None and by is not None
        ]
        wrong = [number for number, holds in steps if not holds]
        if len(steps) >= _LEAST_STEPS and 2 * len(wrong) <= len(steps):
            best = wrong if best is None else min(best, wrong, key=len)
    return [number for number in best or () if number - 1 not in (best or ())]


def makes_gross(net: Decimal, tax: Decimal, gross: Decimal) -> bool:
    """Return whether an amount and one that may be the tax on it are the third."""
    return abs(net + tax - gross) <= CENT and net != 0 and 0 < 100 * tax / net <= _HIGHEST_RATE


def is_included(tax: Decimal, gross: Decimal) -> bool:
    """Return whether a tax is part of an amount, not added to it: its rate is of whole or half percents."""
    return abs(tax) < abs(gross) and is_taxed(gross - tax, tax) and not is_taxed(gross, tax)


def is_taxed(net: Decimal, tax: Decimal) -> bool:
    """Return whether a tax is that on an amount by a usual rate, of whole or half percents."""
    rate = 100 * tax / net
    if not 0 < rate <= _HIGHEST_RATE:
        return False
    nearest = round(rate / HALF_PERCENT) * HALF_PERCENT
    return nearest > 0 and abs(net * nearest / 100 - tax) <= CENT
