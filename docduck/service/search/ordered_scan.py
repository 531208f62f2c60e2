"""Sets of documents as bit arrays, and lists read in order until a page is full.

A database builds a tree or hash of some hundred thousand numbers before using the first, both for the total
and for the page; bit arrays are many times faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from sqlalchemy import Select, Text, and_, cast, func, or_, select, true, union_all
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, DocumentCount, SearchEntry
from docduck.service.conditions import Condition, Effort
from docduck.service.search.full_scan import sorted_by_values
from docduck.service.search.paging import (
    Place,
    after,
    count_in_location,
    keys_of,
    number_in,
    sort_table,
    valued_in_order,
)
from docduck.service.search.query import NEWEST_FIRST, Order, SortBy
from docduck.service.search.selection import Selection

Bits = np.ndarray[Any, np.dtype[np.bool_]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]
FEW = 1000
"""So many documents are read or sorted; for more, the index is read."""
_FEW_LOOKUPS = 20_000
_FIRST, _MOST = 256, 16_384
"""Rows fetched at a time: few at first, as the page may soon be full."""


def selected_bits(session: Session, selection: Selection) -> tuple[Bits, list[Condition]]:
    """Return a bit for each selected document's number, and the conditions that are left to check."""
    highest = session.scalar(select(func.max(SearchEntry.number))) or 0
    bits: Bits | None = None
    is_checked = False
    left = list(selection.unindexed)
    # Those without a condition first: they can't be left out. Exclusions last: they are large.
    for part in sorted(selection.sets, key=lambda part: (part.excluded, part.condition is not None)):
        if part.excluded and bits is None:
            bits, is_checked = _of_entries(session, selection, highest, None), True
        if bits is not None and part.condition is not None and bits.sum() <= FEW:
            # Reading a few documents takes less time than a large set.
            left.append(part.condition)
            continue
        chosen = _bits(session, part.numbers, highest)
        if part.excluded:
            chosen = ~chosen
            if part.besides is not None:
                chosen |= _bits(session, part.besides, highest)
        bits = chosen if bits is None else bits & chosen
        is_checked = is_checked or (part.is_of_parser and not part.excluded and selection.is_everything)
    if bits is None or not is_checked:
        bits = _of_entries(session, selection, highest, bits)
    return bits, left


def _of_entries(session: Session, selection: Selection, highest: int, bits: Bits | None) -> Bits:
    """Return those of ``bits``, or of all, that match parser, status, folders and clauses."""
    entries = selection.entries(SearchEntry.number)
    if bits is None:
        return _bits(session, entries, highest)
    if bits.sum() <= _FEW_LOOKUPS:
        inside = number_in(session, np.flatnonzero(bits).tolist())
        return _bits(session, selection.entries(SearchEntry.number, by_number=True).where(inside), highest)
    if not selection.clauses and count_in_location(session, selection) > _total(session) / 2:
        return bits & ~_bits(session, _not_located(selection), highest)
    return bits & _bits(session, entries, highest)


def _not_located(selection: Selection) -> Select[Any]:
    """Return the complement of the parser's status and folders, which is the smaller set."""
    mine = SearchEntry.parser_id == selection.parser_id
    others = or_(
        SearchEntry.parser_id < selection.parser_id,
        SearchEntry.parser_id > selection.parser_id,
        SearchEntry.parser_id.is_(None),
    )
    statements = [select(SearchEntry.number).where(others)]
    if located := selection.located(SearchEntry):
        statements.append(select(SearchEntry.number).where(mine, and_(*located).is_not(true())))
    return select(union_all(*statements).subquery().c.number)


def _total(session: Session) -> int:
    return session.scalar(select(func.sum(DocumentCount.documents))) or 0


def _bits(session: Session, numbers: Select[Any], highest: int) -> Bits:
    # One text of all numbers is several times faster than a row for each.
    number = numbers.subquery().columns[0]
    joined = session.scalar(select(func.aggregate_strings(cast(number, Text), ",")))
    selected = np.fromstring(joined, dtype=np.int64, sep=",") if joined else np.empty(0, dtype=np.int64)
    # The index may contain numbers of deleted documents, but never higher ones.
    return bits_of(selected[selected <= highest], highest)


def bits_of(numbers: Sequence[int] | Numbers, highest: int) -> Bits:
    """Return a bit for each of ``numbers``."""
    bits = np.zeros(highest + 1, dtype=np.bool_)
    bits[numbers] = True
    return bits


def in_order(
    session: Session,
    selection: Selection,
    order: Order,
    bits: Bits,
    effort: Effort,
    place: Place | None = None,
) -> Iterator[Numbers]:
    """Yield numbers in the list's order in chunks, of all documents or those after ``place``.

    They contain those in ``bits``; others and repetitions are to be ignored. Raise OutOfTime.
    """
    few = np.flatnonzero(bits).tolist() if bits.sum() <= FEW else None
    if order.by is SortBy.FIELD and order.target is not None:
        if few is not None or selection.stale:
            numbers = np.flatnonzero(bits).tolist()
            yield _array(sorted_by_values(session, numbers, order.target, order.descending, effort))
        else:
            yield from _streamed(session, valued_in_order(selection, order.target, order.descending))
        order = NEWEST_FIRST
    if few is not None:
        yield _array(sorted_numbers(session, few, order, place))
        return
    table = sort_table(order)
    mine = (table.parser_id == selection.parser_id, *after(order, place))
    statement = select(SearchEntry.number).where(*mine)
    if table is Document:
        statement = statement.join(Document, Document.id == SearchEntry.document_id)
    yield from _streamed(session, statement.order_by(*keys_of(order)))


def sorted_numbers(
    session: Session, numbers: Sequence[int], order: Order, place: Place | None = None
) -> list[int]:
    """Return ``numbers``, or those after ``place``, in the order of a list not sorted by a field."""
    statement = select(SearchEntry.number).join(Document, Document.id == SearchEntry.document_id)
    wanted = (number_in(session, numbers), *after(order, place))
    return list(session.scalars(statement.where(*wanted).order_by(*keys_of(order))))


def page_of_bits(chunks: Iterable[Numbers], bits: Bits, offset: int, limit: int) -> list[int]:
    """Return a page of the documents in ``bits``, in the order in which ``chunks`` first name them."""
    left, page, skip = bits.copy(), list[int](), offset
    for numbers in chunks:
        fitting = _unseen(numbers, left)
        page.extend(fitting[skip : skip + limit - len(page)].tolist())
        skip = max(skip - len(fitting), 0)
        if len(page) == limit:
            break
    return page


def _unseen(numbers: Numbers, left: Bits) -> Numbers:
    """Return those of ``numbers`` that are in ``left``, each once and in order, and remove them from it."""
    fitting: Numbers = numbers[left[numbers]]
    if len(fitting):
        _, at = np.unique(fitting, return_index=True)
        fitting = fitting[np.sort(at)]
        left[fitting] = False
    return fitting


def _streamed(session: Session, statement: Select[Any]) -> Iterator[Numbers]:
    result = session.connection().execute(statement, execution_options={"stream_results": True})
    size = _FIRST
    while rows := result.fetchmany(size):
        yield _array(list(chain.from_iterable(rows)))
        size = min(2 * size, _MOST)


def _array(numbers: Sequence[int]) -> Numbers:
    return np.array(numbers, dtype=np.int64)
