"""Layout of blocks as fragments: lines of paragraphs and rows of tables, which no page break divides.

All lengths are in points, from the upper left of the text area.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from docduck.documents.formats.flow.blocks import Block, PageBreak, Paragraph, Table, TableCell, plain_text
from docduck.documents.formats.flow.typeset import (
    FONT_SIZE,
    LINE_HEIGHT,
    TextRun,
    font_size,
    natural_width,
    typeset,
)
from docduck.errors import DamagedFile

MAX_DEPTH = 24
"""Nesting of tables; deeper ones become text."""
MAX_COLUMNS = 1024
"""Columns of a table; further ones are left out."""
MAX_POSITIONS = 500_000
"""Rows times columns of a table; a larger one is damaged."""

_SMALL_GAP, _LARGE_GAP = 0.3, 0.9
"""Space between paragraphs in font sizes: between short ones, and where one is a heading or wrapped."""
_PADDING = 6.0
"""Space left and right of a cell's text."""
_ROW_GAP = 3.0
_WIDEST = 320.0
"""Width from which a column's text is wrapped if the table is too wide."""


@dataclass(slots=True)
class PlacedCell:
    """A cell of a table's grid: its text and rectangle, and the ``date`` that the format says it holds."""

    text: str
    left: float
    top: float
    width: float
    height: float
    header: bool = False
    merged: bool = False
    date: str = ""

    def moved(self, right: float, down: float) -> PlacedCell:
        """Return the cell moved by ``right`` and ``down``."""
        return replace(self, left=self.left + right, top=self.top + down)


PlacedRow = list[PlacedCell]


@dataclass(slots=True)
class Fragment:
    """A strip of the area, ``height`` points high, after a ``gap`` that is dropped at the top of a page.

    ``row`` is its row of table ``table`` (None for tables used as layout), ``grids`` are whole tables inside
    it. ``page_break`` comes before it.
    """

    height: float = 0.0
    gap: float = 0.0
    runs: list[TextRun] = field(default_factory=list)
    row: PlacedRow | None = None
    table: Table | None = None
    grids: list[list[PlacedRow]] = field(default_factory=list)
    notes: Sequence[str] = ()
    page_break: PageBreak | None = None


def lay_out(
    blocks: Sequence[Block], width: float, size: float = FONT_SIZE, depth: int = 0
) -> Iterator[Fragment]:
    """Yield the fragments of blocks in an area ``width`` points wide, from top to bottom."""
    tail = 0.0
    for block in blocks:
        if isinstance(block, PageBreak):
            yield Fragment(page_break=block)
        elif isinstance(block, Table):
            tail = _LARGE_GAP * size if depth == 0 else _ROW_GAP
            yield from _table(block, width, size, depth, tail)
        else:
            lines = list(typeset(block, width, size))
            type_size = font_size(block, size)
            loose = block.heading or (len(lines) > 1 and "\n" not in block.text)
            space = (_LARGE_GAP if loose else _SMALL_GAP) * type_size
            for index, runs in enumerate(lines):
                fragment = Fragment(LINE_HEIGHT * type_size, 0.0 if index else max(space, tail), runs)
                if index == len(lines) - 1:
                    fragment.notes = block.notes
                yield fragment
            tail = space


def _table(table: Table, width: float, size: float, depth: int, gap: float) -> Iterator[Fragment]:
    inside = [cell for row in table.rows for cell in row]
    if all(len(row) <= 1 for row in table.rows) or depth >= MAX_DEPTH:
        for cell in inside:
            if depth >= MAX_DEPTH:
                yield from lay_out([Paragraph(plain_text(cell.blocks))], width, size)
            else:
                yield from lay_out(cell.blocks, width, size, depth)
        return
    grid = _positions(table)
    columns = max(len(row) for row in grid)
    widths = _widths(grid, columns, width, size, depth)
    lefts = list(accumulate(widths, initial=0.0))
    known = len(grid) > 1 and not _contains_tables(inside)
    yield from _rows(grid, lefts, size, depth, gap, table if known else None)


@dataclass(slots=True)
class _Position:
    """A position of a table's grid: its cell, the row and column where that begins, and its extent.

    ``merged``: the cell begins further up or left.
    """

    cell: TableCell
    row: int
    column: int
    columns: int
    last: int
    merged: bool = False


def _positions(table: Table) -> list[list[_Position]]:
    """Return rows of equally many positions, spans filled in; rows without cells are left out."""
    rows = [row for row in table.rows if row]
    grid: list[dict[int, _Position]] = [{} for _ in rows]
    columns = taken = 0
    for index, row in enumerate(rows):
        column = 0
        for cell in row:
            while column in grid[index]:
                column += 1
            across = min(max(cell.columns, 1), MAX_COLUMNS - column)
            if across <= 0:
                break
            columns = max(columns, column + 1)
            last = min(index + max(cell.rows, 1), len(rows)) - 1
            taken += across * (last + 1 - index)
            if taken > MAX_POSITIONS or columns * len(rows) > 4 * MAX_POSITIONS:
                raise DamagedFile(f"a table of more than {MAX_POSITIONS} positions")
            for down in range(index, last + 1):
                for place in range(column, column + across):
                    covered = down != index or place != column
                    grid[down].setdefault(place, _Position(cell, index, column, across, last, covered))
            column += across
    return [
        [
            _cut(row[column], columns) if column in row else _Position(TableCell([]), index, column, 1, index)
            for column in range(columns)
        ]
        for index, row in enumerate(grid)
    ]


def _cut(position: _Position, columns: int) -> _Position:
    """Cut a position to the columns in which cells begin."""
    position.columns = min(position.columns, columns - position.column)
    return position


def _contains_tables(cells: list[TableCell]) -> bool:
    """Return whether a cell holds a table of several rows and columns: then this one is only layout."""
    return any(
        isinstance(block, Table) and len(block.rows) > 1 and any(len(row) > 1 for row in block.rows)
        for cell in cells
        for block in cell.blocks
    )


def _widths(grid: list[list[_Position]], columns: int, width: float, size: float, depth: int) -> list[float]:
    """Return each column's width: that of its unwrapped text, or less where there is no room."""
    natural, least = [2 * _PADDING] * columns, [2 * _PADDING] * columns
    spanning: list[tuple[_Position, float, float]] = []
    for row in grid:
        for at, position in enumerate(row):
            if position.merged:
                continue
            wide, word = _extent(position.cell.blocks, size, depth)
            if position.columns > 1:
                spanning.append((position, wide + 2 * _PADDING, word + 2 * _PADDING))
                continue
            natural[at] = max(natural[at], wide + 2 * _PADDING)
            least[at] = max(least[at], word + 2 * _PADDING)
    for position, wide, word in spanning:
        span = range(position.column, position.column + position.columns)
        for sizes, needed in ((natural, min(wide, width)), (least, min(word, width))):
            lacking = needed - sum(sizes[at] for at in span)
            if lacking > 0:
                for at in span:
                    sizes[at] += lacking / len(span)
    if sum(natural) <= width:
        return natural
    widths = [min(wide, max(_WIDEST, word)) for wide, word in zip(natural, least, strict=True)]
    if sum(least) >= width:
        return [word * width / sum(least) for word in least]
    spare = (width - sum(least)) / max(sum(widths) - sum(least), 1e-6)
    return [word + min(spare, 1.0) * (wide - word) for wide, word in zip(widths, least, strict=True)]


def _extent(blocks: Sequence[Block], size: float, depth: int) -> tuple[float, float]:
    """Return the blocks' natural width and the least width that divides no word."""
    wide = word = 0.0
    for block in blocks:
        if isinstance(block, Paragraph):
            natural, least = natural_width(block, size)
        elif isinstance(block, Table) and block.rows and depth < MAX_DEPTH:
            grid = _positions(block)
            if not grid:
                continue
            columns = max(len(row) for row in grid)
            natural = sum(_widths(grid, columns, float("inf"), size, depth + 1))
            least = 0.5 * natural
        else:
            continue
        wide, word = max(wide, natural), max(word, least)
    return wide, word


def _rows(
    grid: list[list[_Position]], lefts: list[float], size: float, depth: int, gap: float, table: Table | None
) -> Iterator[Fragment]:
    """Yield the table's rows; a cell over several rows extends the last of them as needed."""
    laid = [Fragment(gap=0.0 if index else gap, table=table) for index in range(len(grid))]
    least = _ROW_GAP + LINE_HEIGHT * size
    heights = [least] * len(grid)
    spans: list[tuple[int, int, float]] = []
    for index, row in enumerate(grid):
        for position in row:
            if position.merged:
                continue
            last = position.last
            height = _add_cell(position, laid[index], lefts, size, depth)
            if last == index:
                heights[index] = max(heights[index], height)
            else:
                spans.append((index, last, height))
    for first, last, height in spans:
        heights[last] = max(heights[last], height - sum(heights[first:last]))
    tops = list(accumulate(heights, initial=0.0))
    for index, (fragment, row) in enumerate(zip(laid, grid, strict=True)):
        fragment.height = heights[index]
        if table is not None:
            fragment.row = [_placed_cell(position, index, lefts, tops) for position in row]
        yield fragment


def _add_cell(position: _Position, fragment: Fragment, lefts: list[float], size: float, depth: int) -> float:
    """Add a cell's blocks to the fragment of its row; return their height."""
    left, right = lefts[position.column], lefts[position.column + position.columns]
    height, table = _ROW_GAP, None
    notes = list(fragment.notes)
    for inner in lay_out(position.cell.blocks, max(right - left - 2 * _PADDING, 1.0), size, depth + 1):
        if inner.page_break is not None:
            fragment.page_break = fragment.page_break or inner.page_break
            continue
        height += inner.gap if height > _ROW_GAP else 0.0
        across = left + _PADDING
        fragment.runs += [run.moved(across, height) for run in inner.runs]
        fragment.grids += [
            [[place.moved(across, height) for place in row] for row in rows] for rows in inner.grids
        ]
        if inner.row is not None:
            if inner.table is not table:
                fragment.grids.append([])
            fragment.grids[-1].append([place.moved(across, height) for place in inner.row])
        table = inner.table
        notes += inner.notes
        height += inner.height
    fragment.notes = notes
    return height


def _placed_cell(position: _Position, row: int, lefts: list[float], tops: list[float]) -> PlacedCell:
    left, top = lefts[position.column], tops[position.row]
    right, bottom = lefts[position.column + position.columns], tops[position.last + 1]
    text = plain_text(position.cell.blocks)
    header = position.cell.header
    return PlacedCell(text, left, top - tops[row], right - left, bottom - top, header, position.merged)
