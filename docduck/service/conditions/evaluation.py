"""Evaluation of conditions on a document."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, TypeVar

from docduck import clock, regex
from docduck.extraction.values import typed_values
from docduck.extraction.values.dates import DateOrder
from docduck.service.conditions.columns import COMPARE, CONVERSIONS, TEXTS, Conversion, Predicate, comparison
from docduck.service.conditions.condition import Condition
from docduck.service.conditions.facts import DocumentFacts
from docduck.service.conditions.targets import ConditionTarget, Kind, kind_of
from docduck.service.conditions.vocabulary import OF_TEXT, OPPOSITE, Aspect, Operator
from docduck.service.conditions.work_limits import UNLIMITED, Effort

T = TypeVar("T")
_Pair = tuple[Any, Any]


def all_hold(conditions: Iterable[Condition], facts: DocumentFacts, effort: Effort = UNLIMITED) -> bool:
    """Return whether every condition holds; True without conditions. Raise OutOfTime."""
    return all(holds(condition, facts, effort) for condition in conditions)


def any_holds(conditions: Iterable[Condition], facts: DocumentFacts, effort: Effort = UNLIMITED) -> bool:
    """Return whether at least one condition holds. Raise OutOfTime."""
    return any(holds(condition, facts, effort) for condition in conditions)


def with_iso_dates(condition: Condition, order: DateOrder) -> Condition:
    """Return the condition with printed dates converted to ISO dates, read in ``order``."""
    dated = condition.aspect is Aspect.EXTRACTED_VALUE and condition.target.kind in (Kind.DATE, Kind.MOMENT)
    if not dated or condition.operator in OF_TEXT:
        return condition
    value = condition.value
    if isinstance(value, tuple):
        return replace(condition, value=tuple(typed_values.with_iso_date(item, order) for item in value))
    return replace(condition, value=typed_values.with_iso_date(value, order))


def holds(condition: Condition, facts: DocumentFacts, effort: Effort = UNLIMITED) -> bool:
    """Return whether the condition holds; for a table's column, whether it holds in any row.

    Comparisons of incomparable values are False, but True for ``not_equals``, ``not_contains`` and
    ``not_in``. A list satisfies a condition if any item does, and a negative one if no item satisfies its
    opposite. Raise OutOfTime; ``effort`` is checked for each value that is converted.
    """
    condition = with_iso_dates(condition, facts.date_order)
    effort.check()
    cells = _checked(facts.cells(condition.target), effort)
    match condition.aspect:
        case Aspect.EXISTS:
            return any(not typed_values.is_missing(cell) for cell in cells)
        case Aspect.NOT_EXISTS:
            present = list(cells)
            return not present or any(typed_values.is_missing(cell) for cell in present)
        case Aspect.IS_DUPLICATE:
            return any(facts.duplicates(condition.target, c) for c in cells if not typed_values.is_missing(c))
        case Aspect.CONFIDENCE:
            sure = _checked(facts.confidences(condition.target), effort)
            return any(map(_number_test(condition), sure))
        case Aspect.CONTENT_LENGTH:
            lengths = (len(typed_values.text_of(cell) or "") for cell in cells)
            return any(map(_number_test(condition), lengths))
        case Aspect.MATCHES_FIELD:
            return condition.other is not None and _matches(condition, condition.other, facts, effort)
        case Aspect.EXTRACTED_VALUE if condition.target.column_id is not None:
            return _in_any_row(condition, facts, effort)
        case Aspect.EXTRACTED_VALUE:
            return any(_compare(condition.target.kind, condition, cell, effort) for cell in cells)
        case _:
            today = clock.now().date()
            days = facts.converted(condition.target, _date_reader(facts.date_order), effort)
            return any(_dated(condition.aspect, day, today) for day in days)


def _checked(values: Iterable[T], effort: Effort) -> Iterator[T]:
    """Yield ``values``; raise OutOfTime in between."""
    for value in values:
        effort.check()
        yield value


def _number_test(condition: Condition) -> Predicate:
    """Return the comparison of plain numbers with the condition's value."""
    how, operand = condition.operator or Operator.EQUALS, condition.value
    test = COMPARE[OPPOSITE.get(how, how)]
    return lambda number: test(number, operand) is (how not in OPPOSITE)


@lru_cache
def _date_reader(order: DateOrder) -> Conversion:
    return typed_values.date_of if order == "auto" else partial(typed_values.date_of, order=order)


def _in_any_row(condition: Condition, facts: DocumentFacts, effort: Effort) -> bool:
    """Compare the cells of a column with the condition's value."""
    kind, how = condition.target.kind, condition.operator
    test_of_cells = None if how is None else comparison(kind, how, condition.value)
    if test_of_cells is None:
        cells = _checked(facts.cells(condition.target), effort)
        return any(_compare(kind, condition, cell, effort) for cell in cells)
    convert, test = test_of_cells
    return any(map(test, facts.converted(condition.target, convert, effort)))


def _dated(aspect: Aspect, day: dt.date | None, today: dt.date) -> bool:
    if aspect is Aspect.IS_NOT_VALID_DATE or day is None:
        return aspect is Aspect.IS_NOT_VALID_DATE and day is None
    if aspect is Aspect.IS_VALID_DATE:
        return True
    return day > today if aspect is Aspect.IS_FUTURE_DATE else day < today


def _matches(condition: Condition, other: ConditionTarget, facts: DocumentFacts, effort: Effort) -> bool:
    """Compare two fields: columns of one table row by row, others value by value."""
    left, right = facts.cells(condition.target), facts.cells(other)
    table = condition.target.field_id
    pairs: Iterable[_Pair]
    if condition.target.column_id and other.column_id and other.field_id == table:
        pairs = zip(left, right, strict=True)
    else:
        pairs = ((first, second) for first in left for second in right)
    kind = _common(condition.target.kind, other.kind)
    if kind is Kind.DATE:
        order = facts.date_order
        pairs = (
            (typed_values.with_iso_date(a, order), typed_values.with_iso_date(b, order)) for a, b in pairs
        )
    how = condition.operator or Operator.EQUALS
    return any(_test(kind, how, first, second, effort) for first, second in _checked(pairs, effort))


def _common(kind: Kind, other: Kind) -> Kind:
    """Return how to compare two fields: if one of them is text, like the other."""
    vague = (Kind.TEXT, Kind.ANY)
    return other if kind in vague and other not in vague else kind


def _compare(kind: Kind, condition: Condition, cell: Any, effort: Effort) -> bool:
    return condition.operator is not None and _test(kind, condition.operator, cell, condition.value, effort)


def _test(kind: Kind, how: Operator, cell: Any, operand: Any, effort: Effort) -> bool:
    if how in OPPOSITE:
        return not _test(kind, OPPOSITE[how], cell, operand, effort)
    if kind in (Kind.LIST, Kind.ANY) and isinstance(cell, list | tuple):
        inner = Kind.TEXT if kind is Kind.LIST else Kind.ANY
        return any(_test(inner, how, item, operand, effort) for item in _checked(cell, effort))
    if isinstance(operand, list | tuple) and how not in (Operator.IN, Operator.BETWEEN):
        return any(_test(kind, how, cell, item, effort) for item in _checked(operand, effort))
    if cell is None or operand is None:
        return False
    if how in OF_TEXT:
        return _test_text(how, typed_values.text_of(cell), typed_values.text_of(operand), effort)
    if how is Operator.IN:
        return any(_test(kind, Operator.EQUALS, cell, item, effort) for item in operand)
    if how is Operator.BETWEEN:
        low, high = operand
        return _test(kind, Operator.GREATER_THAN_OR_EQUAL, cell, low, effort) and _test(
            kind, Operator.LESS_THAN_OR_EQUAL, cell, high, effort
        )
    pair = _comparable(kind, cell, operand)
    if pair is None or (isinstance(pair[0], bool) and how is not Operator.EQUALS):
        return False
    return COMPARE[how](*pair)


def _test_text(how: Operator, text: str | None, operand: str | None, effort: Effort) -> bool:
    if text is None or operand is None:
        return False
    if how is Operator.MATCHES_REGEX:
        return regex.matches(operand, text.strip(), effort.regex_work)
    return TEXTS[how](typed_values.folded(text), typed_values.folded(operand))


def _comparable(kind: Kind, cell: Any, operand: Any) -> _Pair | None:
    """Return both values as compared by ``kind``, or None if one can't be."""
    compared = kind_of(cell) if kind is Kind.ANY else Kind.TEXT if kind is Kind.LIST else kind
    convert = None if compared is None else CONVERSIONS.get(compared)
    if compared is Kind.MOMENT:
        # A day is compared with the day of a moment, so that "equals 2026-01-31" means the whole day.
        convert = typed_values.moment_of if typed_values.moment_of(operand) else typed_values.date_of
    if convert is None:
        return None
    left, right = convert(cell), convert(operand)
    return None if left is None or right is None else (left, right)
