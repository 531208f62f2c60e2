"""Conditions on document properties that are columns of the catalog."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import ColumnElement, func, literal, select
from sqlalchemy.orm import InstrumentedAttribute

from docduck import clock
from docduck.catalog.models import Document, DocumentStage, SearchEntry
from docduck.catalog.models.documents import SOURCES
from docduck.extraction.values import typed_values
from docduck.ids import is_uuid
from docduck.service.conditions import Aspect, Condition, DocumentFacts, Operator, holds
from docduck.service.conditions.columns import folded_text
from docduck.service.conditions.vocabulary import OPPOSITE
from docduck.statuses import Status

_Column = InstrumentedAttribute[Any]
WAITING_STAGES = ("pending", "in_progress")
_LISTED: dict[str, tuple[_Column, tuple[str, ...]]] = {
    "$status": (SearchEntry.status, tuple(Status)),
    "$source": (Document.source, SOURCES),
}
_IDS: dict[str, _Column] = {
    "$folderId": SearchEntry.folder_id,
    "$assigneeId": Document.assignee_id,
}
_MOMENTS: dict[str, _Column] = {
    "$createdAt": SearchEntry.created_at,
    "$updatedAt": Document.updated_at,
}
_EXACT = 2**53


def property_clause(condition: Condition) -> ColumnElement[bool] | None:
    """Return the condition in SQL; None if no column or SQL expression can decide it."""
    name = condition.target.field_name
    if condition.target.field_id is not None:
        return None
    if name in _LISTED:
        column, possible = _LISTED[name]
        return column.in_([status for status in possible if holds(condition, _facts(name, status))])
    if condition.aspect in (Aspect.EXISTS, Aspect.NOT_EXISTS):
        nullable = _IDS | _MOMENTS | {"$pageCount": Document.page_count}
        if name not in nullable:
            return None
        exists = condition.aspect is Aspect.EXISTS
        return nullable[name].is_not(None) if exists else nullable[name].is_(None)
    if condition.operator is None or condition.aspect is not Aspect.EXTRACTED_VALUE:
        return None
    negated = condition.operator in OPPOSITE
    operator = OPPOSITE.get(condition.operator, condition.operator)
    clause = _comparison(name, operator, condition.value)
    # A comparison with NULL is neither true nor false, but its negation must be true.
    return clause if clause is None or not negated else ~func.coalesce(clause, literal(False))


def _comparison(name: str, operator: Operator, value: Any) -> ColumnElement[bool] | None:
    if name in _IDS and operator in (Operator.EQUALS, Operator.IN):
        return _IDS[name].in_(_ids(value))
    if name == "$reviewStageId" and operator in (Operator.EQUALS, Operator.IN):
        return at_stage(_ids(value))
    if name == "$contentType" and operator in (Operator.EQUALS, Operator.IN):
        texts = [text for item in _each(value) if (text := folded_text(item)) is not None]
        column = func.lower(func.trim(Document.content_type))
        return column.in_(texts) if all(map(str.isascii, texts)) else None
    if name == "$pageCount":
        return _numeric(Document.page_count, operator, value)
    if name in _MOMENTS:
        return _momentary(_MOMENTS[name], operator, value)
    return None


def at_stage(stage_ids: list[str]) -> ColumnElement[bool]:
    """Return the condition that the document is waiting for or at one of these review stages."""
    return Document.id.in_(
        select(DocumentStage.document_id).where(
            DocumentStage.stage_id.in_(stage_ids), DocumentStage.status.in_(WAITING_STAGES)
        )
    )


def _ids(value: Any) -> list[str]:
    texts = (typed_values.folded(item) for item in _each(value) if isinstance(item, str))
    return [text for text in texts if is_uuid(text)]


def _each(value: Any) -> tuple[Any, ...]:
    """Return the values of an operator that may have several."""
    return value if isinstance(value, tuple) else (value,)


def _numeric(column: _Column, operator: Operator, value: Any) -> ColumnElement[bool] | None:
    numbers = [typed_values.decimal_of(item) for item in _each(value)]
    known = [float(number) for number in numbers if number is not None and abs(number) < _EXACT]
    if len(known) < sum(number is not None for number in numbers):
        return None
    if operator in (Operator.EQUALS, Operator.IN):
        return column.in_([int(number) for number in known if number.is_integer()])
    return _compared(operator, column, [(number, number) for number in known], len(numbers))


def _momentary(column: _Column, operator: Operator, value: Any) -> ColumnElement[bool] | None:
    moments = _each(value)
    known = [span for moment in moments if (span := _span(moment)) is not None]
    if operator is Operator.EQUALS and known:
        return column.between(*known[0])
    return _compared(operator, column, known, len(moments))


def _compared(
    operator: Operator, column: _Column, spans: Sequence[tuple[Any, Any]], count: int
) -> ColumnElement[bool] | None:
    """Return the comparison with values that are each a span from first to last; None if it isn't one.

    It is never true if fewer values are known than ``count``.
    """
    if operator not in _COMPARISONS:
        return None
    if len(spans) < count:
        return literal(False)
    return _COMPARISONS[operator](column, spans)


_COMPARISONS: dict[Operator, Callable[[_Column, Sequence[tuple[Any, Any]]], ColumnElement[bool]]] = {
    Operator.GREATER_THAN: lambda column, spans: column > spans[0][1],
    Operator.GREATER_THAN_OR_EQUAL: lambda column, spans: column >= spans[0][0],
    Operator.LESS_THAN: lambda column, spans: column < spans[0][0],
    Operator.LESS_THAN_OR_EQUAL: lambda column, spans: column <= spans[0][1],
    Operator.BETWEEN: lambda column, spans: column.between(spans[0][0], spans[1][1]),
}


def _span(value: Any) -> tuple[dt.datetime, dt.datetime] | None:
    """Return the first and last moment that a value means, see ``clock.span``; None if it is no moment."""
    if isinstance(value, str):
        with suppress(ValueError):
            return clock.iso_span(value.strip())
    try:
        bound = typed_values.moment_of(value) or typed_values.date_of(value)
        return None if bound is None else clock.span(bound)
    except OverflowError:
        return None


def _facts(name: str, value: str) -> DocumentFacts:
    return DocumentFacts({}, properties={name: value})
