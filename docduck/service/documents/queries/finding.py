"""A page of the documents that a query selects, with the exact total, at any scale.

status, folder, creation time, properties   count, and read in the list's order
words, values                               sets of documents from the index, as bit arrays
conditions without an index                 check each document of these sets, within a time limit
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from contextlib import contextmanager
from itertools import chain
from typing import Any

import numpy as np
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from docduck.catalog.database import QueryTimedOut
from docduck.catalog.models import Document, Parser, SearchEntry, SearchValue
from docduck.errors import InputError, Transient
from docduck.extraction.values import typed_values
from docduck.service.conditions import Condition, Effort, Kind, OutOfTime
from docduck.service.conditions.work_limits import SEARCH_SECONDS
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page, chunks
from docduck.service.documents.queries.document_views import DocumentRow, document_rows
from docduck.service.documents.queries.list_cursors import ListPosition, cursor_after, position_of
from docduck.service.parsers.parser_settings import date_order_of
from docduck.service.parsers.parsers import find, view
from docduck.service.search.duplicate_filter import duplicate_keys, duplicate_numbers
from docduck.service.search.encoding import encoded, field_key
from docduck.service.search.entries import EXTERNAL_ID, NAME
from docduck.service.search.full_scan import matching
from docduck.service.search.ordered_scan import (
    Bits,
    bits_of,
    in_order,
    page_of_bits,
    selected_bits,
    sorted_numbers,
)
from docduck.service.search.paging import count_selected, documents_of, page_numbers, sort_table
from docduck.service.search.query import NEWEST_FIRST, CheckedQuery, DocumentQuery, SortBy, check_query
from docduck.service.search.selection import NumberSet, Selection, select_documents

MOST_IDS = 20_000
"""Most documents whose ids are returned at once."""
MOST_EXACT = 1000
"""Most documents with an exact match that are sorted first."""
_STALE = "docduck_stale_index"
"""What a session knows of the index of the parser that is searched."""


def find_documents(
    inst: Installation, team_id: str, parser_id: str, query: DocumentQuery
) -> Page[DocumentRow]:
    """Return a page of a parser's documents that ``query`` selects.

    Raise NotFound for the parser, InputError for an invalid query or one that takes longer than
    ``SEARCH_SECONDS``, and Transient if it takes that long because the index is being updated.
    """
    with search_session(inst) as session:
        selection, checked = _select(session, find(session, team_id, parser_id), query)
        list_name = f"documents {team_id} {selection.parser_id}"
        position = position_of(inst, list_name, checked)
        numbers, total = _page(session, selection, checked, position, Effort(SEARCH_SECONDS))
        documents = documents_of(session, numbers[: query.limit])
        cursor = None
        if len(numbers) > query.limit:
            of_documents = sort_table(checked.order) is Document
            tie = documents[-1].id if of_documents else numbers[query.limit - 1]
            cursor = cursor_after(inst, list_name, checked.order, position.page, documents[-1], tie)
        rows = document_rows(session, documents, with_data=query.with_data)
        return Page(rows, position.page, query.limit, total, cursor)


def find_document_ids(inst: Installation, team_id: str, parser_id: str, query: DocumentQuery) -> list[str]:
    """Return the ids of all documents of a parser that ``query`` selects, in no order.

    Raise the errors of ``find_documents``, and InputError for more than ``MOST_IDS``.
    """
    with search_session(inst) as session:
        selection, _ = _select(session, find(session, team_id, parser_id), query)
        numbers = _selected(session, selection, Effort(SEARCH_SECONDS))
        check_count(numbers)
        return _ids_of(session, numbers)


@contextmanager
def search_session(inst: Installation) -> Iterator[Session]:
    """Yield a session to search in; raise the error of a search that exceeds ``SEARCH_SECONDS``."""
    is_stale = False
    try:
        with inst.catalog.read_session(SEARCH_SECONDS) as session:
            try:
                yield session
            finally:
                is_stale = session.info.get(_STALE, False)
    except (OutOfTime, QueryTimedOut) as error:
        raise _too_long(is_stale) from error


def _select(session: Session, parser: Parser, query: DocumentQuery) -> tuple[Selection, CheckedQuery]:
    seen = view(parser)
    checked = check_query(query, seen.fields, date_order_of(parser.settings))
    selection = select_documents(session, parser.id, seen.fields, checked)
    session.info[_STALE] = selection.stale
    if query.duplicates:
        keys = duplicate_keys(seen.fields, seen.settings)
        selection.sets.append(NumberSet(duplicate_numbers(parser.id, keys)))
    return selection, checked


def filter_query(parser: Parser, filters: Sequence[Any]) -> CheckedQuery:
    """Return the query with these filters alone; raise InputError."""
    return check_query(DocumentQuery(filters=filters), view(parser).fields, date_order_of(parser.settings))


def matching_ids(session: Session, parser: Parser, query: CheckedQuery, effort: Effort) -> set[str]:
    """Return the ids of all the parser's documents that match the filters of ``query``.

    Raise InputError or Transient if ``effort`` is exceeded.
    """
    selection = select_documents(session, parser.id, view(parser).fields, query)
    try:
        return {*_ids_of(session, _selected(session, selection, effort))}
    except OutOfTime as error:
        raise _too_long(selection.stale) from error


def _selected(session: Session, selection: Selection, effort: Effort) -> list[int]:
    """Return the numbers of the selected documents; raise OutOfTime."""
    bits, left = selected_bits(session, selection)
    return _checked(session, selection, bits, left, effort)


def _checked(
    session: Session, selection: Selection, bits: Bits, left: Sequence[Condition], effort: Effort
) -> list[int]:
    """Return those of the documents in ``bits`` that satisfy what has no index; raise OutOfTime."""
    numbers: list[int] = np.flatnonzero(bits).tolist()
    if left or selection.unindexed_words is not None:
        return list(matching(session, selection, left, numbers, effort))
    return numbers


def _ids_of(session: Session, numbers: Sequence[int]) -> list[str]:
    ids = select(SearchEntry.document_id)
    return [
        document_id
        for some in chunks(numbers)
        for document_id in session.scalars(ids.where(SearchEntry.number.in_(some)))
    ]


def check_count(documents: Sized) -> None:
    """Raise InputError for more than ``MOST_IDS`` documents."""
    if len(documents) > MOST_IDS:
        raise InputError(
            f"These are more than {MOST_IDS:,} documents, the most that can be chosen at once; narrow the"
            " list with a further filter or word"
        )


def _too_long(stale: bool) -> InputError | Transient:
    """Return the error of a search that exceeds its time; the index may be ``stale``."""
    if stale:
        return Transient(
            "The index of this parser's documents is being brought up to date, and without it this search "
            "takes too long; try again later"
        )
    return InputError(
        "This search takes too long, as it must look at too many documents one by one; narrow it with a "
        "further filter or word",
        "filters",
        code="search_too_long",
    )


def _page(
    session: Session, selection: Selection, query: CheckedQuery, position: ListPosition, effort: Effort
) -> tuple[list[int], int]:
    """Return the numbers of a page and one more, if there is one, and the total."""
    order, place = query.order, position.place
    offset = 0 if place else (position.page - 1) * query.request.limit
    limit = query.request.limit + 1
    by_stale_value = selection.stale and order.by is SortBy.FIELD
    if not (selection.sets or selection.needs_scan or by_stale_value or order.by is SortBy.RELEVANCE):
        total = count_selected(session, selection)
        return page_numbers(session, selection, order, offset, limit, total, place), total
    bits, left = selected_bits(session, selection)
    if left or selection.unindexed_words is not None:
        bits = bits_of(_checked(session, selection, bits, left, effort), len(bits) - 1)
    total = int(bits.sum())
    if offset >= total:
        return [], total
    listed = in_order(session, selection, order, bits, effort, place)
    if order.by is SortBy.RELEVANCE:
        exact = sorted_numbers(session, _exact(session, selection, query), NEWEST_FIRST)
        listed = chain([np.array(exact, dtype=np.int64)], listed)
    return page_of_bits(listed, bits, offset, limit), total


def _exact(session: Session, selection: Selection, query: CheckedQuery) -> list[int]:
    """Return documents whose name, external id or a value equals ``q``; empty if there are too many."""
    if selection.stale:
        return []
    refs = [(NAME, Kind.TEXT), (EXTERNAL_ID, Kind.TEXT), *selection.schema.fields]
    day = typed_values.with_iso_date(query.whole, query.date_order)
    values = [
        (field_key(selection.parser_id, ref, kind), value)
        for ref, kind in refs
        if kind not in (Kind.TABLE, Kind.BOOLEAN)
        and (value := encoded(kind, day if kind is Kind.DATE else query.whole)) is not None
    ]
    tests = [(SearchValue.key == key) & (SearchValue.value == value) for key, value in values]
    numbers = list(session.scalars(select(SearchValue.number).where(or_(*tests)).limit(MOST_EXACT + 1)))
    return numbers if len(numbers) <= MOST_EXACT else []
