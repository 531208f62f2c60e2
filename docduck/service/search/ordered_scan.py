"""Large selections: sets as bits by number, and lists that are walked until a page is full.

A database puts a set of some hundred thousand numbers into a tree or a hash before it looks at the
first, once for the total and once for the page; a bit for each is many times faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from sqlalchemy import Select, Text, and_, cast, func, or_, select, true, union_all
from sqlalchemy.orm import Session

from docduck.catalog.database import engine_of
from docduck.catalog.models import Document, DocumentCount, SearchEntry
from docduck.service.search.counting import total_of_places
from docduck.service.search.paging import listed, valued_in_order
from docduck.service.search.query import By, Order
from docduck.service.search.selection import Selection

Bits = np.ndarray[Any, np.dtype[np.bool_]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]
_FEW = 20_000
_FIRST, _MOST = 256, 16_384
"""Rows that are looked at together: few at first, as a page may be full soon."""


def chosen(session: Session, selection: Selection) -> Bits:
    """What is selected, a bit for each number; ``tests`` are not looked at."""
    highest = session.scalar(select(func.max(SearchEntry.number))) or 0
    bits: Bits | None = None
    for driver in selection.drivers:
        found = _bits(session, driver.numbers, highest)
        bits = found if bits is None else bits & found
    for numbers, lacking in selection.outside:
        found = ~_bits(session, numbers, highest)
        if lacking is not None:
            found |= _bits(session, lacking, highest)
        bits = found if bits is None else bits & found
    if bits is None or not selection.drivers:
        mine = _bits(session, selection.entries(SearchEntry.number), highest)
        return mine if bits is None else bits & mine
    clauses = selection.clauses or selection.document_clauses or selection.text_clauses
    if not clauses and all(driver.is_of_parser for driver in selection.drivers):
        return bits
    if bits.sum() <= _FEW:
        inside = listed(np.flatnonzero(bits).tolist(), selection.is_sqlite)
        return _bits(session, selection.entries(SearchEntry.number, driven=True).where(inside), highest)
    if selection.has_places_only and total_of_places(session, selection) > _total(session) / 2:
        return bits & ~_bits(session, _not_selected(selection), highest)
    return bits & _bits(session, selection.entries(SearchEntry.number), highest)


def _not_selected(selection: Selection) -> Select[Any]:
    """All entries but those of the parser that its clauses select: the fewer ones."""
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
    # One text of all numbers comes out of a database several times as fast as a row for each.
    number = numbers.subquery().columns[0]
    is_sqlite = engine_of(session).dialect.name == "sqlite"
    joined = session.scalar(
        select(func.group_concat(number) if is_sqlite else func.string_agg(cast(number, Text), ","))
    )
    if joined:
        found = np.fromstring(str(joined), dtype=np.int64, sep=",")
        # An index may know numbers of documents that are gone, but never higher ones than there were.
        bits[found[found <= highest]] = True
    return bits


def page_of_chosen(
    session: Session,
    selection: Selection,
    order: Order,
    bits: Bits,
    offset: int,
    limit: int,
    first: Sequence[int] = (),
) -> list[int]:
    """The numbers on a page of the ``bits``; those in ``first`` come before all others."""
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
    """Those of ``numbers`` that are left, each once and in their order; they are left no more."""
    fitting: Numbers = numbers[left[numbers]]
    if len(fitting):
        _, at = np.unique(fitting, return_index=True)
        fitting = fitting[np.sort(at)]
        left[fitting] = False
    return fitting


def _in_order(session: Session, selection: Selection, order: Order) -> Iterator[Numbers]:
    """The numbers of all of a parser's documents in the list's order, some at a time."""
    mine = SearchEntry.parser_id == selection.parser_id
    newest = (
        select(SearchEntry.number)
        .where(mine)
        .order_by(SearchEntry.created_at.desc(), SearchEntry.number.desc())
    )
    if order.by is By.FIELD and order.target is not None:
        yield from _streamed(session, valued_in_order(selection, order.target, descending=order.descending))
        yield from _streamed(session, newest)
        return
    if order.by in (By.UPDATED, By.NAME):
        key = Document.updated_at if order.by is By.UPDATED else Document.name_key
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
    if order.by is By.CREATED and not order.descending:
        newest = select(SearchEntry.number).where(mine).order_by(SearchEntry.created_at, SearchEntry.number)
    yield from _streamed(session, newest)


def _streamed(session: Session, statement: Select[Any]) -> Iterator[Numbers]:
    result = session.connection().execute(statement, execution_options={"stream_results": True})
    size = _FIRST
    while rows := result.fetchmany(size):
        yield np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=len(rows))
        size = min(2 * size, _MOST)
