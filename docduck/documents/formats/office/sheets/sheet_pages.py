"""Pages of spreadsheets of any format: cells in their columns, up to ``ROWS`` rows of one sheet on a page."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import NamedTuple, overload

from docduck.documents.formats.flow.blocks import Paragraph
from docduck.documents.formats.flow.fragments import PlacedCell, PlacedRow
from docduck.documents.formats.flow.pages import MARGIN, PAGE_HEIGHT, PAGE_WIDTH, PageDraft
from docduck.documents.formats.flow.typeset import (
    CHARACTER_WIDTH,
    FONT_SIZE,
    LINE_HEIGHT,
    PlacedWord,
    TextRun,
    font_size,
    natural_width,
    typeset,
)

ROWS = 200
"""Rows on a page at most."""
MAX_CELLS = 400_000
"""Cells with text that are read from one file."""
MAX_COLUMNS = 400
"""Columns with text that are read from one sheet."""
MAX_TEXT = 32_767
"""Characters of one cell, the measure of spreadsheet programs."""
MAX_CHARACTERS = 5_000_000
"""Characters of all cells that are read from one file."""
MAX_MERGED = 400_000
"""Positions covered by merged cells that are read from one sheet."""

_WIDEST = 320.0
_PADDING = 6.0
_ROW_GAP = 3.0
_BLANK = 2
"""Empty rows that are shown where there are more."""
_OVERFLOW_WIDTH = 80.0
"""Points that a text counts for its column's width when it may run on over empty cells to its right."""
_DIGIT = re.compile(r"\d")


class SheetCell(NamedTuple):
    """A cell with text: its column, from 0, and the date, ISO 8601, of which its text may show a part."""

    column: int
    text: str
    date: str = ""


Cells = list[SheetCell]
_EMPTY = SheetCell(0, "")


@dataclass(slots=True)
class Sheet:
    """A sheet's cells with text: rows of (row number, cells), both ascending, from 0.

    ``merges`` are ranges: first row, first column, last row, last column.
    """

    name: str
    rows: list[tuple[int, Cells]] = field(default_factory=list)
    merges: list[tuple[int, int, int, int]] = field(default_factory=list)


class Columns:
    """Ranges of columns, both ends inclusive, as a set of columns."""

    def __init__(self, ranges: Iterable[tuple[int, int]] = ()) -> None:
        self._ends: list[int] = []
        self._starts: list[int] = []
        for first, last in sorted(ranges):
            if self._ends and first <= self._ends[-1] + 1:
                self._ends[-1] = max(self._ends[-1], last)
            else:
                self._starts.append(first)
                self._ends.append(last)

    def __contains__(self, column: int) -> bool:
        at = bisect_right(self._starts, column) - 1
        return at >= 0 and column <= self._ends[at]


class CellBudget:
    """Bounds the cells read from one file, with one warning for each bound reached."""

    def __init__(self, warnings: list[str]) -> None:
        self._warnings = warnings
        self._cells, self._characters = MAX_CELLS, MAX_CHARACTERS
        self._given: set[str] = set()

    def take(self, cells: Cells, sheet: str) -> Cells | None:
        """Return the cells of a row within the bounds; None after the last row to be read."""
        if self._cells <= 0 or self._characters <= 0:
            most = f"{MAX_CELLS} cells" if self._cells <= 0 else f"{MAX_CHARACTERS} characters"
            self._warn(f"Only the first {most} were read; sheet '{sheet}' goes on")
            return None
        if len(cells) > MAX_COLUMNS:
            self._warn(f"Only {MAX_COLUMNS} columns of sheet '{sheet}' were read")
            cells = cells[:MAX_COLUMNS]
        self._cells -= len(cells)
        self._characters -= sum(len(cell.text) for cell in cells)
        return cells

    def merged(self, sheet: str) -> None:
        """Tell that not all positions of a sheet's merged cells are known."""
        self._warn(f"Only the first {MAX_MERGED} positions of merged cells of sheet '{sheet}' were read")

    def _warn(self, warning: str) -> None:
        if warning not in self._given:
            self._given.add(warning)
            self._warnings.append(warning)


class SheetPages(Sequence[PageDraft]):
    """The pages of sheets with text, each laid out when it is accessed."""

    def __init__(self, sheets: Sequence[Sheet], budget: CellBudget) -> None:
        full = [sheet for sheet in sheets if sheet.rows]
        self._named = len(full) > 1
        self._layouts = [_Layout(sheet, budget) for sheet in full]
        self._pages = [
            (layout, start) for layout in self._layouts for start in range(0, len(layout.sheet.rows), ROWS)
        ]

    def __len__(self) -> int:
        return max(len(self._pages), 1)

    @overload
    def __getitem__(self, index: int) -> PageDraft: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[PageDraft]: ...

    def __getitem__(self, index: int | slice) -> PageDraft | Sequence[PageDraft]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        if not self._pages:
            return PageDraft()
        layout, start = self._pages[index]
        return layout.draft(start, layout.sheet.name if self._named and start == 0 else "")


class _Layout:
    """The columns of a sheet, placed alike on all of its pages."""

    def __init__(self, sheet: Sheet, budget: CellBudget) -> None:
        self.sheet = sheet
        used = sorted({column for _, cells in sheet.rows for column, *_ in cells})
        self.columns = {column: at for at, column in enumerate(used)}
        self.merged = _merged(sheet, used, budget)
        self.firsts = _first_columns(sheet)
        widths = [_PADDING * 2 + FONT_SIZE] * len(used)
        for _, cells in sheet.rows:
            for index, (column, text, _) in enumerate(cells):
                at = self.columns[column]
                room = self._next(cells, index) - at
                wide = min(natural_width(Paragraph(text))[0], _WIDEST)
                widths[at] = max(
                    widths[at], (wide if room == 1 else min(wide, _OVERFLOW_WIDTH)) + 2 * _PADDING
                )
        self.lefts = list(accumulate(widths, initial=MARGIN))
        self.width = max(PAGE_WIDTH, self.lefts[-1] + MARGIN)

    def _next(self, cells: Cells, index: int) -> int:
        """Return the column of the next text, which ends the room of this one."""
        return self.columns[cells[index + 1][0]] if index + 1 < len(cells) else len(self.columns)

    def draft(self, start: int, title: str) -> PageDraft:
        """Return the page that begins with row ``start`` of those with text."""
        draft = PageDraft(self.width)
        top = MARGIN
        if title:
            heading = Paragraph(title, heading=2)
            draft.runs += [p.moved(MARGIN, top) for line in typeset(heading, self.width) for p in line]
            top += LINE_HEIGHT * font_size(heading) + _ROW_GAP
        rows = self.sheet.rows[start : start + ROWS]
        regions: list[list[PlacedRow]] = []
        firsts: list[int] = []
        before = rows[0][0] - 1
        goes_on = start > 0 and self.sheet.rows[start - 1][0] == before
        following = self.sheet.rows[start + ROWS : start + ROWS + 1]
        is_followed = bool(following) and following[0][0] == rows[-1][0] + 1
        for number, cells in rows:
            blank = number - before - 1
            top += min(blank, _BLANK) * (LINE_HEIGHT * FONT_SIZE + _ROW_GAP)
            height = self._set(draft, number, cells, top)
            if blank or not regions:
                regions.append([])
                firsts.append(self.columns[self.firsts[number]])
            regions[-1].append(self._row(number, cells, top, height))
            top += height
            before = number
        for index, region in enumerate(regions):
            continued = goes_on and index == 0
            is_part = continued or (is_followed and index + 1 == len(regions))
            table = _table_part(region, firsts[index]) if is_part or len(region) > 1 else []
            if table:
                if not continued and _has_header(table):
                    table[0] = [replace(place, header=True) for place in table[0]]
                draft.grids.append((table, continued))
        draft.height = max(PAGE_HEIGHT, top + MARGIN)
        return draft

    def _set(self, draft: PageDraft, number: int, cells: Cells, top: float) -> float:
        """Add a row's texts; return the row's height."""
        height = LINE_HEIGHT * FONT_SIZE
        for index, (column, text, _) in enumerate(cells):
            at = self.columns[column]
            room = self.lefts[self._next(cells, index)] - self.lefts[at] - 2 * _PADDING
            if index + 1 == len(cells):
                room = max(room, self.width - MARGIN - self.lefts[at])
            wide = CHARACTER_WIDTH * FONT_SIZE * len(text)
            if wide <= room and "\n" not in text and "\t" not in text:
                draft.runs.append(_single_line_run(text, self.lefts[at] + _PADDING, top))
                continue
            down = 0.0
            for runs in typeset(Paragraph(text), room):
                draft.runs += [p.moved(self.lefts[at] + _PADDING, top + down) for p in runs]
                down += LINE_HEIGHT * FONT_SIZE
            height = max(height, down)
        return height + _ROW_GAP

    def _row(self, number: int, cells: Cells, top: float, height: float) -> PlacedRow:
        shown = {self.columns[cell.column]: cell for cell in cells}
        row: PlacedRow = []
        for at in range(len(self.columns)):
            covered = self.merged.get((number, at))
            cell = shown.get(at, _EMPTY) if covered is None else SheetCell(at, covered)
            left, width = self.lefts[at], self.lefts[at + 1] - self.lefts[at]
            merged = covered is not None
            row.append(PlacedCell(cell.text, left, top, width, height, merged=merged, date=cell.date))
        return row


def _single_line_run(text: str, left: float, top: float) -> TextRun:
    """Return a text that needs no wrapping."""
    unit, words = CHARACTER_WIDTH * FONT_SIZE, []
    for word in text.split():
        right = left + unit * len(word)
        words.append(PlacedWord(left, right, word))
        left = right + unit
    return TextRun(words, top, FONT_SIZE)


def _merged(sheet: Sheet, columns: Sequence[int], budget: CellBudget) -> dict[tuple[int, int], str]:
    """Return the text of the merged cell over each row and shown column; ``columns`` are those with text."""
    if not sheet.merges:
        return {}
    rows = dict(sheet.rows)
    numbers = sorted(rows)
    covered: dict[tuple[int, int], str] = {}
    left = MAX_MERGED
    for first, start, last, end in sheet.merges:
        across = range(bisect_left(columns, start), bisect_right(columns, end))
        down = numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]
        left -= 1 + len(across) * len(down)
        if left < 0:
            budget.merged(sheet.name)
            break
        text = _text_at(rows.get(first, ()), start)
        for number in down:
            for at in across:
                if number != first or columns[at] != start:
                    covered[number, at] = text
    return covered


def _text_at(cells: Sequence[SheetCell], column: int) -> str:
    at = bisect_left(cells, column, key=lambda cell: cell.column)
    return cells[at].text if at < len(cells) and cells[at].column == column else ""


def _first_columns(sheet: Sheet) -> dict[int, int]:
    """Return for each row with text the first column of those around it, up to empty rows."""
    firsts: dict[int, int] = {}
    block: list[int] = []
    first = 0
    for number, cells in sheet.rows:
        if block and number > block[-1] + 1:
            firsts |= dict.fromkeys(block, first)
            block = []
        first = min(first, cells[0][0]) if block else cells[0][0]
        block.append(number)
    return firsts | dict.fromkeys(block, first)


def _table_part(region: list[PlacedRow], first: int) -> list[PlacedRow]:
    """Return the rows cut to the columns that have text, from the table's ``first``; none if it is one."""
    used = [at for at in range(len(region[0])) if any(row[at].text for row in region)]
    if not used or used[-1] == min(used[0], first):
        return []
    return [row[min(used[0], first) : used[-1] + 1] for row in region]


def _has_header(rows: list[PlacedRow]) -> bool:
    """Return whether the first row names the columns: words without digits, over a row that has some."""
    first = [place.text for place in rows[0] if place.text]
    return (
        len(first) > 1
        and len(rows) > 1
        and len(first) >= len([place for place in rows[1] if place.text]) - 1
        and not any(_DIGIT.search(text) for text in first)
        and any(_DIGIT.search(place.text) for place in rows[1])
    )


def clean_cell_text(text: str) -> str:
    """Return a cell's text without what can't be shown, cut to ``MAX_TEXT``."""
    return text[:MAX_TEXT].replace("\r\n", "\n").replace("\r", "\n").strip()


def numbered_rows(rows: Iterator[Cells], budget: CellBudget, name: str) -> list[tuple[int, Cells]]:
    """Return the non-empty rows with their numbers, within the bounds."""
    numbered: list[tuple[int, Cells]] = []
    for number, cells in enumerate(rows):
        if not cells:
            continue
        taken = budget.take(cells, name)
        if taken is None:
            break
        numbered.append((number, taken))
    return numbered
