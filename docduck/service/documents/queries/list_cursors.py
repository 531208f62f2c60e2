"""Cursors of lists of documents: the number of the next page, and the place at which it begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docduck.catalog.models import Document
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.search.cursors import read_cursor, write_cursor
from docduck.service.search.paging import Place, key_of
from docduck.service.search.query import WITHOUT_CURSORS, CheckedQuery, Order


@dataclass(frozen=True, slots=True)
class ListPosition:
    """Where a page of a list begins: after ``place``, or without one at its number."""

    page: int
    place: Place | None = None


def position_of(inst: Installation, list_name: str, query: CheckedQuery) -> ListPosition:
    """Return where the page of a query begins; raise InputError for a cursor of another list or order."""
    if query.request.cursor is None:
        return ListPosition(query.request.page)
    sort, page, key, tie = read_cursor(inst.settings, list_name, query.request.cursor)
    if sort != _sort(query.order):
        raise InputError(
            f"The cursor is of a list with the sort {sort}; send the parameters that it came with", "cursor"
        )
    return ListPosition(int(str(page)), Place(key, tie))


def cursor_after(
    inst: Installation, list_name: str, order: Order, page: int, document: Document, tie: Any
) -> str | None:
    """Return the cursor after the last document of a page; None for orders without cursors."""
    if order.by in WITHOUT_CURSORS:
        return None
    keys = [_sort(order), page + 1, key_of(order, document), tie]
    return write_cursor(inst.settings, list_name, keys)


def _sort(order: Order) -> str:
    return f"{order.by}.{'desc' if order.descending else 'asc'}"
