"""Pages of selections in order, read from the nearer end and from narrow rows only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, any_, func, literal, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute, Session

from docduck.catalog.models import NO_FOLDER, Document, DocumentCount, SearchEntry, SearchValue
from docduck.service.conditions import ConditionTarget, Kind
from docduck.service.search.encoding import INCOMPARABLE, field_key
from docduck.service.search.query import Order, SortBy
from docduck.service.search.selection import Selection, in_folders

_MANY = 50_000
"""Larger selections are not sorted: they are read in the list's order, and each document is tested."""
_OF_DOCUMENTS = {SortBy.UPDATED: Document.updated_at, SortBy.NAME: Document.name_key}


def number_in(numbers: Sequence[int], is_sqlite: bool) -> ColumnElement[bool]:
    """Return the condition that an entry's number is in ``numbers``, however many."""
    if is_sqlite:
        items = func.json_each(json.dumps(list(numbers))).table_valued("value")
        return SearchEntry.number.in_(select(items.c.value))
    return SearchEntry.number == any_(literal(list(numbers), ARRAY(BigInteger)))


def page_numbers(
    session: Session,
    selection: Selection,
    order: Order,
    offset: int,
    limit: int,
    total: int,
    further: Sequence[ColumnElement[bool]] = (),
) -> list[int]:
    """Return the numbers on a page of the ``total`` selected documents for which ``further`` holds."""
    count = min(limit, total - offset)
    if count <= 0:
        return []
    if order.by is SortBy.FIELD and order.target is not None:
        return _by_value(session, selection, order, order.target, offset, count, total)
    backwards = offset > total - offset - count
    descending = order.descending != backwards
    statement = (
        _rows(selection, order, total > _MANY, further)
        .order_by(*(key.desc() if descending else key.asc() for key in _keys(order)))
        .offset(total - offset - count if backwards else offset)
        .limit(count)
    )
    found = list(session.scalars(statement))
    if found and isinstance(found[0], str):
        found = numbers_of(session, found)
    return found[::-1] if backwards else found


def _rows(
    selection: Selection, order: Order, in_list_order: bool, further: Sequence[ColumnElement[bool]]
) -> Select[Any]:
    """Return the selected rows: document ids if their table is sufficient, otherwise entry numbers."""
    if not (in_list_order and order.by in _OF_DOCUMENTS and selection.is_counted and not further):
        statement = selection.entries(
            SearchEntry.number, documents=order.by in _OF_DOCUMENTS, in_list_order=in_list_order
        )
        return statement.where(*selection.sets(), *further)
    statement = select(Document.id).where(Document.parser_id == selection.parser_id)
    # As an expression, so that SQLite reads the order's index instead of sorting all documents of a status.
    if selection.wanted_status is not None:
        statement = statement.where(Document.status.concat("") == selection.wanted_status)
    if selection.folder_ids is not None:
        statement = statement.where(in_folders(func.coalesce(Document.folder_id, None), selection.folder_ids))
    return statement


def _keys(order: Order) -> tuple[InstrumentedAttribute[Any], ...]:
    if order.by in _OF_DOCUMENTS:
        return (_OF_DOCUMENTS[order.by], Document.id)
    return (SearchEntry.created_at, SearchEntry.number)


def _by_value(
    session: Session,
    selection: Selection,
    order: Order,
    target: ConditionTarget,
    offset: int,
    count: int,
    total: int,
) -> list[int]:
    """Return documents sorted by a field's value, then those without one, newest first."""
    valued = _valued(selection, target)
    with_value: int | None = None
    backwards = False
    if offset > total // 2:
        with_value = _count_valued(session, valued)
        backwards = offset + count <= with_value and offset > with_value - offset - count
    skipped = with_value - offset - count if backwards and with_value is not None else offset
    found: list[int] = []
    if with_value is None or offset < with_value:
        wanted = count if with_value is None else min(count, with_value - offset)
        found = list(session.scalars(_sorted(valued, order, target, backwards).offset(skipped).limit(wanted)))
        found = found[::-1] if backwards else found
    if len(found) < count:
        if with_value is None:
            with_value = _count_valued(session, valued)
        without = (
            selection.entries(SearchEntry.number)
            .where(SearchEntry.number.not_in(_of_key(selection, target)))
            .order_by(SearchEntry.created_at.desc(), SearchEntry.number.desc())
            .offset(max(offset - with_value, 0))
            .limit(count - len(found))
        )
        found.extend(session.scalars(without))
    return found


def _of_key(selection: Selection, target: ConditionTarget) -> Select[int]:
    key = field_key(selection.parser_id, target.ref, target.kind)
    return select(SearchValue.number).where(
        SearchValue.key == key, SearchValue.value > "", SearchValue.value < INCOMPARABLE
    )


def _several(target: ConditionTarget) -> bool:
    return target.kind is Kind.LIST or target.column_id is not None


def _valued(selection: Selection, target: ConditionTarget) -> Select[Any]:
    """Return the selection's values of a field in the order of the index."""
    statement = _of_key(selection, target)
    if not (selection.is_counted and selection.wanted_status is None and selection.folder_ids is None):
        # Looked up one by one as far as the page needs.
        chosen = selection.entries(SearchEntry.number, by_number=True).correlate(SearchValue)
        statement = statement.where(chosen.where(SearchEntry.number == SearchValue.number).exists())
    return statement.group_by(SearchValue.number) if _several(target) else statement


def _sorted(valued: Select[Any], order: Order, target: ConditionTarget, backwards: bool) -> Select[Any]:
    value: Any = SearchValue.value
    if _several(target):
        value = func.max(SearchValue.value) if order.descending else func.min(SearchValue.value)
    if order.descending != backwards:
        return valued.order_by(value.desc(), SearchValue.number.desc())
    return valued.order_by(value.asc(), SearchValue.number.asc())


def _count_valued(session: Session, valued: Select[Any]) -> int:
    return session.scalar(select(func.count()).select_from(valued.subquery())) or 0


def valued_in_order(selection: Selection, target: ConditionTarget, *, descending: bool) -> Select[Any]:
    """Return the numbers of a parser's documents by a field's values, possibly repeated."""
    statement = _of_key(selection, target)
    keys = (SearchValue.value, SearchValue.number)
    return statement.order_by(*(key.desc() if descending else key.asc() for key in keys))


def ids_of(session: Session, numbers: Sequence[int]) -> list[str]:
    """Return documents' ids by number, in the same order."""
    rows = session.execute(
        select(SearchEntry.number, SearchEntry.document_id).where(SearchEntry.number.in_(numbers))
    )
    found = {number: document_id for number, document_id in rows}
    return [found[number] for number in numbers if number in found]


def numbers_of(session: Session, ids: Sequence[str]) -> list[int]:
    """Return documents' numbers by id, in the same order."""
    rows = session.execute(
        select(SearchEntry.document_id, SearchEntry.number).where(SearchEntry.document_id.in_(ids))
    )
    found = {document_id: number for document_id, number in rows}
    return [found[one] for one in ids if one in found]


def count_selected(session: Session, selection: Selection) -> int:
    """Return how many documents are selected, ignoring ``unindexed`` conditions."""
    if selection.is_counted:
        return count_in_status_and_folder(session, selection)
    return session.scalar(selection.entries(func.count()).where(*selection.sets())) or 0


def count_in_status_and_folder(session: Session, selection: Selection) -> int:
    """Return how many documents the parser has in the selection's status and folders."""
    statement = select(func.sum(DocumentCount.documents)).where(
        DocumentCount.parser_id == selection.parser_id
    )
    if selection.wanted_status is not None:
        statement = statement.where(DocumentCount.status == selection.wanted_status)
    if selection.folder_ids is not None:
        statement = statement.where(DocumentCount.folder_id.in_(selection.folder_ids or (NO_FOLDER,)))
    return int(session.scalar(statement) or 0)
