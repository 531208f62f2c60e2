"""Rows: printed lines put together to the table's rows.

A line with the row's amount is an anchor; lines of words above or below belong to the anchor they stand
nearest to; subtotals, carried-over sums and section headings belong to none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import pairwise
from statistics import median

from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch, is_filler
from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.extractors.layout.tables.cells import is_amount_cell
from docduck.extraction.extractors.layout.tables.context import TableContext
from docduck.extraction.extractors.layout.tables.line_items.column_bands import ColumnBands
from docduck.extraction.extractors.layout.tables.line_items.grid import GridRow, is_numeric, split_row
from docduck.extraction.extractors.layout.tables.line_items.header_detection import Header, column_forms
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import Row, Token
from docduck.extraction.values.currencies import is_currency_mark
from docduck.extraction.values.dates import find_dates, parse_partial

END = frozenset({"tax_total", "grand_total", "amount_due", "amount_paid"})
SUMMARY = END | {"net_total", "lines_total", "opening_balance", "closing_balance", "discount", "shipping",
                 "total_credits", "total_debits", "rounding", "change"}  # fmt: skip
_ANY_DAY = date(2000, 12, 31)
_TOLD = frozenset({"description", "transaction_text", "sku", "position"})
_DATES = frozenset({"line_date", "value_date"})
_BULLETS = ("•", "·", "-", "–", "*", "▪", "○", "►", "o")
_ANCHORS = ("line_total", "transaction_amount", "debit", "credit", "gross_line_total", "running_balance")


@dataclass
class TableRow:
    """One row of a table: the words of each column, by the column's index in the header.

    ``extra`` are words that further lines of the row print in its number columns.
    """

    cells: dict[int, list[Token]]
    lines: list[GridRow] = field(default_factory=list)
    extra: dict[int, list[Token]] = field(default_factory=dict)


class RowGrouper:
    """Reads the rows under one header, on its page or on one that follows it."""

    def __init__(self, header: Header, bands: ColumnBands, around: LabelIndex, context: TableContext) -> None:
        self.header = header
        self.bands = bands
        self.around = around
        self.context = context
        self.anchors = self._anchor_columns()
        self.continued = header.first_row < 0

    def _anchor_columns(self) -> list[int]:
        """The columns one of which is filled in every row: the amounts, else the last numeric one."""
        heads = self.header.cells
        asked = [
            i
            for i, c in enumerate(heads)
            if c.target and c.target.concept and c.target.concept.name in _ANCHORS
        ]
        found = asked or [i for i, cell in enumerate(heads) if cell.concepts & set(_ANCHORS)]
        if found:
            return found
        numbers = [i for i, cell in enumerate(heads) if is_numeric(cell)]
        return numbers[-1:]

    def read(self, rows: Sequence[Row]) -> tuple[list[TableRow], bool]:
        """The table's rows among ``rows``, and whether the table's end was seen."""
        lines: list[tuple[GridRow, bool]] = []
        soft_end = ended = False
        last: GridRow | None = None
        for row in rows:
            if (self.continued or last is not None) and self._other_header(row):
                ended = True
                break
            line = split_row(row, self.bands, self.context)
            summary = self._summary(line)
            if summary is not None:
                if summary.concepts & END and not summary.concepts & {"net_total"} and last is not None:
                    ended = True
                    break
                soft_end = soft_end or last is not None
                lines.append((GridRow(row, {}), False))
                continue
            if self._is_allowance(line):
                soft_end = soft_end or last is not None
                lines.append((GridRow(row, {}), False))
                continue
            begun = self._begun(lines)
            anchor = self._is_anchor(line, begun) and (self._strong(line) or not ends_in_sum_word(row))
            if (soft_end or (self.continued and last is None)) and not self._strong(line):
                anchor = False
            if anchor and not begun and self._far(line, last) and not self._strong(line):
                break
            lines.append((line, anchor))
            last = line if anchor else last
        return self._assemble(lines), ended

    def _other_header(self, row: Row) -> bool:
        """Whether a row is the header of another table: three cells or more, no figures, two known labels."""
        if len(row.segments) < 3 or any(s.has_digit for s in row.segments):
            return False
        known = sum(o.alone and o.start == 0 for o in self.around.by_row.get(row.index, ()))
        return known + sum(s.key in column_forms() for s in row.segments) >= 2

    def _far(self, line: GridRow, last: GridRow | None) -> bool:
        return last is not None and line.top - last.bottom > 8 * self.header.page.line_height

    def _summary(self, line: GridRow) -> LabelMatch | None:
        """The label that makes a line a sum or a carried-over balance, None if it is a row."""
        label = summary_label(line.row, self.around)
        if label is None:
            return None
        column = self.header.cells[self.bands.index(label.tokens[0])]
        if "tax_rate" in column.concepts and "tax_total" in label.concepts:
            return None
        told = column.target.concept.name if column.target and column.target.concept else None
        described = told in _TOLD and self._strong(line)
        return None if described or self._dated(line) or self._priced(line, all) else label

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

    def _begun(self, lines: Sequence[tuple[GridRow, bool]]) -> bool:
        """Whether the last line has the beginning of a row whose amount is still to come."""
        if not lines or lines[-1][1]:
            return False
        last = lines[-1][0]
        return self._partial(last) and not any(i in last.cells for i in self.anchors)

    def _is_anchor(self, line: GridRow, begun: bool) -> bool:
        """Whether a line has its row's amount; alone it may stand only under the row's beginning."""
        filled = [i for i in self.anchors if i in line.cells]
        if not any(is_amount_cell(line.cells[i], self.context) for i in filled):
            return False
        return begun or len(line.cells) >= 2

    def _is_allowance(self, line: GridRow) -> bool:
        """Whether a line is a discount or charge on the whole ("Rabatt: Treue"), without a price."""
        texts = [line.cells[i] for i in self._text_columns if i in line.cells]
        if not texts or not texts[0][0].key or texts[0][0].key not in word_set("allowance_words"):
            return False
        if not any(t.text.endswith(":") for t in texts[0][:2]):
            return False
        named = self._named
        rated = any(_rate(line.cells.get(named[n], ())) for n in ("quantity", "unit_price") if n in named)
        return rated or not self._priced(line, all)

    def _assemble(self, lines: Sequence[tuple[GridRow, bool]]) -> list[TableRow]:
        rows: list[TableRow] = []
        anchors = [line for line, anchor in lines if anchor]
        if not anchors:
            return []
        described = sum(self._has_text(line) for line in anchors) >= len(anchors) / 2
        height = self.header.page.line_height
        gaps = [b.top - a.bottom for a, b in pairwise(anchors) if b.top > a.bottom]
        loose = (
            max(0.7 * height, min(gaps, default=height) * 0.98)
            if described
            else 1.2 * median([*gaps, height])
        )
        pending: list[GridRow] = []
        for line, anchor in lines:
            if anchor:
                row = TableRow({i: list(t) for i, t in line.cells.items()}, [line])
                last = pending[-1] if pending else None
                if last is not None and self._partial(last) and line.top - last.bottom < 0.6 * height:
                    if not self._partial(line):
                        self._merge(row, last)
                elif pending and not described:
                    self._prepend(row, [p for p in pending if self._continues(p, None)])
                elif pending:
                    self._prepend(
                        row, [p for p in pending[-1:] if _overlaps(p, line) and self._continues(p, None)]
                    )
                pending = []
                rows.append(row)
                continue
            last = rows[-1].lines[-1] if rows else None
            near = last is not None and bool(last.cells) and line.top - last.bottom < loose
            if not line.cells:
                pending = []
                if rows:
                    rows[-1].lines.append(line)
            elif self._partial(line) and not (near and self._follows_price(line, rows[-1])):
                pending.append(line)
            elif (
                near and (described or _overlaps(rows[-1].lines[0], line)) and self._continues(line, rows[-1])
            ):
                self._append(rows[-1], line)
            elif near and self._follows_price(line, rows[-1]):
                self._extend(rows[-1], line)
                if self._has_text(line):
                    rows[-1].lines.append(GridRow(line.row, {}))
            elif self._continues(line, None):
                pending.append(line)
            elif rows:
                rows[-1].lines.append(GridRow(line.row, {}))
        return rows

    def _partial(self, line: GridRow) -> bool:
        """Whether a line has a row's quantity or unit price."""
        return self._priced(line, any)

    def _priced(self, line: GridRow, how: Callable[[Iterable[bool]], bool]) -> bool:
        named = self._named
        return how(
            name in named
            and named[name] in line.cells
            and is_amount_cell(line.cells[named[name]], self.context)
            for name in ("quantity", "unit_price")
        )

    def _follows_price(self, line: GridRow, row: TableRow) -> bool:
        """Whether a line goes on in number columns of a row whose cells are already filled."""
        return all(i in row.cells for i in line.cells) and any(
            is_numeric(self.header.cells[i]) for i in line.cells
        )

    @cached_property
    def _named(self) -> dict[str, int]:
        named: dict[str, int] = {}
        for index, cell in enumerate(self.header.cells):
            if cell.target is not None and cell.target.concept is not None:
                named.setdefault(cell.target.concept.name, index)
            elif cell.target is None and len(cell.concepts) == 1:
                named.setdefault(next(iter(cell.concepts)), index)
        return named

    def _merge(self, row: TableRow, line: GridRow) -> None:
        """Joins an amount's line with the line just above that has the rest of the row."""
        for index, tokens in line.cells.items():
            row.cells[index] = [*tokens, *row.cells.get(index, [])]
        row.lines.insert(0, line)

    def _has_text(self, line: GridRow) -> bool:
        return any(i in line.cells for i in self._text_columns)

    @cached_property
    def _text_columns(self) -> list[int]:
        return [
            i
            for i, cell in enumerate(self.header.cells)
            if not is_numeric(cell)
            and cell.target is not None
            and cell.target.kind not in ("identifier", "date")
        ]

    def _continues(self, line: GridRow, row: TableRow | None) -> bool:
        """Whether a line has more text of a row: no bullet, no "label: value", under the text before it."""
        texts = [(i, line.cells[i]) for i in self._text_columns if i in line.cells]
        if not texts or line.spilled:
            return False
        height = self.header.page.line_height
        for index, tokens in texts:
            if tokens[0].text in _BULLETS or tokens[0].text.startswith("•"):
                return False
            if _labelled(tokens) and not (row is not None and _labelled(row.cells.get(index, ()))):
                return False
            if tokens[-1].right > self.bands.walls[index] + height:
                return False
            if row is not None and index in row.cells:
                first = row.cells[index][0]
                if abs(first.left - tokens[0].left) > 1.5 * height:
                    return False
        return True

    def _append(self, row: TableRow, line: GridRow) -> None:
        texts = self._text_columns
        for index, tokens in line.cells.items():
            if index in texts:
                row.cells.setdefault(index, []).extend(tokens)
        self._extend(row, line)

    def _extend(self, row: TableRow, line: GridRow) -> None:
        for index, tokens in line.cells.items():
            if is_numeric(self.header.cells[index]):
                row.extra.setdefault(index, []).extend(tokens)
        row.lines.append(line)

    def _prepend(self, row: TableRow, lines: Sequence[GridRow]) -> None:
        before: dict[int, list[Token]] = {index: [] for index in self._text_columns}
        for line in lines:
            for index, tokens in line.cells.items():
                if index in before:
                    before[index] += tokens
        for index, tokens in before.items():
            if tokens:
                row.cells[index] = [*tokens, *row.cells.get(index, [])]


def _labelled(tokens: Sequence[Token]) -> bool:
    """Whether a text is of the form "label: value"."""
    return any(
        t.text.startswith(":") or (t.text.endswith(":") and not t.text.endswith("):")) for t in tokens[:3]
    ) and not tokens[0].text.startswith("(")


def _overlaps(first: GridRow, second: GridRow) -> bool:
    """Whether two lines are nearer than lines of one text: cells of one row, centred beside each other."""
    height = max(first.bottom - first.top, second.bottom - second.top)
    return abs(second.row.middle - first.row.middle) < 0.7 * height


def _rate(tokens: Sequence[Token]) -> bool:
    """Whether a cell is a rate of tax that a total's line shows where tables show quantities."""
    return any("%" in t.text for t in tokens)


def date_like(tokens: Sequence[Token]) -> bool:
    """Whether a cell is a date, with or without a year."""
    text = " ".join(t.text for t in tokens)
    return bool(find_dates(text)) or parse_partial(text, True, None, _ANY_DAY) is not None


def summary_label(row: Row, around: LabelIndex) -> LabelMatch | None:
    """The label of a sum in ``row`` whose amount follows it, None if the row shows none."""
    for label in around.by_row.get(row.index, ()):
        if not label.concepts & SUMMARY or label.start > 4:
            continue
        before = label.segment.tokens[: label.start]
        if any(t.key and not is_filler(t) and not t.key.isdigit() for t in before):
            continue
        rest = label.segment.tokens[label.end :]
        if sum(any(c.isalpha() for c in t.text) and not is_filler(t) for t in rest) > 3:
            continue
        right = [s for s in row.segments if s.left >= label.segment.right]
        if any(t.key[:1].isdigit() or t.key[-1:].isdigit() for t in rest) or any(s.has_digit for s in right):
            return label
        if not right and label.alone:
            return label
    return None


def ends_in_sum_word(row: Row) -> bool:
    """Whether the words right before the row's last amount speak of a sum ("Goods Total")."""
    words = [
        t
        for t in row.tokens
        if t.key and not any(c.isdigit() for c in t.text) and not is_currency_mark(t.text)
    ]
    return bool(words) and words[-1].key in word_set("sum_words")


def body_rows(rows: Sequence[Row], around: LabelIndex) -> list[Row]:
    """``rows`` up to the first sum, or to a wide gap."""
    kept: list[Row] = []
    for row in rows:
        if kept and row.top - kept[-1].bottom > 6 * around.page.line_height:
            break
        if len(kept) > 0 and summary_label(row, around) is not None and len(row.segments) <= 4:
            break
        kept.append(row)
    return kept
