"""Tables without ruled lines: rows whose runs of text are aligned in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.documents.document import Line

LEAST_ROWS, LEAST_COLUMNS, MOST_COLUMNS = 3, 3, 20
"""Least rows of a table, least runs of text in each, and most columns."""

_APART = 3.0
"""Rows more than this many text heights apart belong to different tables."""
_WRAP = 1.0
"""A single run at most this many text heights below a row continues one of its cells."""

Row = Sequence[Line]


@dataclass(frozen=True, slots=True)
class BorderlessTable:
    """``cells`` of the rows ``first`` to ``last``, the latter exclusive; every row has as many cells."""

    first: int
    last: int
    cells: list[list[str]]


def find_borderless_tables(rows: Sequence[Row]) -> list[BorderlessTable]:
    """Return the tables among a page's rows (the lines of each left to right), top to bottom."""
    tables: list[BorderlessTable] = []
    start = 0
    while start < len(rows):
        end = _end(rows, start)
        table = _table(rows, start, end) if end - start >= LEAST_ROWS else None
        if table is not None:
            tables.append(table)
        start = max(end, start + 1)
    return tables


def _end(rows: Sequence[Row], start: int) -> int:
    """Return the row after the last that can belong to a table beginning at ``start``."""
    if len(rows[start]) < LEAST_COLUMNS:
        return start
    end = full = start + 1
    while end < len(rows):
        above, here = rows[end - 1][0].box, rows[end][0].box
        limit = _WRAP if len(rows[end]) == 1 else _APART
        if not -above.height < here.top - above.bottom <= limit * here.height:
            break
        end += 1
        if len(rows[end - 1]) >= LEAST_COLUMNS:
            full = end
    while full < end and len(rows[full]) == 1 and _under_one(rows[full][0], rows[full - 1]):
        full += 1
    return full


def _under_one(line: Line, row: Row) -> bool:
    """Return whether ``line`` is under exactly one run of ``row``."""
    return sum(line.box.left < run.box.right and run.box.left < line.box.right for run in row) == 1


def _table(rows: Sequence[Row], first: int, last: int) -> BorderlessTable | None:
    full = [row for row in rows[first:last] if len(row) >= LEAST_COLUMNS]
    if len(full) < LEAST_ROWS:
        return None
    columns = _columns(full)
    if not LEAST_COLUMNS <= len(columns) <= MOST_COLUMNS:
        return None
    cells: list[list[str]] = []
    for row in rows[first:last]:
        places = [_column(line, columns) for line in row]
        if None in places or len(set(places)) < len(places):
            return None
        texts = [""] * len(columns)
        for place, line in zip(places, row, strict=True):
            texts[place or 0] = line.text
        if len(row) == 1 and cells and cells[-1][places[0] or 0]:
            cells[-1][places[0] or 0] += f" {row[0].text}"
        else:
            cells.append(texts)
    return BorderlessTable(first, last, cells)


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Return the left and right edges of the columns: runs that overlap vertically share one."""
    columns: list[tuple[float, float]] = []
    for left, right in sorted((line.box.left, line.box.right) for row in rows for line in row):
        if columns and left < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns


def _column(line: Line, columns: Sequence[tuple[float, float]]) -> int | None:
    """Return the one column that ``line`` overlaps, ``None`` if there are several or none."""
    hit = [at for at, (left, right) in enumerate(columns) if line.box.left < right and left < line.box.right]
    return hit[0] if len(hit) == 1 else None
