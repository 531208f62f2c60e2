"""Pages of selections in order, read from the nearer end and from narrow rows only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    SQLColumnExpression,
    any_,
    func,
    literal,
    select,
    tuple_,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from docduck.catalog.database import is_sqlite
from docduck.catalog.models import NO_FOLDER, Document, DocumentCount, SearchEntry, SearchValue
from docduck.service.conditions import ConditionTarget, Kind
from docduck.service.search.encoding import INCOMPARABLE, field_key
from docduck.service.search.index_tables import numbers_of
from docduck.service.search.query import Order, SortBy
from docduck.service.search.selection import Selection

_MANY = 50_000
"""Larger selections are not sorted: they are read in the list's order, and each document is tested."""
_OF_DOCUMENTS = {
    SortBy.UPDATED: Document.updated_at,
    SortBy.NAME: Document.name_key,
    SortBy.STATUS: Document.status,
    SortBy.CONFIDENCE: Document.confidence,
    SortBy.PAGES: Document.page_count,
}
_HIGHEST = {SortBy.CONFIDENCE: 2, SortBy.PAGES: 2**31 - 1}
"""More than any value of the columns that may be empty: documents without a value come last."""


def number_in(session: Session, numbers: Sequence[int]) -> ColumnElement[bool]:
    """Return the condition that an entry's number is in ``numbers``, however many."""
    if is_sqlite(session):
        items = func.json_each(json.dumps(list(numbers))).table_valued("value")
        return SearchEntry.number.in_(select(items.c.value))
    return SearchEntry.number == any_(literal(list(numbers), ARRAY(BigInteger)))


def sort_table(order: Order) -> type[SearchEntry | Document]:
    """Return the table that has the keys of a list's order; values of fields are in neither."""
    return Document if order.by in _OF_DOCUMENTS else SearchEntry


def keys_of(order: Order, *, backwards: bool = False) -> list[ColumnElement[Any]]:
    """Return what a list is ordered by; newest first if by relevance."""
    return _directed(order.descending != backwards, *_columns(order))


def _columns(order: Order) -> tuple[SQLColumnExpression[Any], SQLColumnExpression[Any]]:
    if order.by in _OF_DOCUMENTS:
        return document_key(order), Document.id
    return SearchEntry.created_at, SearchEntry.number


def document_key(order: Order) -> SQLColumnExpression[Any]:
    """Return the column of documents that a list is ordered by."""
    column = _OF_DOCUMENTS[order.by]
    if order.by in _HIGHEST:
        return func.coalesce(column, _absent(order))
    return column


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a document in a list: what it is sorted by, and what tells it from its equals."""

    key: Any
    tie: Any

    def before(self, descending: bool, key: Any, tie: Any) -> ColumnElement[bool]:
        """Return the condition that a row, by these columns, comes later in its list."""
        place = tuple_(literal(self.key, key.type), literal(self.tie, tie.type))
        row = tuple_(key, tie)
        return row < place if descending else row > place


def after(order: Order, place: Place | None) -> list[ColumnElement[bool]]:
    """Return the condition that a document comes after a place; none without one."""
    return [] if place is None else [place.before(order.descending, *_columns(order))]


def key_of(order: Order, document: Document) -> Any:
    """Return what a document is sorted by."""
    key = getattr(document, _OF_DOCUMENTS[order.by].key if order.by in _OF_DOCUMENTS else "created_at")
    return _absent(order) if key is None else key


def _absent(order: Order) -> int:
    return -1 if order.descending else _HIGHEST[order.by]


def page_numbers(
    session: Session,
    selection: Selection,
    order: Order,
    offset: int,
    limit: int,
    total: int,
    place: Place | None = None,
) -> list[int]:
    """Return the numbers on a page of the ``total`` documents of a selection without sets.

    The page begins at ``offset``, or after ``place``.
    """
    count = min(limit, total - offset)
    if count <= 0:
        return []
    if order.by is SortBy.FIELD and order.target is not None:
        return _by_value(session, selection, order.target, order.descending, offset, count)
    backwards = place is None and offset > total - offset - count
    statement = _rows(selection, order, in_list_order=total > _MANY).where(*after(order, place))
    statement = statement.order_by(*keys_of(order, backwards=backwards))
    numbers = list(
        session.scalars(statement.offset(total - offset - count if backwards else offset).limit(count))
    )
    if numbers and isinstance(numbers[0], str):
        known = numbers_of(session, numbers)
        numbers = [known[document_id] for document_id in numbers if document_id in known]
    return numbers[::-1] if backwards else numbers


def _rows(selection: Selection, order: Order, *, in_list_order: bool) -> Select[Any]:
    """Return the selected rows: document ids if their table is sufficient, otherwise entry numbers."""
    of_documents = sort_table(order) is Document
    if of_documents and in_list_order and not selection.clauses:
        located = selection.located(Document, in_list_order=True)
        return select(Document.id).where(Document.parser_id == selection.parser_id, *located)
    return selection.entries(SearchEntry.number, documents=of_documents, in_list_order=in_list_order)


def _by_value(
    session: Session,
    selection: Selection,
    target: ConditionTarget,
    descending: bool,
    offset: int,
    count: int,
) -> list[int]:
    """Return documents sorted by a field's value, then those without one, newest first."""
    valued = _of_key(selection, target)
    if not selection.is_everything:
        # Looked up one by one as far as the page needs.
        chosen = selection.entries(SearchEntry.number).correlate(SearchValue)
        valued = valued.where(chosen.where(SearchEntry.number == SearchValue.number).exists())
    value: ColumnElement[str] = SearchValue.value.expression
    if target.kind is Kind.LIST or target.column_id is not None:
        value = func.max(value) if descending else func.min(value)
        valued = valued.group_by(SearchValue.number)
    page = valued.order_by(*_directed(descending, value, SearchValue.number)).offset(offset).limit(count)
    numbers = list(session.scalars(page))
    if len(numbers) < count:
        with_value = session.scalar(select(func.count()).select_from(valued.subquery())) or 0
        without = (
            selection.entries(SearchEntry.number)
            .where(SearchEntry.number.not_in(_of_key(selection, target)))
            .order_by(SearchEntry.created_at.desc(), SearchEntry.number.desc())
            .offset(max(offset - with_value, 0))
            .limit(count - len(numbers))
        )
        numbers.extend(session.scalars(without))
    return numbers


def valued_in_order(selection: Selection, target: ConditionTarget, descending: bool) -> Select[Any]:
    """Return the numbers of a parser's documents by a field's values, possibly repeated."""
    return _of_key(selection, target).order_by(*_directed(descending, SearchValue.value, SearchValue.number))


def _of_key(selection: Selection, target: ConditionTarget) -> Select[int]:
    key = field_key(selection.parser_id, target.ref, target.kind)
    return select(SearchValue.number).where(
        SearchValue.key == key, SearchValue.value > "", SearchValue.value < INCOMPARABLE
    )


def _directed(descending: bool, *keys: SQLColumnExpression[Any]) -> list[ColumnElement[Any]]:
    return [key.desc() if descending else key.asc() for key in keys]


def documents_of(session: Session, numbers: Sequence[int]) -> list[Document]:
    """Return documents by number, in the same order."""
    rows = session.execute(
        select(SearchEntry.number, Document)
        .join(Document, Document.id == SearchEntry.document_id)
        .where(SearchEntry.number.in_(numbers))
    )
    documents = {number: document for number, document in rows}
    return [documents[number] for number in numbers if number in documents]


def count_selected(session: Session, selection: Selection) -> int:
    """Return how many documents a selection without sets has."""
    if selection.clauses:
        return session.scalar(selection.entries(func.count())) or 0
    return count_in_location(session, selection)


def count_in_location(session: Session, selection: Selection) -> int:
    """Return how many documents the parser has of the selection's status and folders."""
    statement = select(func.sum(DocumentCount.documents)).where(
        DocumentCount.parser_id == selection.parser_id
    )
    if selection.status is not None:
        statement = statement.where(DocumentCount.status == selection.status)
    if selection.folder_ids is not None:
        statement = statement.where(DocumentCount.folder_id.in_(selection.folder_ids or (NO_FOLDER,)))
    return int(session.scalar(statement) or 0)
