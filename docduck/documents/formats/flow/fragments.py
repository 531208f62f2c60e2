"""Blocks as slabs: what stands across the text area and is not divided by a page break.

A slab is a line of a paragraph or a row of a table. All lengths are in points, from the area's upper left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from docduck.documents.formats.flow.blocks import Block, PageBreak, Paragraph, Table, TableCell, plain_text
from docduck.documents.formats.flow.typeset import PITCH, SIZE, Piece, natural_width, text_size, typeset
from docduck.errors import DamagedFile

MAX_DEPTH = 24
"""Tables inside tables; what lies deeper is set as text."""
MAX_COLUMNS = 1024
"""Columns of a table; what stands further right is left out."""
MAX_POSITIONS = 500_000
"""Rows times columns of a table; a larger one counts as damage."""

_TIGHT, _LOOSE = 0.3, 0.9
"""Space between paragraphs in sizes: between short ones, and where one is a heading or wrapped."""
_PADDING = 6.0
"""Left and right of a cell's text; twice this parts two columns."""
_ROW_GAP = 3.0
_WIDEST = 320.0
"""A column's text is wrapped beyond this when the table is too wide."""


@dataclass(slots=True)
class FragmentPlace:
    """A table's position: text and rectangle."""

    text: str
    left: float
    top: float
    width: float
    height: float
    header: bool = False
    merged: bool = False

    def moved(self, right: float, down: float) -> FragmentPlace:
        """The same, further right and down."""
        return FragmentPlace(
            self.text, self.left + right, self.top + down, self.width, self.height, self.header, self.merged
        )


Row = list[FragmentPlace]


@dataclass(slots=True)
class Slab:
    """``height`` points of the area after a ``gap`` that a page's top swallows.

    ``row`` is the slab's row of table ``table`` (None for tables that are layout alone), ``grids`` are whole
    tables inside it. ``turn`` is a page break that comes before it.
    """

    height: float = 0.0
    gap: float = 0.0
    pieces: list[Piece] = field(default_factory=list)
    row: Row | None = None
    table: Table | None = None
    grids: list[list[Row]] = field(default_factory=list)
    notes: Sequence[str] = ()
    turn: PageBreak | None = None


def slabs(blocks: Sequence[Block], width: float, size: float = SIZE, depth: int = 0) -> Iterator[Slab]:
    """The blocks set into an area ``width`` points wide, from top to bottom."""
    tail = 0.0
    for block in blocks:
        if isinstance(block, PageBreak):
            yield Slab(turn=block)
        elif isinstance(block, Table):
            tail = _LOOSE * size if depth == 0 else _ROW_GAP
            yield from _table(block, width, size, depth, tail)
        else:
            lines = list(typeset(block, width, size))
            type_size = text_size(block, size)
            loose = block.heading or (len(lines) > 1 and "\n" not in block.text)
            space = (_LOOSE if loose else _TIGHT) * type_size
            for index, pieces in enumerate(lines):
                slab = Slab(PITCH * type_size, 0.0 if index else max(space, tail), pieces)
                if index == len(lines) - 1:
                    slab.notes = block.notes
                yield slab
            tail = space


def _table(table: Table, width: float, size: float, depth: int, gap: float) -> Iterator[Slab]:
    inside = [cell for row in table.rows for cell in row]
    if all(len(row) <= 1 for row in table.rows) or depth >= MAX_DEPTH:
        for cell in inside:
            if depth >= MAX_DEPTH:
                yield from slabs([Paragraph(plain_text(cell.blocks))], width, size)
            else:
                yield from slabs(cell.blocks, width, size, depth)
        return
    grid = _positions(table)
    columns = max(len(row) for row in grid)
    widths = _widths(grid, columns, width, size, depth)
    lefts = list(accumulate(widths, initial=0.0))
    known = len(grid) > 1 and not _holds_tables(inside)
    yield from _rows(grid, lefts, size, depth, gap, table if known else None)


@dataclass(slots=True)
class _Position:
    """A position of a table's grid: its cell, where that begins, how many columns it covers, its last row.

    ``merged`` says that the cell begins further up or left.
    """

    cell: TableCell
    row: int
    column: int
    columns: int
    last: int
    merged: bool = False


def _positions(table: Table) -> list[list[_Position]]:
    """Rows of positions of equal length, spans filled in; rows without any cell are left out."""
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
    """The position without the columns at the right in which no cell begins."""
    position.columns = min(position.columns, columns - position.column)
    return position


def _holds_tables(cells: list[TableCell]) -> bool:
    """Whether a cell holds a table of more than one row and column: then this one is layout."""
    return any(
        isinstance(block, Table) and len(block.rows) > 1 and any(len(row) > 1 for row in block.rows)
        for cell in cells
        for block in cell.blocks
    )


def _widths(grid: list[list[_Position]], columns: int, width: float, size: float, depth: int) -> list[float]:
    """Each column's width: what its text takes unwrapped, or as much of it as there is room."""
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
    wanted = [min(wide, max(_WIDEST, word)) for wide, word in zip(natural, least, strict=True)]
    if sum(least) >= width:
        return [word * width / sum(least) for word in least]
    spare = (width - sum(least)) / max(sum(wanted) - sum(least), 1e-6)
    return [word + min(spare, 1.0) * (wide - word) for wide, word in zip(wanted, least, strict=True)]


def _extent(blocks: Sequence[Block], size: float, depth: int) -> tuple[float, float]:
    """The blocks' natural width, and the least that divides no word."""
    wide = word = 0.0
    for block in blocks:
        if isinstance(block, Paragraph):
            one, other = natural_width(block, size)
        elif isinstance(block, Table) and block.rows and depth < MAX_DEPTH:
            grid = _positions(block)
            if not grid:
                continue
            columns = max(len(row) for row in grid)
            one = sum(_widths(grid, columns, float("inf"), size, depth + 1))
            other = 0.5 * one
        else:
            continue
        wide, word = max(wide, one), max(word, other)
    return wide, word


def _rows(
    grid: list[list[_Position]], lefts: list[float], size: float, depth: int, gap: float, table: Table | None
) -> Iterator[Slab]:
    """The table's rows; a cell over several of them makes the last one as high as it still needs."""
    laid = [Slab(gap=0.0 if index else gap, table=table) for index in range(len(grid))]
    least = _ROW_GAP + PITCH * size
    heights = [least] * len(grid)
    spans: list[tuple[int, int, float]] = []
    for index, row in enumerate(grid):
        for position in row:
            if position.merged:
                continue
            last = position.last
            height = _set_cell(position, laid[index], lefts, size, depth)
            if last == index:
                heights[index] = max(heights[index], height)
            else:
                spans.append((index, last, height))
    for first, last, height in spans:
        heights[last] = max(heights[last], height - sum(heights[first:last]))
    tops = list(accumulate(heights, initial=0.0))
    for index, (slab, row) in enumerate(zip(laid, grid, strict=True)):
        slab.height = heights[index]
        if table is not None:
            slab.row = [_place(position, index, lefts, tops) for position in row]
        yield slab


def _set_cell(position: _Position, slab: Slab, lefts: list[float], size: float, depth: int) -> float:
    """Sets a cell's blocks into the slab of its row; gives their height."""
    left, right = lefts[position.column], lefts[position.column + position.columns]
    height, table = _ROW_GAP, None
    notes = list(slab.notes)
    for inner in slabs(position.cell.blocks, max(right - left - 2 * _PADDING, 1.0), size, depth + 1):
        if inner.turn is not None:
            slab.turn = slab.turn or inner.turn
            continue
        height += inner.gap if height > _ROW_GAP else 0.0
        across = left + _PADDING
        slab.pieces += [piece.moved(across, height) for piece in inner.pieces]
        slab.grids += [
            [[place.moved(across, height) for place in row] for row in rows] for rows in inner.grids
        ]
        if inner.row is not None:
            if inner.table is not table:
                slab.grids.append([])
            slab.grids[-1].append([place.moved(across, height) for place in inner.row])
        table = inner.table
        notes += inner.notes
        height += inner.height
    slab.notes = notes
    return height


def _place(position: _Position, row: int, lefts: list[float], tops: list[float]) -> FragmentPlace:
    left, top = lefts[position.column], tops[position.row]
    right, bottom = lefts[position.column + position.columns], tops[position.last + 1]
    text = plain_text(position.cell.blocks)
    header = position.cell.header
    return FragmentPlace(text, left, top - tops[row], right - left, bottom - top, header, position.merged)
