"""Pages of lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """A page of a list; ``page`` counts from 1, ``total`` is the number of all rows."""

    rows: Sequence[Row]
    page: int
    limit: int
    total: int

    @property
    def page_count(self) -> int:
        """The number of pages, 0 of an empty list."""
        return -(-self.total // self.limit)


def page_of(rows: Sequence[Row], page: int, limit: int) -> Page[Row]:
    """Return a page of all the rows of a list."""
    return Page(rows[(page - 1) * limit : page * limit], page, limit, len(rows))
