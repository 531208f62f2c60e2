"""Pages and chunks of lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, Literal, TypeVar, get_args

from sqlalchemy import ColumnElement, SQLColumnExpression, func, select
from sqlalchemy.orm import Session

from docduck.errors import InputError

Row = TypeVar("Row")
View = TypeVar("View")

Sort = Literal["createdAt.desc", "createdAt.asc", "updatedAt.desc", "updatedAt.asc", "name.asc", "name.desc"]
"""The orders of lists of parsers, classifiers and documents."""
SORTS: tuple[str, ...] = get_args(Sort)

_SORTED = {"createdAt": "created_at", "updatedAt": "updated_at", "name": "name_key"}


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """A page of a list; ``page`` counts from 1, ``total`` is the number of all rows.

    ``next_cursor`` is the place after its last row, in lists that have cursors; None at their end.
    """

    rows: Sequence[Row]
    page: int
    limit: int
    total: int
    next_cursor: str | None = None

    @property
    def page_count(self) -> int:
        """The number of pages, 0 of an empty list."""
        return -(-self.total // self.limit)

    def map(self, view: Callable[[Row], View]) -> Page[View]:
        """Return the page with a view of each row."""
        return Page([view(row) for row in self.rows], self.page, self.limit, self.total, self.next_cursor)


def chunks(items: Iterable[Row], size: int = 500) -> Iterator[list[Row]]:
    """Yield items in chunks; by default, as many as a statement has in a list."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some


def page_of(rows: Sequence[Row], page: int, limit: int) -> Page[Row]:
    """Return a page of all the rows of a list."""
    return Page(rows[(page - 1) * limit : page * limit], page, limit, len(rows))


def read_page(
    session: Session,
    model: type[Row],
    conditions: Iterable[ColumnElement[bool]],
    order: Iterable[SQLColumnExpression[Any]],
    page: int,
    limit: int,
) -> Page[Row]:
    """Return a page of the rows of a table that fulfil all conditions."""
    conditions = tuple(conditions)
    total = session.scalar(select(func.count()).select_from(model).where(*conditions)) or 0
    rows = select(model).where(*conditions).order_by(*order).offset((page - 1) * limit).limit(limit)
    return Page(session.scalars(rows).all(), page, limit, total)


def order_of(table: Any, sort: str) -> list[ColumnElement[Any]]:
    """Return the columns that one of ``SORTS`` orders by; raise InputError for another."""
    if sort not in SORTS:
        raise InputError(f"Unknown sort: {sort}. Known: {', '.join(SORTS)}", "sort")
    key, _, direction = sort.partition(".")
    columns = (getattr(table, _SORTED[key]), table.id)
    return [column.desc() if direction == "desc" else column.asc() for column in columns]
