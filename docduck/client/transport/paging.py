"""Iterating over the pages of a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from docduck.client.transport.steps import Steps
from docduck.client.types import Page

Row = TypeVar("Row")


class Pages(Generic[Row]):
    """The pages of a list; a row that moves to a later page meanwhile is yielded once."""

    def __init__(self, page: Callable[[int], Steps[Page[Row]]], first: int = 1) -> None:
        self._page = page
        self._number = first
        self._seen: set[object] = set()
        self.done = False

    def next(self) -> Steps[list[Row]]:
        """Return the next page's rows that were not on an earlier page; set ``done`` after the last page."""
        page = yield from self._page(self._number)
        self.done = not page["data"] or self._number >= page["pagination"]["pageCount"]
        self._number += 1
        return [row for row in page["data"] if self._is_new(row)]

    def _is_new(self, row: Row) -> bool:
        key = row.get("id") if isinstance(row, dict) else None
        if key is None:
            return True
        if key in self._seen:
            return False
        self._seen.add(key)
        return True
