"""Comparison of a table's cells with a value: cells are converted once per column, the value once.

It returns the same as comparing cell by cell, which takes several times longer.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from docduck.extraction.values import typed_values
from docduck.service.conditions.targets import Kind
from docduck.service.conditions.vocabulary import OF_TEXT, OPPOSITE, Operator

Conversion = Callable[[Any], Any]
Predicate = Callable[[Any], bool]
"""Tests a converted cell, which is None if it can't be converted."""

COMPARE: dict[Operator, Callable[[Any, Any], bool]] = {
    Operator.EQUALS: operator.eq,
    Operator.GREATER_THAN: operator.gt,
    Operator.GREATER_THAN_OR_EQUAL: operator.ge,
    Operator.LESS_THAN: operator.lt,
    Operator.LESS_THAN_OR_EQUAL: operator.le,
}
TEXTS: dict[Operator, Callable[[str, str], bool]] = {
    Operator.CONTAINS: operator.contains,
    Operator.STARTS_WITH: str.startswith,
    Operator.ENDS_WITH: str.endswith,
}


def folded_text(value: Any) -> str | None:
    """Return a value's text as compared."""
    text = typed_values.text_of(value)
    return None if text is None else typed_values.folded(text)


CONVERSIONS: dict[Kind, Conversion] = {
    Kind.NUMBER: typed_values.decimal_of,
    Kind.DATE: typed_values.date_of,
    Kind.BOOLEAN: typed_values.boolean_of,
    Kind.TEXT: folded_text,
}


def comparison(kind: Kind, how: Operator, value: Any) -> tuple[Conversion, Predicate] | None:
    """Return how cells are converted and tested; None if they have to be compared one by one."""
    positive = OPPOSITE.get(how, how)
    convert = folded_text if how in OF_TEXT else CONVERSIONS.get(kind)
    several = positive in (Operator.IN, Operator.BETWEEN)
    # Truths are equal or not, and have no order.
    is_unfit = convert is typed_values.boolean_of or how is Operator.MATCHES_REGEX
    if convert is None or is_unfit or several != isinstance(value, list | tuple):
        return None
    test = _predicate(positive, [convert(item) for item in value] if several else convert(value))
    return convert, (lambda cell: not test(cell)) if how in OPPOSITE else test


def _predicate(how: Operator, operand: Any) -> Predicate:
    if how is Operator.IN:
        known = {item for item in operand if item is not None}
        return lambda cell: cell in known
    if how is Operator.BETWEEN:
        low, high = operand
        if low is None or high is None:
            return _never
        return lambda cell: cell is not None and low <= cell <= high
    if operand is None:
        return _never
    test = COMPARE.get(how) or TEXTS[how]
    return lambda cell: cell is not None and test(cell, operand)


def _never(_cell: Any) -> bool:
    return False
