"""Conditions on values as ranges of index keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, false, or_, select

from docduck.catalog.models import SearchValue
from docduck.extraction.values import typed_values
from docduck.service.conditions import Aspect, Condition, Kind, Operator
from docduck.service.conditions.vocabulary import OPPOSITE
from docduck.service.search.encoding import (
    ANY_PREFIXES,
    INCOMPARABLE,
    LONGEST,
    MISSING,
    empty,
    encoded,
    field_key,
    long_key,
)

_INDEXED_PROPERTIES = ("$name", "$externalId")
_TEXTS = (Kind.TEXT, Kind.LIST)


@dataclass(frozen=True, slots=True)
class Span:
    """Values from ``low`` to ``high``, each inclusive or not."""

    low: str
    high: str
    with_low: bool = True
    with_high: bool = False


@dataclass(frozen=True, slots=True)
class ValueSet:
    """Documents with a value under ``key`` that is one of ``points`` or within one of ``spans``.

    With ``part`` the value must contain that text, with ``at_end`` at its end. ``negated`` means all other
    documents; ``complement``: documents with any other value, or with none in a row; ``or_missing``: also
    those with a row that lacks the value. ``long_key`` is set if shortened texts matter.
    """

    key: int
    points: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    part: str | None = None
    at_end: bool = False
    negated: bool = False
    complement: bool = False
    or_missing: bool = False
    long_key: int | None = None

    def numbers(self) -> Select[int]:
        """Return the numbers of documents with such a value."""
        test = self._within()
        return select(SearchValue.number).where(
            SearchValue.key == self.key, ~test if self.complement else test
        )

    def _within(self) -> ColumnElement[bool]:
        tests: list[ColumnElement[bool]] = []
        if self.points:
            tests.append(SearchValue.value.in_(self.points))
        for span in self.spans:
            low = SearchValue.value >= span.low if span.with_low else SearchValue.value > span.low
            high = SearchValue.value <= span.high if span.with_high else SearchValue.value < span.high
            tests.append(and_(low, high))
        within = or_(false(), *tests)
        if self.part is None:
            return within
        find = SearchValue.value.endswith if self.at_end else SearchValue.value.contains
        return and_(within, find(self.part, autoescape=True))

    def lacking(self) -> Select[int]:
        """Return the numbers of documents with a row that lacks the value."""
        return select(SearchValue.number).where(SearchValue.key == self.key, SearchValue.value == MISSING)


def value_set(parser_id: str, condition: Condition) -> ValueSet | None:
    """Return the condition as a range of the index, or None if it has no index."""
    target = condition.target
    if target.field_id is None and not target.custom_path and target.field_name not in _INDEXED_PROPERTIES:
        return None
    kind, ref = target.kind, target.ref
    key = field_key(parser_id, ref, kind)
    match condition.aspect:
        case Aspect.EXISTS:
            return ValueSet(key, spans=_present(kind))
        case Aspect.NOT_EXISTS:
            lacks = target.column_id is not None
            return ValueSet(key, spans=_present(kind), negated=True, or_missing=lacks)
        case Aspect.EXTRACTED_VALUE if condition.operator is not None:
            negated = condition.operator in OPPOSITE
            operator = OPPOSITE.get(condition.operator, condition.operator)
        case _:
            return None
    # Any row of a column may hold another value, but no item of a list may be the same.
    complement = negated and target.column_id is not None
    if complement and kind is Kind.LIST:
        return None
    negated = negated and not complement
    if operator in (Operator.CONTAINS, Operator.ENDS_WITH):
        part = typed_values.folded(typed_values.text_of(condition.value) or "")
        if kind not in _TEXTS or not part:
            return None
        # No text that is indexed in full has a longer part.
        fits = len(part) <= LONGEST
        cut = long_key(parser_id, ref, kind)
        return ValueSet(
            key,
            spans=(Span("", INCOMPARABLE),) if fits else (),
            part=part if fits else None,
            at_end=operator is Operator.ENDS_WITH,
            negated=negated,
            complement=complement,
            long_key=cut,
        )
    entries = _ranges(kind, operator, condition.value)
    if entries is None or (complement and "" in entries):
        return None
    points = tuple(sorted({entry for entry in entries if isinstance(entry, str)}))
    spans = tuple(entry for entry in entries if isinstance(entry, Span))
    return ValueSet(key, points, spans, negated=negated, complement=complement)


def _present(kind: Kind) -> tuple[Span, ...]:
    """Return the range of all values but an empty text."""
    blank = empty(kind)
    after = Span(blank, MISSING, with_low=False)
    return (Span("", blank), after) if blank else (after,)


def _ranges(kind: Kind, operator: Operator, value: Any) -> list[str | Span] | None:
    if kind is Kind.ANY:
        if operator is Operator.STARTS_WITH or operator is Operator.MATCHES_REGEX:
            return None
        ranges: list[str | Span] = []
        for inner, prefix in ANY_PREFIXES.items():
            part = _ranges(inner, operator, value)
            if part is None:
                return None
            ranges.extend(_prefixed(part, prefix))
        return ranges
    match operator:
        case Operator.EQUALS:
            return [text for text in (encoded(kind, value),) if text is not None]
        case Operator.IN:
            return [text for item in value for text in (encoded(kind, item),) if text is not None]
        case Operator.STARTS_WITH:
            start = typed_values.folded(typed_values.text_of(value) or "")
            fits = kind in _TEXTS and 0 < len(start) <= LONGEST
            return [Span(start, start + MISSING)] if fits else None
        case Operator.MATCHES_REGEX:
            return None
    if kind is Kind.BOOLEAN:
        return []
    bounds = list(value) if operator is Operator.BETWEEN else [value]
    texts = [encoded(kind, bound) for bound in bounds]
    if any(text is not None and len(text) >= LONGEST for text in texts):
        return None
    low, high = texts[0], texts[-1]
    if low is None or high is None:
        return []
    return list(_compared(operator, low, high))


def _compared(operator: Operator, low: str, high: str) -> Iterator[Span]:
    match operator:
        case Operator.GREATER_THAN:
            yield Span(low, INCOMPARABLE, with_low=False)
        case Operator.GREATER_THAN_OR_EQUAL:
            yield Span(low, INCOMPARABLE)
        case Operator.LESS_THAN:
            yield Span("", high)
        case Operator.LESS_THAN_OR_EQUAL:
            yield Span("", high, with_high=True)
        case Operator.BETWEEN:
            yield Span(low, high, with_high=True)


def _prefixed(ranges: list[str | Span], prefix: str) -> Iterator[str | Span]:
    end = chr(ord(prefix) + 1)
    for entry in ranges:
        if isinstance(entry, str):
            yield prefix + entry
        elif entry.high == INCOMPARABLE:
            yield Span(prefix + entry.low, end, entry.with_low)
        else:
            yield Span(prefix + entry.low, prefix + entry.high, entry.with_low, entry.with_high)
