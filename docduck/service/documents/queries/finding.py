"""A page of the documents that a query selects, with the exact total, at any scale.

small candidate set       check each of its documents
filters without an index  check each remaining document, within a time limit
otherwise                 count, and read in the list's order
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from docduck.catalog.database import QueryTimedOut, is_sqlite
from docduck.catalog.models import Document, SearchEntry, SearchValue
from docduck.errors import InputError, Transient
from docduck.fields import Field
from docduck.service.conditions import Effort, Kind, OutOfTime, typed_values
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import DocumentRow, document_rows
from docduck.service.parsers.parser_settings import date_order_of
from docduck.service.parsers.parsers import find, view
from docduck.service.search.encoding import encoded, field_key
from docduck.service.search.entries import EXTERNAL_ID, NAME
from docduck.service.search.full_scan import MatchingDocument, scan_documents
from docduck.service.search.ordered_scan import page_of_bits, selected_bits
from docduck.service.search.paging import count_selected, ids_of, number_in, page_numbers
from docduck.service.search.query import NEWEST_FIRST, CheckedQuery, DocumentQuery, SortBy, check_query
from docduck.service.search.selection import CandidateSet, Selection, select_documents

FEW = 1000
"""Sets up to this size are checked document by document."""
MANY = 20_000
"""Largest candidate set that is used when filters have no index."""
MOST_EXACT = 1000
"""Most documents with an exact match that are sorted first."""
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class ResultPage:
    """A page of a list; ``page`` counts from 1."""

    rows: Sequence[DocumentRow]
    page: int
    limit: int
    total: int


def find_documents(inst: Installation, team_id: str, parser_id: str, query: DocumentQuery) -> ResultPage:
    """Return a page of a parser's documents that ``query`` selects.

    Raise NotFound for the parser, InputError for an invalid query or one that takes longer than
    ``search_seconds``, and Transient if it takes that long because the index is being updated.
    """
    seconds, stale = inst.settings.search_seconds, False
    try:
        with inst.catalog.read_session(seconds) as session:
            parser = find(session, team_id, parser_id)
            fields = view(parser).fields
            checked = check_query(query, fields, date_order_of(parser.settings))
            selection = select_documents(session, parser.id, fields, checked, is_sqlite(session))
            stale = selection.stale
            effort = Effort(seconds, inst.settings.regex_work)
            numbers, total = _page(session, selection, fields, checked, effort)
            ids = ids_of(session, numbers)
            documents = {one.id: one for one in session.scalars(select(Document).where(Document.id.in_(ids)))}
            rows = document_rows(session, [documents[one] for one in ids if one in documents])
            return ResultPage(rows, query.page, query.limit, total)
    except (OutOfTime, QueryTimedOut) as error:
        raise _too_long(stale) from error


def _too_long(stale: bool) -> InputError | Transient:
    if stale:
        return Transient(
            "The index of this parser's documents is being brought up to date, and without it this search "
            "takes too long; try again later"
        )
    return InputError(
        "This search takes too long, as it must look at too many documents one by one; narrow it with a "
        "further filter or word",
        "filters",
    )


def _page(
    session: Session, selection: Selection, fields: Sequence[Field], query: CheckedQuery, effort: Effort
) -> tuple[list[int], int]:
    offset, limit = (query.request.page - 1) * query.request.limit, query.request.limit
    order = query.order
    candidates, size = _smallest(session, selection)
    by_stale_value = selection.stale and order.by is SortBy.FIELD
    looking = bool(selection.unindexed or by_stale_value or (selection.stale and selection.text))
    if looking or size <= FEW:
        found = list(scan_documents(session, selection, order, candidates, effort))
        return _of_found(session, selection, query, fields, found)[offset : offset + limit], len(found)
    if selection.candidate_sets or selection.negated:
        return _of_bits(session, selection, query, fields)
    total = count_selected(session, selection)
    if order.by is SortBy.RELEVANCE:
        return _relevant(session, selection, query, fields, total), total
    return page_numbers(session, selection, order, offset, limit, total), total


def _of_bits(
    session: Session, selection: Selection, query: CheckedQuery, fields: Sequence[Field]
) -> tuple[list[int], int]:
    """Return a page of a large selection, and the total."""
    bits = selected_bits(session, selection)
    total = int(bits.sum())
    offset, limit = (query.request.page - 1) * query.request.limit, query.request.limit
    if offset >= total:
        return [], total
    first: list[int] = []
    if query.order.by is SortBy.RELEVANCE:
        exact = [number for number in _exact(session, selection, query, fields) if bits[number]]
        first = page_numbers(
            session,
            _all_of(selection),
            NEWEST_FIRST,
            0,
            len(exact),
            len(exact),
            [number_in(exact, selection.is_sqlite)],
        )
    return page_of_bits(session, selection, query.order, bits, offset, limit, first), total


def _all_of(selection: Selection) -> Selection:
    """Return a selection of all documents of the parser."""
    return Selection(selection.parser_id, selection.schema, selection.is_sqlite)


def _smallest(session: Session, selection: Selection) -> tuple[CandidateSet | None, int]:
    """Return the smallest candidate set and its size, unless it is too large."""
    best: CandidateSet | None = None
    least = (MANY if selection.unindexed else FEW) + 1
    for candidates in selection.candidate_sets:
        size = (
            session.scalar(select(func.count()).select_from(candidates.numbers.limit(least).subquery())) or 0
        )
        if size < least:
            best, least = candidates, size
    return best, least


def _of_found(
    session: Session,
    selection: Selection,
    query: CheckedQuery,
    fields: Sequence[Field],
    found: list[MatchingDocument],
) -> list[int]:
    """Sort scanned documents, which come newest first, in the query's order."""
    order = query.order
    if order.by is SortBy.FIELD:
        valued = sorted(
            (one for one in found if one.key is not None),
            key=lambda one: (one.key, one.number),
            reverse=order.descending,
        )
        return [one.number for one in (*valued, *(one for one in found if one.key is None))]
    numbers = [one.number for one in found]
    if order.by is SortBy.RELEVANCE:
        exact = set(_exact(session, selection, query, fields))
        return [*(n for n in numbers if n in exact), *(n for n in numbers if n not in exact)]
    if order.by is SortBy.CREATED:
        return numbers if order.descending else numbers[::-1]
    only = Selection(selection.parser_id, selection.schema, selection.is_sqlite)
    return page_numbers(
        session, only, order, 0, len(numbers), len(numbers), [number_in(numbers, only.is_sqlite)]
    )


def _relevant(
    session: Session, selection: Selection, query: CheckedQuery, fields: Sequence[Field], total: int
) -> list[int]:
    """Return a page by relevance: exact matches first."""
    offset, limit = (query.request.page - 1) * query.request.limit, query.request.limit
    exact = _exact(session, selection, query, fields)
    if not exact:
        return page_numbers(session, selection, NEWEST_FIRST, offset, limit, total)
    inside = number_in(exact, selection.is_sqlite)
    first = list(
        session.scalars(
            selection.entries(SearchEntry.number)
            .where(*selection.sets(), inside)
            .order_by(SearchEntry.created_at.desc(), SearchEntry.number.desc())
        )
    )
    page = first[offset : offset + limit]
    further: list[ColumnElement[bool]] = [~number_in(first, selection.is_sqlite)] if first else []
    left = max(offset - len(first), 0)
    rest = total - len(first)
    return page + page_numbers(session, selection, NEWEST_FIRST, left, limit - len(page), rest, further)


def _exact(session: Session, selection: Selection, query: CheckedQuery, fields: Sequence[Field]) -> list[int]:
    """Return documents whose name, external id or a value equals ``q``; empty if there are too many."""
    if selection.stale:
        return []
    refs = [(NAME, Kind.TEXT), (EXTERNAL_ID, Kind.TEXT), *selection.schema.fields]
    day = typed_values.with_iso_date(query.whole, query.date_order)
    wanted = [
        (field_key(selection.parser_id, ref, kind), value)
        for ref, kind in refs
        if kind not in (Kind.TABLE, Kind.BOOLEAN)
        and (value := encoded(kind, day if kind is Kind.DATE else query.whole)) is not None
    ]
    tests = [(SearchValue.key == key) & (SearchValue.value == value) for key, value in wanted]
    found = list(session.scalars(select(SearchValue.number).where(or_(*tests)).limit(MOST_EXACT + 1)))
    return found if len(found) <= MOST_EXACT else []
