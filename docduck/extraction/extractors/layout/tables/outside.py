"""Rows of a page that belong to no table, by its reading: totals and other labelled values."""

from __future__ import annotations

from docduck.extraction.page.page_view import PageView, Row
from docduck.extraction.reading import reading_of

_FACT, _CELL, _TABLE = 0.7, 0.35, 0.7
"""Probability from which a segment is part of a labelled value, may be a cell, and shows a table."""
_ROWS = 2
"""Rows of a table at least, its head among them."""


def rows_outside(page: PageView) -> frozenset[int]:
    """Return the indexes of the rows below a page's last table that hold labelled values alone."""
    reading = reading_of(page)
    cells = [reading.kind(s.index, "cell", "head") for s in page.segments]
    table = [row for row in page.rows if cells[row.segments[0].index] >= _TABLE]
    if len(table) < _ROWS:
        return frozenset()
    lefts = [row.segments[0].left for row in table]

    def is_outside(row: Row) -> bool:
        if any(cells[s.index] >= _CELL for s in row.segments):
            return False
        if any(abs(row.segments[0].left - left) < page.line_height for left in lefts):
            return False
        return all(reading.kind(s.index, "label", "value", "both") >= _FACT for s in row.segments)

    return frozenset(row.index for row in page.rows[table[-1].index + 1 :] if is_outside(row))
