"""Rows: printed lines put together to the table's rows.

A line with the row's amount is an anchor; lines of words above or below belong to the anchor they stand
nearest to; subtotals, carried-over sums and section headings belong to none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from statistics import median

from docduck.extraction.layout.labels import Occurrence, ignorable
from docduck.extraction.layout.relations import Surroundings
from docduck.extraction.layout.tables.bands import Bands
from docduck.extraction.layout.tables.cells import is_amount_cell
from docduck.extraction.layout.tables.context import TableContext
from docduck.extraction.layout.tables.grid import GridRow, cut, numeric
from docduck.extraction.layout.tables.headers import Header
from docduck.extraction.lexicon import word_set
from docduck.extraction.values.dates import find_dates, parse_partial
from docduck.extraction.view import Row, Token

END = frozenset({"tax_total", "grand_total", "amount_due", "amount_paid"})
SUMMARY = END | {"net_total", "lines_total", "opening_balance", "closing_balance", "discount", "shipping",
                 "total_credits", "total_debits", "rounding", "change"}  # fmt: skip
_ANY_DAY = date(2000, 12, 31)
_TOLD = frozenset({"description", "transaction_text"})
_DATES = frozenset({"line_date", "value_date"})
_BULLETS = ("•", "·", "-", "–", "*", "▪", "○", "►", "o")
_ANCHORS = ("line_total", "transaction_amount", "debit", "credit", "gross_line_total", "running_balance")


@dataclass
class TableRow:
    """One row of a table: the words of each column, by the column's index in the header."""

    cells: dict[int, list[Token]]
    lines: list[GridRow] = field(default_factory=list)


class RowReader:
    """Reads the rows under one header, on its page or on one that follows it."""

    def __init__(self, header: Header, bands: Bands, around: Surroundings, context: TableContext) -> None:
        self.header = header
        self.bands = bands
        self.around = around
        self.context = context
        self.anchors = self._anchor_columns()

    def _anchor_columns(self) -> list[int]:
        """The columns one of which is filled in every row: the amounts, else the last numeric one."""
        heads = self.header.cells
        found = [
            i
            for i, cell in enumerate(heads)
            if (cell.target and cell.target.concept and cell.target.concept.name in _ANCHORS)
            or (cell.target is None and cell.concepts & set(_ANCHORS))
        ]
        if found:
            return found
        numbers = [i for i, cell in enumerate(heads) if numeric(cell)]
        return numbers[-1:]

    def read(self, rows: Sequence[Row]) -> tuple[list[TableRow], bool]:
        """The table's rows among ``rows``, and whether the table's end was seen."""
        lines: list[tuple[GridRow, bool]] = []
        soft_end = ended = False
        for row in rows:
            line = cut(row, self.bands, self.context)
            summary = self._summary(line)
            if summary is not None:
                if (
                    summary.concepts & END
                    and not summary.concepts & {"net_total"}
                    and lines_have_anchor(lines)
                ):
                    ended = True
                    break
                soft_end = soft_end or lines_have_anchor(lines)
                lines.append((GridRow(row, {}), False))
                continue
            anchor = self._is_anchor(line) and (self._strong(line) or not says_sum(row))
            if soft_end and anchor and not self._strong(line):
                anchor = False
            if anchor and self._far(line, lines) and not self._strong(line):
                break
            lines.append((line, anchor))
        return self._assemble(lines), ended

    def _far(self, line: GridRow, lines: Sequence[tuple[GridRow, bool]]) -> bool:
        last = next((other for other, anchor in reversed(lines) if anchor), None)
        return last is not None and line.top - last.bottom > 8 * self.header.page.line_height

    def _summary(self, line: GridRow) -> Occurrence | None:
        """The label that makes a line a sum or a carried-over balance, None if it is a row."""
        label = summary_label(line.row, self.around)
        if label is None:
            return None
        column = self.header.cells[self.bands.index(label.tokens[0])]
        told = column.target.concept.name if column.target and column.target.concept else None
        described = told in _TOLD and self._strong(line)
        return None if described or self._dated(line) else label

    def _dated(self, line: GridRow) -> bool:
        """Whether a line has a date where the table has its dates."""
        return any(
            index in line.cells
            and (cell.target.kind == "date" if cell.target else bool(cell.concepts & _DATES))
            and date_like(line.cells[index])
            for index, cell in enumerate(self.header.cells)
        )

    def _strong(self, line: GridRow) -> bool:
        """Whether a line has a quantity or a unit price beside its amount."""
        for index, cell in enumerate(self.header.cells):
            if index in self.anchors or index not in line.cells:
                continue
            concept = cell.target.concept.name if cell.target and cell.target.concept else None
            named = {concept} if concept else set(cell.concepts)
            if named & {"quantity", "unit_price"} and is_amount_cell(line.cells[index], self.context):
                return not _rate(line.cells[index])
        return self._dated(line)

    def _is_anchor(self, line: GridRow) -> bool:
        filled = [i for i in self.anchors if i in line.cells]
        if not any(is_amount_cell(line.cells[i], self.context) for i in filled):
            return False
        return len(line.cells) >= 2

    def _assemble(self, lines: Sequence[tuple[GridRow, bool]]) -> list[TableRow]:
        rows: list[TableRow] = []
        anchors = [line for line, anchor in lines if anchor]
        if not anchors:
            return []
        described = sum(self._has_text(line) for line in anchors) >= len(anchors) / 2
        height = self.header.page.line_height
        gaps = [b.top - a.bottom for a, b in zip(anchors, anchors[1:], strict=False) if b.top > a.bottom]
        loose = (
            max(0.7 * height, min(gaps, default=height) * 0.98)
            if described
            else 1.2 * median([*gaps, height])
        )
        pending: list[GridRow] = []
        for line, anchor in lines:
            if anchor:
                row = TableRow({i: list(t) for i, t in line.cells.items()}, [line])
                if pending and not described:
                    self._prepend(row, pending)
                pending = []
                rows.append(row)
            elif not line.cells:
                pending = []
                if rows:
                    rows[-1].lines.append(line)
            elif self._continues(line):
                last = rows[-1].lines[-1] if rows else None
                if last is not None and last.cells and line.top - last.bottom < loose and described:
                    self._append(rows[-1], line)
                else:
                    pending.append(line)
            elif rows:
                rows[-1].lines.append(GridRow(line.row, {}))
        return rows

    def _has_text(self, line: GridRow) -> bool:
        return any(i in line.cells for i in self._text_columns())

    def _text_columns(self) -> list[int]:
        return [
            i
            for i, cell in enumerate(self.header.cells)
            if not numeric(cell)
            and cell.target is not None
            and cell.target.kind not in ("identifier", "date")
        ]

    def _continues(self, line: GridRow) -> bool:
        """Whether a line is more text of a row: words in text columns only, no bullet, no "label: value"."""
        columns = self._text_columns()
        if not line.cells or any(i not in columns for i in line.cells):
            return False
        first = next(iter(line.cells.values()))
        text = " ".join(t.text for t in first)
        if first[0].text in _BULLETS or first[0].text.startswith("•"):
            return False
        if any(t.text.endswith(":") for t in first[:3]) and len(first) > 1:
            return False
        for index, tokens in line.cells.items():
            wall = self.bands.walls[index]
            if tokens[-1].right > wall + self.header.page.line_height:
                return False
        return bool(text.strip())

    def _append(self, row: TableRow, line: GridRow) -> None:
        for index, tokens in line.cells.items():
            row.cells.setdefault(index, []).extend(tokens)
        row.lines.append(line)

    def _prepend(self, row: TableRow, lines: Sequence[GridRow]) -> None:
        for line in reversed(lines):
            for index, tokens in line.cells.items():
                row.cells[index] = [*tokens, *row.cells.get(index, [])]


def _rate(tokens: Sequence[Token]) -> bool:
    """Whether a cell is a rate of tax that a total's line shows where tables show quantities."""
    return any("%" in t.text for t in tokens)


def date_like(tokens: Sequence[Token]) -> bool:
    """Whether a cell is a date, with or without a year."""
    text = " ".join(t.text for t in tokens)
    return bool(find_dates(text)) or parse_partial(text, True, None, _ANY_DAY) is not None


def summary_label(row: Row, around: Surroundings) -> Occurrence | None:
    """The label of a sum in ``row`` whose amount follows it, None if the row shows none."""
    for label in around.by_row.get(row.index, ()):
        if not label.concepts & SUMMARY or label.start > 4:
            continue
        before = label.segment.tokens[: label.start]
        if any(t.key and not ignorable(t) and not t.key.isdigit() for t in before):
            continue
        rest = label.segment.tokens[label.end :]
        if sum(any(c.isalpha() for c in t.text) and not ignorable(t) for t in rest) > 3:
            continue
        right = [s for s in row.segments if s.left >= label.segment.right]
        if any(t.key[:1].isdigit() or t.key[-1:].isdigit() for t in rest) or any(s.has_digit for s in right):
            return label
        if not right and label.alone:
            return label
    return None


def says_sum(row: Row) -> bool:
    """Whether the words right before the row's last amount speak of a sum ("Goods Total")."""
    words = [t for t in row.tokens if not any(c.isdigit() for c in t.text) and t.key]
    return bool(words) and words[-1].key in word_set("sum_words")


def extent(rows: Sequence[Row], around: Surroundings) -> list[Row]:
    """``rows`` up to the first sum, or to a wide gap."""
    kept: list[Row] = []
    for row in rows:
        if kept and row.top - kept[-1].bottom > 6 * around.page.line_height:
            break
        if len(kept) > 0 and summary_label(row, around) is not None and len(row.segments) <= 4:
            break
        kept.append(row)
    return kept


def lines_have_anchor(lines: Sequence[tuple[GridRow, bool]]) -> bool:
    """Whether any line so far is an anchor."""
    return any(anchor for _, anchor in lines)
