"""Large selections: sets of documents as bit arrays, and lists read in order until a page is full.

A database builds a tree or hash of some hundred thousand numbers before using the first, both for the total
and for the page; bit arrays are many times faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from sqlalchemy import Select, Text, and_, cast, func, or_, select, true, union_all
from sqlalchemy.orm import Session

from docduck.catalog.database import is_sqlite
from docduck.catalog.models import Document, DocumentCount, SearchEntry
from docduck.service.search.paging import count_in_status_and_folder, number_in, valued_in_order
from docduck.service.search.query import Order, SortBy
from docduck.service.search.selection import Selection

Bits = np.ndarray[Any, np.dtype[np.bool_]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]
_FEW = 20_000
_FIRST, _MOST = 256, 16_384
"""Rows fetched at a time: few at first, as the page may soon be full."""


def selected_bits(session: Session, selection: Selection) -> Bits:
    """Return a bit for each selected document's number, ignoring ``unindexed`` conditions."""
    highest = session.scalar(select(func.max(SearchEntry.number))) or 0
    bits: Bits | None = None
    for candidates in selection.candidate_sets:
        found = _bits(session, candidates.numbers, highest)
        bits = found if bits is None else bits & found
    for numbers, lacking in selection.exclusions:
        found = ~_bits(session, numbers, highest)
        if lacking is not None:
            found |= _bits(session, lacking, highest)
        bits = found if bits is None else bits & found
    if bits is None or not selection.candidate_sets:
        mine = _bits(session, selection.entries(SearchEntry.number), highest)
        return mine if bits is None else bits & mine
    clauses = selection.clauses or selection.document_clauses or selection.text_clauses
    if not clauses and all(candidates.is_of_parser for candidates in selection.candidate_sets):
        return bits
    if bits.sum() <= _FEW:
        inside = number_in(np.flatnonzero(bits).tolist(), selection.is_sqlite)
        return _bits(session, selection.entries(SearchEntry.number, by_number=True).where(inside), highest)
    if selection.has_location_only and count_in_status_and_folder(session, selection) > _total(session) / 2:
        return bits & ~_bits(session, _not_selected(selection), highest)
    return bits & _bits(session, selection.entries(SearchEntry.number), highest)


def _not_selected(selection: Selection) -> Select[Any]:
    """Return the complement of the selection's clauses, which is the smaller set."""
    mine = SearchEntry.parser_id == selection.parser_id
    others = or_(
        SearchEntry.parser_id < selection.parser_id,
        SearchEntry.parser_id > selection.parser_id,
        SearchEntry.parser_id.is_(None),
    )
    statements = [select(SearchEntry.number).where(others)]
    if selection.clauses:
        statements.append(select(SearchEntry.number).where(mine, and_(*selection.clauses).is_not(true())))
    return select(union_all(*statements).subquery().c.number)


def _total(session: Session) -> int:
    return session.scalar(select(func.sum(DocumentCount.documents))) or 0


def _bits(session: Session, numbers: Select[Any], highest: int) -> Bits:
    bits = np.zeros(highest + 1, dtype=np.bool_)
    # One text of all numbers is several times faster than a row for each.
    number = numbers.subquery().columns[0]
    joined = session.scalar(
        select(func.group_concat(number) if is_sqlite(session) else func.string_agg(cast(number, Text), ","))
    )
    if joined:
        found = np.fromstring(str(joined), dtype=np.int64, sep=",")
        # The index may contain numbers of deleted documents, but never higher ones.
        bits[found[found <= highest]] = True
    return bits


def page_of_bits(
    session: Session,
    selection: Selection,
    order: Order,
    bits: Bits,
    offset: int,
    limit: int,
    first: Sequence[int] = (),
) -> list[int]:
    """Return a page of the documents in ``bits``; those in ``first`` come first."""
    page = list(first[offset : offset + limit])
    if len(page) == limit:
        return page
    left = bits.copy()
    left[list(first)] = False
    skip = max(offset - len(first), 0)
    for numbers in _in_order(session, selection, order):
        fitting = _unseen(numbers, left)
        if skip >= len(fitting):
            skip -= len(fitting)
            continue
        page.extend(fitting[skip : skip + limit - len(page)].tolist())
        skip = 0
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


def _in_order(session: Session, selection: Selection, order: Order) -> Iterator[Numbers]:
    """Yield the numbers of all of a parser's documents in the list's order, in chunks."""
    mine = SearchEntry.parser_id == selection.parser_id
    newest = (
        select(SearchEntry.number)
        .where(mine)
        .order_by(SearchEntry.created_at.desc(), SearchEntry.number.desc())
    )
    if order.by is SortBy.FIELD and order.target is not None:
        yield from _streamed(session, valued_in_order(selection, order.target, descending=order.descending))
        yield from _streamed(session, newest)
        return
    if order.by in (SortBy.UPDATED, SortBy.NAME):
        key = Document.updated_at if order.by is SortBy.UPDATED else Document.name_key
        statement = (
            select(SearchEntry.number)
            .join(Document, Document.id == SearchEntry.document_id)
            .where(Document.parser_id == selection.parser_id)
        )
        ends = (key, Document.id)
        yield from _streamed(
            session, statement.order_by(*(one.desc() if order.descending else one.asc() for one in ends))
        )
        return
    if order.by is SortBy.CREATED and not order.descending:
        newest = select(SearchEntry.number).where(mine).order_by(SearchEntry.created_at, SearchEntry.number)
    yield from _streamed(session, newest)


def _streamed(session: Session, statement: Select[Any]) -> Iterator[Numbers]:
    result = session.connection().execute(statement, execution_options={"stream_results": True})
    size = _FIRST
    while rows := result.fetchmany(size):
        yield np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=len(rows))
        size = min(2 * size, _MOST)
