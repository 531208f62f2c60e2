"""The prices of a line for one piece, where the file states them for a hundred or a thousand."""

from __future__ import annotations

from decimal import Decimal

from docduck.documents.formats.einvoice.mapping import amount, plain
from docduck.documents.formats.einvoice.model import Row

_PRICES = frozenset({"unit_price", "gross_price", "price_discount"})
_ADJUSTMENTS = ("line_discount", "line_charge")
_STEP, _CENT = Decimal("1e-8"), Decimal("0.01")


def for_one(line: Row) -> Row:
    """Return a line with its prices divided by the quantity that they are for: 0.50 per 100 is 0.005.

    Some senders state the price of one beside another quantity: a price that makes the line's amount stays.
    """
    base, price = amount(line, "base_quantity"), amount(line, "unit_price")
    if not base or base == 1 or price is None or _makes_amount(price, line):
        return line
    prices = {term: Decimal(line[term][0]) / base for term in _PRICES & line.keys()}
    return {**line, **{term: [plain(price.quantize(_STEP).normalize())] for term, price in prices.items()}}


def _makes_amount(price: Decimal, line: Row) -> bool:
    """Return whether a price makes the amount of a line, with or without its discount and charge."""
    quantity, total = amount(line, "quantity"), amount(line, "line_total")
    if quantity is None or total is None:
        return False
    product = quantity * price
    discount, charge = (sum(map(Decimal, line.get(term, ())), Decimal()) for term in _ADJUSTMENTS)
    charged = product - abs(discount) + charge
    return any(abs(abs(value) - abs(total)) <= _CENT for value in (product, charged))
