"""Row grouping: printed lines are combined into the table's rows.

A line with the row's amount is an anchor. Lines of text belong to the nearest anchor; subtotals, carried-over
sums and section headings belong to none.
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
from docduck.extraction.extractors.layout.token_text import text_of
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import Row, Token
from docduck.extraction.values.currencies import is_currency_mark
from docduck.extraction.values.dates import find_dates, parse_partial

END = frozenset({"tax_total", "grand_total", "amount_due", "amount_paid"})
SUMMARY = END | {"net_total", "lines_total", "opening_balance", "closing_balance", "discount", "shipping",
                 "total_credits", "total_debits", "rounding", "change"}  # fmt: skip
_ANY_DAY = date(2000, 12, 31)
_TEXT_CONCEPTS = frozenset({"description", "transaction_text", "sku", "position"})
_DATES = frozenset({"line_date", "value_date"})
_BULLETS = ("•", "·", "-", "–", "*", "▪", "○", "►", "o")
_ANCHORS = ("line_total", "transaction_amount", "debit", "credit", "gross_line_total", "running_balance")


@dataclass
class TableRow:
    """One row of a table: the tokens of each column, by the column's index in the header.

    ``extra`` holds the tokens of further lines in number columns.
    """

    cells: dict[int, list[Token]]
    lines: list[GridRow] = field(default_factory=list)
    extra: dict[int, list[Token]] = field(default_factory=dict)


class RowGrouper:
    """Groups the rows below one header, on its page or a following one."""

    def __init__(
        self, header: Header, bands: ColumnBands, label_index: LabelIndex, context: TableContext
    ) -> None:
        self.header = header
        self.bands = bands
        self.label_index = label_index
        self.context = context
        self.anchors = self._anchor_columns()
        self.continued = header.first_row < 0

    def _anchor_columns(self) -> list[int]:
        """Return the columns of which every row fills one: the amounts, else the last numeric column."""
        header_cells = self.header.cells
        targeted = [
            i
            for i, c in enumerate(header_cells)
            if c.target and c.target.concept and c.target.concept.name in _ANCHORS
        ]
        found = targeted or [i for i, cell in enumerate(header_cells) if cell.concepts & set(_ANCHORS)]
        if found:
            return found
        numbers = [i for i, cell in enumerate(header_cells) if is_numeric(cell)]
        return numbers[-1:]

    def read(self, rows: Sequence[Row]) -> tuple[list[TableRow], bool]:
        """Return the table's rows among ``rows``, and whether the table ended."""
        lines: list[tuple[GridRow, bool]] = []
        after_sum = ended = False
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
                after_sum = after_sum or last is not None
                lines.append((GridRow(row, {}), False))
                continue
            if self._is_allowance(line):
                after_sum = after_sum or last is not None
                lines.append((GridRow(row, {}), False))
                continue
            has_begun = self._has_begun_row(lines)
            anchor = self._is_anchor(line, has_begun) and (
                self._has_price_or_date(line) or not ends_in_sum_word(row)
            )
            if (after_sum or (self.continued and last is None)) and not self._has_price_or_date(line):
                anchor = False
            if anchor and not has_begun and self._is_far(line, last) and not self._has_price_or_date(line):
                break
            lines.append((line, anchor))
            last = line if anchor else last
        return self._assemble(lines), ended

    def _other_header(self, row: Row) -> bool:
        """Return whether a row is another table's header: three cells, no digits, two known labels."""
        if len(row.segments) < 3 or any(s.has_digit for s in row.segments):
            return False
        known = sum(o.alone and o.start == 0 for o in self.label_index.by_row.get(row.index, ()))
        return known + sum(s.key in column_forms() for s in row.segments) >= 2

    def _is_far(self, line: GridRow, last: GridRow | None) -> bool:
        return last is not None and line.top - last.bottom > 8 * self.header.page.line_height

    def _summary(self, line: GridRow) -> LabelMatch | None:
        """Return the label that makes a line a sum or carried-over balance, None if the line is a row."""
        label = summary_label(line.row, self.label_index)
        if label is None:
            return None
        column = self.header.cells[self.bands.index(label.tokens[0])]
        if "tax_rate" in column.concepts and "tax_total" in label.concepts:
            return None
        concept = column.target.concept.name if column.target and column.target.concept else None
        described = concept in _TEXT_CONCEPTS and self._has_price_or_date(line)
        return None if described or self._has_date(line) or self._has_price(line, all) else label

    def _has_date(self, line: GridRow) -> bool:
        """Return whether a line has a date in a date column."""
        return any(
            index in line.cells
            and (cell.target.kind == "date" if cell.target else bool(cell.concepts & _DATES))
            and is_date_like(line.cells[index])
            for index, cell in enumerate(self.header.cells)
        )

    def _has_price_or_date(self, line: GridRow) -> bool:
        """Return whether a line has a quantity or unit price beside its amount, or a date."""
        for index, cell in enumerate(self.header.cells):
            if index in self.anchors or index not in line.cells:
                continue
            concept = cell.target.concept.name if cell.target and cell.target.concept else None
            columns = {concept} if concept else set(cell.concepts)
            if columns & {"quantity", "unit_price"} and is_amount_cell(line.cells[index], self.context):
                return not _is_rate(line.cells[index])
        return self._has_date(line)

    def _has_begun_row(self, lines: Sequence[tuple[GridRow, bool]]) -> bool:
        """Return whether the last line begins a row whose amount follows."""
        if not lines or lines[-1][1]:
            return False
        last = lines[-1][0]
        return self._has_price_part(last) and not any(i in last.cells for i in self.anchors)

    def _is_anchor(self, line: GridRow, has_begun: bool) -> bool:
        """Return whether a line has its row's amount; an amount alone counts only if the row has begun."""
        filled = [i for i in self.anchors if i in line.cells]
        if not any(is_amount_cell(line.cells[i], self.context) for i in filled):
            return False
        return has_begun or len(line.cells) >= 2

    def _is_allowance(self, line: GridRow) -> bool:
        """Return whether a line is a discount or charge on the total ("Rabatt: Treue"), without a price."""
        texts = [line.cells[i] for i in self._text_columns if i in line.cells]
        if not texts or not texts[0][0].key or texts[0][0].key not in word_set("allowance_words"):
            return False
        if not any(t.text.endswith(":") for t in texts[0][:2]):
            return False
        columns = self._columns_by_concept
        rated = any(
            _is_rate(line.cells.get(columns[n], ())) for n in ("quantity", "unit_price") if n in columns
        )
        return rated or not self._has_price(line, all)

    def _assemble(self, lines: Sequence[tuple[GridRow, bool]]) -> list[TableRow]:
        rows: list[TableRow] = []
        anchors = [line for line, anchor in lines if anchor]
        if not anchors:
            return []
        described = sum(self._has_text(line) for line in anchors) >= len(anchors) / 2
        height = self.header.page.line_height
        gaps = [b.top - a.bottom for a, b in pairwise(anchors) if b.top > a.bottom]
        max_gap = (
            max(0.7 * height, min(gaps, default=height) * 0.98)
            if described
            else 1.2 * median([*gaps, height])
        )
        pending: list[GridRow] = []
        for line, anchor in lines:
            if anchor:
                row = TableRow({i: list(t) for i, t in line.cells.items()}, [line])
                last = pending[-1] if pending else None
                if last is not None and self._has_price_part(last) and line.top - last.bottom < 0.6 * height:
                    if not self._has_price_part(line):
                        self._merge(row, last)
                elif pending and not described:
                    self._prepend(row, [p for p in pending if self._continues(p, None)])
                elif pending:
                    self._prepend(
                        row,
                        [
                            p
                            for p in pending[-1:]
                            if _overlap_vertically(p, line) and self._continues(p, None)
                        ],
                    )
                pending = []
                rows.append(row)
                continue
            last = rows[-1].lines[-1] if rows else None
            is_near = last is not None and bool(last.cells) and line.top - last.bottom < max_gap
            if not line.cells:
                pending = []
                if rows:
                    rows[-1].lines.append(line)
            elif self._has_price_part(line) and not (is_near and self._follows_price(line, rows[-1])):
                pending.append(line)
            elif (
                is_near
                and (described or _overlap_vertically(rows[-1].lines[0], line))
                and self._continues(line, rows[-1])
            ):
                self._append(rows[-1], line)
            elif is_near and self._follows_price(line, rows[-1]):
                self._extend(rows[-1], line)
                if self._has_text(line):
                    rows[-1].lines.append(GridRow(line.row, {}))
            elif self._continues(line, None):
                pending.append(line)
            elif rows:
                rows[-1].lines.append(GridRow(line.row, {}))
        return rows

    def _has_price_part(self, line: GridRow) -> bool:
        """Return whether a line has a row's quantity or unit price."""
        return self._has_price(line, any)

    def _has_price(self, line: GridRow, how: Callable[[Iterable[bool]], bool]) -> bool:
        columns = self._columns_by_concept
        return how(
            name in columns
            and columns[name] in line.cells
            and is_amount_cell(line.cells[columns[name]], self.context)
            for name in ("quantity", "unit_price")
        )

    def _follows_price(self, line: GridRow, row: TableRow) -> bool:
        """Return whether a line continues number columns that its row has already filled."""
        return all(i in row.cells for i in line.cells) and any(
            is_numeric(self.header.cells[i]) for i in line.cells
        )

    @cached_property
    def _columns_by_concept(self) -> dict[str, int]:
        columns: dict[str, int] = {}
        for index, cell in enumerate(self.header.cells):
            if cell.target is not None and cell.target.concept is not None:
                columns.setdefault(cell.target.concept.name, index)
            elif cell.target is None and len(cell.concepts) == 1:
                columns.setdefault(next(iter(cell.concepts)), index)
        return columns

    def _merge(self, row: TableRow, line: GridRow) -> None:
        """Merge the line above, which holds the rest of the row, into the amount's row."""
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
        """Return whether a line continues a row's text: aligned, no bullet, no "label: value"."""
        texts = [(i, line.cells[i]) for i in self._text_columns if i in line.cells]
        if not texts or line.spilled:
            return False
        height = self.header.page.line_height
        for index, tokens in texts:
            if tokens[0].text in _BULLETS or tokens[0].text.startswith("•"):
                return False
            if is_labelled(tokens) and not (row is not None and is_labelled(row.cells.get(index, ()))):
                return False
            if tokens[-1].right > self.bands.boundaries[index] + height:
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


def is_labelled(tokens: Sequence[Token]) -> bool:
    """Return whether a text has the form "label: value"."""
    return any(
        t.text.startswith(":") or (t.text.endswith(":") and not t.text.endswith("):")) for t in tokens[:3]
    ) and not tokens[0].text.startswith("(")


def _overlap_vertically(first: GridRow, second: GridRow) -> bool:
    """Return whether two lines overlap vertically, as vertically centred cells of one row do."""
    height = max(first.bottom - first.top, second.bottom - second.top)
    return abs(second.row.middle - first.row.middle) < 0.7 * height


def _is_rate(tokens: Sequence[Token]) -> bool:
    """Return whether a cell is a tax rate."""
    return any("%" in t.text for t in tokens)


def is_date_like(tokens: Sequence[Token]) -> bool:
    """Return whether a cell is a date, with or without a year."""
    text = text_of(tokens)
    return bool(find_dates(text)) or parse_partial(text, True, None, _ANY_DAY) is not None


def summary_label(row: Row, label_index: LabelIndex) -> LabelMatch | None:
    """Return the label of a sum in ``row`` that its amount follows, None if there is none."""
    for label in label_index.by_row.get(row.index, ()):
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
    """Return whether the last word of the row is a word for a sum ("Goods Total")."""
    words = [
        t
        for t in row.tokens
        if t.key and not any(c.isdigit() for c in t.text) and not is_currency_mark(t.text)
    ]
    return bool(words) and words[-1].key in word_set("sum_words")


def body_rows(rows: Sequence[Row], label_index: LabelIndex) -> list[Row]:
    """Return ``rows`` up to the first sum or a wide gap."""
    kept: list[Row] = []
    for row in rows:
        if kept and row.top - kept[-1].bottom > 6 * label_index.page.line_height:
            break
        if len(kept) > 0 and summary_label(row, label_index) is not None and len(row.segments) <= 4:
            break
        kept.append(row)
    return kept
