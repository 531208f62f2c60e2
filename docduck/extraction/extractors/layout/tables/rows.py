"""Rows of a table: the lines below a header, grouped; sums, headings and other text are left out."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from statistics import median

from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.extractors.layout.tables.bands import Bands, Cells
from docduck.extraction.extractors.layout.tables.cells import TableContext, number_in
from docduck.extraction.extractors.layout.tables.centred import CentredRows, Kind
from docduck.extraction.extractors.layout.tables.column_fit import column_fit
from docduck.extraction.extractors.layout.tables.columns import Match, concept_of
from docduck.extraction.extractors.layout.tables.other_lines import heading_in, is_labelled, summary_label
from docduck.extraction.extractors.layout.tables.products import ANCHORS, PARTS
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.carried_sums import is_carried
from docduck.extraction.page.page_view import Row, Token
from docduck.extraction.reading import reading_of
from docduck.fields import NUMERIC, FieldType

_TEXTS = frozenset({FieldType.TEXT, FieldType.CHOICE, FieldType.LIST})
_FAR = 2.2
"""Gap between two lines of a table at most, in usual gaps from line to line."""
_USUAL = 1.3
"""Gap between two rows at most, in usual gaps, where the page's reading sees a labelled value."""
_SURE, _SUMMED = 0.9, 3
"""Probability of a cell from which only such a number of rows makes a line their sum."""
_WHOLE = 2
"""Number columns, or columns below heads that are sure, from which a line with a value in each is a row."""
_ACROSS = 0.8
"""Share of a table's width that a line between rows has at least."""
_PAGE_END = 0.8
"""Share of a page's height below which a table may go on on the next page."""
_FARTHEST = 12.0
"""Gap below which nothing is of the table, in line heights."""
_BULLETS = ("•", "·", "-", "–", "*", "▪", "○", "►")
_CONTINUED = 0.75
"""Gap between two lines of one cell at most, in line heights."""
_LESS, _CELL = 0.9, 0.5
"""The same in gaps between rows, unless the page's reading sees a cell with this probability."""
_DEDUCTIONS = frozenset({"discount", "shipping", "rounding"})
"""Concepts of lines that may be rows as well as parts of the sums below."""
_LETTERS = 5
_NOTE, _NOTE_CELL = 0.6, 0.3
"""Probability from which a line is a heading or a note, unless that of a cell reaches the second."""
_TIGHT = 0.5
"""The same where the page's reading sees something else than a cell, and for its offset."""
_INDENT = 0.4
"""Indentation of rows below the heading of their group at least, in line heights."""
_SMALL = 0.92
"""Height of a note relative to its row at most."""
_ALIGNED = 1.5
"""Offset of a cell's further lines at most, in line heights."""


@dataclass(eq=False)
class Line:
    """A printed line: the words of the field's columns, and how sure the page's reading is of its kind.

    ``width`` is the number of columns with words, those of no field among them.
    """

    row: Row
    cells: Cells
    width: int
    cell: float
    fact: float
    other: float

    @property
    def top(self) -> float:
        return min(t.top for tokens in self.cells.values() for t in tokens)

    @property
    def bottom(self) -> float:
        return max(t.bottom for tokens in self.cells.values() for t in tokens)

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(eq=False)
class TableRow:
    """One row of a table: the words of each column, and its lines.

    ``extra`` are the words of further lines in number columns, ``heading`` those of the heading of its group.
    """

    cells: Cells
    lines: list[Line] = field(default_factory=list)
    extra: Cells = field(default_factory=dict)
    heading: list[Token] = field(default_factory=list)

    def add(self, line: Line, columns: Collection[int]) -> None:
        """Add a further line: its words in ``columns`` to their cells, others to ``extra``."""
        for i, tokens in line.cells.items():
            (self.cells if i in columns else self.extra).setdefault(i, []).extend(tokens)
        self.lines.append(line)

    def prepend(self, line: Line) -> None:
        """Add the words of a line above to the cells."""
        for i, tokens in line.cells.items():
            self.cells[i] = [*tokens, *self.cells.get(i, [])]
        self.lines.insert(0, line)


def lines_of(rows: Iterable[Row], bands: Bands, columns: Container[int]) -> list[Line]:
    """Return the lines that have words in one of the columns."""
    lines = []
    for row in rows:
        cells = bands.cells(row)
        own = {i: tokens for i, tokens in cells.items() if i in columns}
        if not any(t.key for tokens in own.values() for t in tokens):
            continue
        segments = {t.segment.index: t.segment for tokens in own.values() for t in tokens}
        reading = reading_of(next(iter(segments.values())).page)
        shares = [
            sum(reading.kind(i, *kinds) for i in segments) / len(segments)
            for kinds in (("cell",), ("label", "value", "both"), ("heading", "prose", "furniture", "head"))
        ]
        lines.append(Line(row, own, len(cells), *shares))
    return lines


class _Sums:
    """The sums of some rows by column, and how many rows these are."""

    def __init__(self) -> None:
        self.of: dict[int, Decimal] = {}
        self.rows = 0

    def add(self, values: Mapping[int, Decimal]) -> None:
        """Add a row."""
        self.rows += 1
        for i, value in values.items():
            self.of[i] = self.of.get(i, Decimal(0)) + value


class Grouper:
    """Groups lines to rows of a table, one page at a time; ``ended`` is whether the table ends on its page.

    ``known`` are the indexes of lines that are rows whatever the page's reading sees, ``summed`` the lines
    that are sums.
    """

    def __init__(
        self, match: Match, labels: LabelIndex, context: TableContext, known: Collection[int] = ()
    ) -> None:
        self.known = known
        self.columns = match.columns
        self.height = match.header.page.line_height
        self.header = match.header
        self.is_headed = self.header.certainty >= _SURE or 2 * match.named >= len(match.columns)
        self.labels = labels
        self.context = context
        self.amounts = [i for i, c in self.columns.items() if c.type in NUMERIC]
        self.sums, self.since = _Sums(), _Sums()
        self.usual = 1.0
        self.anchors: set[int] = set()
        self.pitch = 0.0
        self.rules: list[float] = []
        self.above: Line | None = None
        self.left = 0.0
        self.heading: list[Token] = []
        self.bottom = 0.0
        self.summed: list[Line] = []
        self.ended = False

    def rows(self, lines: Sequence[Line], top: float) -> list[TableRow]:
        """Return the rows among the lines below ``top``; a wide gap after the first ends the table."""
        table_rows: list[TableRow] = []
        pending: list[Line] = []
        self.anchors = anchors = self._anchors(lines)
        anchored = [line for line in lines if anchors & line.cells.keys() and line.cell >= line.fact]
        self.pitch = pitch = self._pitch(anchored)
        described = self._are_described(anchored)
        self.rules = self._rules(lines)
        self.usual = median(line.width for line in anchored) if anchored else 1.0
        owners = self._owners(lines)
        lefts = [line.row.segments[0].left for line in anchored if min(self.columns) in line.cells]
        self.left = median(lefts) if 2 * len(lefts) > len(anchored) else 0.0
        self.bottom = bottom = top
        open_row, after_sum = False, False
        for at, line in enumerate(lines):
            gap, self.bottom = line.top - bottom, bottom
            bottom = max(bottom, line.bottom)
            is_far = bool(table_rows) and gap > max(_FAR * pitch, 2 * self.height)
            if gap > _FARTHEST * self.height or (is_far and not self._is_row(line, anchors, True)):
                self.ended = bottom < _PAGE_END * self.header.page.height
                break
            if after_sum and line.width > 1 and line.other >= _NOTE:
                break
            if self._is_carried(line):
                after_sum, open_row, pending = bool(table_rows), False, []
                self.summed.append(line)
                continue
            if self._is_sum(line, table_rows) and not self._is_deducted(line, lines[at + 1 : at + 2]):
                after_sum, open_row, pending = True, False, []
                self.ended = True
                self.since = _Sums()
                self.summed.append(line)
                continue
            if self._is_heading(line):
                self.heading, open_row, pending = heading_in(line.row), False, []
                after_sum = False
                continue
            owner = owners.get(line.row.index)
            if owner is not None and owner.top > line.top:
                open_row = False
                pending.append(line)
                continue
            above = table_rows[-1] if open_row else None
            if owner is not None and above is not None:
                above.add(line, line.cells)
                continue
            is_continued = above is not None and self._continues(line, above)
            if above is not None and self._completes(line, above.lines[-1], above.cells):
                above.add(line, line.cells)
            elif above is not None and not _is_fact(line) and self._are_together(line, above.lines[-1]):
                if not self._is_note(line, above):
                    above.add(line, self._texts(line))
            elif self._begins(line, pending, after_sum):
                own = [before for before in pending if owners.get(before.row.index) is line]
                table_rows.append(self._row(line, pending, described, len(own)))
                pending, open_row = [], True
                self.ended = False
                self._add_to_sums(line)
                self.above = line
            elif above is not None and is_continued:
                above.add(line, self._texts(line))
            else:
                open_row = False
                if not table_rows and summary_label(line.row, self.labels) is not None:
                    self.summed.append(line)
                if line.other < _NOTE or line.cell >= _NOTE_CELL:
                    pending.append(line)
        return table_rows

    def _begins(self, line: Line, pending: Sequence[Line], strict: bool) -> bool:
        """Return whether a line is a row, or has the amount of a row whose other numbers are above."""
        if self._is_row(line, self.anchors, strict):
            return True
        return (
            bool(pending)
            and bool(self.anchors & line.cells.keys())
            and self._completes(line, pending[-1], pending[-1].cells)
        )

    def _owners(self, lines: Sequence[Line]) -> dict[int, Line]:
        """Return the lines of numbers that texts are centred around, by the index of each text's row."""
        kinds = [self._kind(line) for line in lines]
        wrapped = {i for line, kind in zip(lines, kinds, strict=True) if kind == "text" for i in line.cells}
        kinds = [
            "bare" if kind == "row" and wrapped.isdisjoint(line.cells) else kind
            for line, kind in zip(lines, kinds, strict=True)
        ]
        texts = CentredRows(lines, kinds, self.rules, self.height).texts()
        return {lines[at].row.index: lines[row] for at, row in texts.items()}

    def _kind(self, line: Line) -> Kind:
        """Return what a line may be for texts that are centred around numbers."""
        is_note = not self.rules and line.other >= _NOTE and line.cell < _NOTE_CELL
        if summary_label(line.row, self.labels) is not None or _is_fact(line):
            return "other"
        if any(i in line.cells and self._fits(i, line.cells[i]) for i in self.anchors):
            return "row"
        return "text" if len(self._texts(line)) == len(line.cells) and not is_note else "other"

    def _row(self, line: Line, pending: Sequence[Line], described: bool, own: int) -> TableRow:
        """Return the row of an anchor line, with lines above that are part of it, ``own`` of them surely."""
        row = TableRow({i: list(tokens) for i, tokens in line.cells.items()}, [line])
        for number, before in enumerate(reversed(pending)):
            if number < own:
                row.prepend(before)
                continue
            near = row.lines[0].top - before.bottom < _TIGHT * self.height
            together = self._are_together(before, row.lines[0])
            typed = {i for i in before.cells if self.columns[i].type not in _TEXTS}
            if not together and (not near or (described and not typed) or typed & row.cells.keys()):
                break
            row.prepend(before)
        above = pending[: len(pending) + 1 - len(row.lines)]
        headings = (heading_in(before.row) for before in reversed(above) if self._is_leftmost(before))
        self.heading = row.heading = next(filter(None, headings), self.heading)
        return row

    def _is_leftmost(self, line: Line) -> bool:
        """Return whether a line without amounts begins where rows begin, or further left."""
        if any(i in self.columns and i in line.cells and self._fits(i, line.cells[i]) for i in self.amounts):
            return False
        return line.row.segments[0].left < self.left + _TIGHT * self.height

    def _is_heading(self, line: Line) -> bool:
        """Return whether a line is the heading of the rows below, which are indented."""
        is_apart = line.row.segments[0].left < self.left - _INDENT * self.height
        return is_apart and self._is_leftmost(line) and bool(heading_in(line.row))

    def _is_note(self, line: Line, row: TableRow) -> bool:
        """Return whether a line is printed smaller than the first of its row; scans don't show that."""
        first = row.lines[0]
        beside = [i for i in line.cells if i in first.cells]
        usual = min(median(_heights(first, first.cells)), min(_heights(first, beside), default=0.0))
        return not self.header.page.ocr and median(_heights(line, line.cells)) < _SMALL * usual

    def _texts(self, line: Line) -> list[int]:
        """Return the columns of texts that a line has words of."""
        return [i for i in line.cells if self.columns[i].type in _TEXTS]

    def _add_to_sums(self, line: Line) -> None:
        values = {i: number_in(line.cells.get(i, ()), self.context) for i in self.amounts}
        for sums in (self.sums, self.since):
            sums.add({i: value[0] for i, value in values.items() if value is not None})

    def _anchors(self, lines: Sequence[Line]) -> set[int]:
        """Return the columns of which each row fills one: those with typed values, else the first."""
        typed = {i for i, c in self.columns.items() if c.type not in _TEXTS}
        filled = Counter(
            i
            for line in lines
            if line.cell >= 0.3 or line.fact < 0.5 or line.row.index in self.known or self._is_whole(line)
            for i in line.cells
        )
        amounts = {i for i in self.amounts if filled[i]}
        named = {i for i in amounts if concept_of(self.columns[i]) in ANCHORS}
        amounts = named or {i for i in amounts if concept_of(self.columns[i]) not in PARTS} or amounts
        if amounts:
            most = max(filled[i] for i in amounts)
            return {i for i in amounts if 2 * filled[i] >= most or self.columns[i].type is FieldType.CURRENCY}
        return {i for i in typed if filled[i]} or {min(self.columns)}

    def _are_described(self, lines: Sequence[Line]) -> bool:
        """Return whether most rows have their text in the line of their amount."""
        texts = [i for i, c in self.columns.items() if c.type in _TEXTS]
        return 2 * sum(any(i in line.cells for i in texts) for line in lines) >= len(lines)

    def _rules(self, lines: Sequence[Line]) -> list[float]:
        """Return the places of the drawn lines between rows, none unless each two amounts have one."""
        cells = self.header.cells
        first, last = cells[0].left, cells[-1].right
        rules = sorted(
            y
            for left, right, y in self.header.page.horizontal_rules()
            if min(right, last) - max(left, first) > _ACROSS * (last - first)
        )
        strips = [bisect(rules, line.middle) for line in lines if self.anchors & line.cells.keys()]
        inner = [strip for strip in strips if strip < len(rules)]
        return rules if len(inner) > 1 and len(set(inner)) == len(inner) else []

    def _are_together(self, line: Line, other: Line) -> bool:
        """Return whether no drawn line is between two close lines of a table with one after each row."""
        gap = max(line.top, other.top) - min(line.bottom, other.bottom)
        is_close = bool(self.rules) and gap <= _CONTINUED * self.height
        return is_close and self._strip(line) == self._strip(other)

    def _strip(self, line: Line) -> int:
        """Return the number of the drawn lines between rows above a line."""
        return bisect(self.rules, line.middle)

    def _pitch(self, lines: Sequence[Line]) -> float:
        gaps = [max(b.top - a.bottom, 0.0) for a, b in pairwise(lines)]
        return max(median(gaps[:30]) if gaps else self.height, 0.1 * self.height)

    def _is_row(self, line: Line, anchors: set[int], strict: bool) -> bool:
        if not any(i in line.cells and self._fits(i, line.cells[i]) for i in anchors):
            return not strict and self._is_like_row(line)
        if any(i not in anchors and not self._may_hold(i, tokens) for i, tokens in line.cells.items()):
            return False
        if line.row.index in self.known:
            return True
        if self._is_whole(line):
            return True
        if line.fact > 0.6 and line.fact > line.cell + 0.3 and (strict or not self._is_aligned(line)):
            return False
        if len(self.header.cells) > 1 and (line.width < 2 or (strict and line.width + 1 < self.usual)):
            return False
        return not strict or line.cell >= 0.5 or (line.fact < 0.3 and line.other < 0.3)

    def _is_like_row(self, line: Line) -> bool:
        """Return whether a line without an amount has all other columns of the row above, or is ruled off."""
        others = [i for i in line.cells if i not in self.anchors]
        if self.above is None or not all(self._fits(i, line.cells[i]) for i in others):
            return False
        is_ruled = line.cell >= _CELL and self._strip(line) != self._strip(self.above)
        typed = {i for i in line.cells if self.columns[i].type not in _TEXTS and self._fits(i, line.cells[i])}
        return (is_ruled and bool(typed)) or self._is_filled(line)

    def _is_filled(self, line: Line) -> bool:
        """Return whether a line has all columns of the row above but amounts."""
        others = self.columns.keys() - self.anchors
        return (
            self.above is not None
            and len(others) > 1
            and len(line.cells) > 1
            and line.cells.keys() >= others & self.above.cells.keys()
            and (line.cell >= _CELL or (self.is_headed and self._is_aligned(line)))
        )

    def _is_whole(self, line: Line) -> bool:
        """Return whether a line has a value for each of several columns, whatever the page's reading sees."""
        is_wide = len(self.columns) > _WHOLE and self.is_headed and not _is_fact(line)
        return len(self.amounts) >= (1 if is_wide else _WHOLE) and all(
            i in line.cells and self._fits(i, line.cells[i]) for i in self.columns
        )

    def _fits(self, index: int, tokens: Sequence[Token]) -> bool:
        column = self.columns[index]
        return column.type in _TEXTS or column_fit(column, [tokens], self.context) > 0.0

    def _is_aligned(self, line: Line) -> bool:
        """Return whether a line follows a row or the header closely, and is aligned with it."""
        if line.top - self.bottom > _USUAL * max(self.pitch, _TIGHT * self.height):
            return False
        edges = (
            {i: (tokens[0].left, tokens[-1].right) for i, tokens in self.above.cells.items()}
            if self.above is not None
            else {i: (cell.left, cell.right) for i, cell in enumerate(self.header.cells)}
        )
        return any(self.columns[i].type in _TEXTS for i in line.cells) and all(
            i in edges
            and min(abs(edges[i][0] - tokens[0].left), abs(edges[i][1] - tokens[-1].right))
            < _TIGHT * self.height
            for i, tokens in line.cells.items()
        )

    def _may_hold(self, index: int, tokens: Sequence[Token]) -> bool:
        """Return whether a cell's words may be a value of their column, with other words."""
        typed = self.columns[index].type not in _TEXTS and self.columns[index].type is not FieldType.BOOLEAN
        is_empty = not any(t.key for t in tokens)
        return not typed or is_empty or any(c.isdigit() for t in tokens for c in t.text)

    @property
    def _summed(self) -> list[int]:
        """The columns whose sums are printed below: money, or else other amounts."""
        amounts = [i for i in self.amounts if i in self.anchors]
        return [i for i in amounts if self.columns[i].type is FieldType.CURRENCY] or amounts

    def _is_carried(self, line: Line) -> bool:
        """Return whether a line of few cells, none a date, says that it carries a sum over a page's end."""
        is_short = line.width < self.usual or line.width <= _WHOLE
        dated = any(self.columns[i].type is FieldType.DATE for i in line.cells)
        return is_short and not dated and is_carried(line.row.text, summed=False)

    def _is_sum(self, line: Line, rows: Sequence[TableRow]) -> bool:
        """Return whether a line is a sum: by its label, or because it is the sum of the rows above."""
        if not rows:
            return False
        if line.row.index in self.labels.sums:
            return True
        is_short = line.width < self.usual
        label = summary_label(line.row, self.labels)
        is_named = label is not None and (
            label.alone or not self._is_leftmost(line) or not heading_in(line.row)
        )
        if is_named and (line.cell < _SURE or is_short or self.ended):
            return True
        named = any(t.key in word_set("sum_words") for i in line.cells for t in line.cells[i][:2])
        least = 1 if named else 2
        for i in self._summed:
            value = number_in(line.cells.get(i, ()), self.context)
            if value and value[0]:
                for above in (self.sums, self.since):
                    if (
                        above.rows >= least
                        and value[0] == above.of.get(i, Decimal(0))
                        and (named or is_short or line.cell < _SURE or above.rows >= _SUMMED)
                    ):
                        return True
        return False

    def _is_deducted(self, line: Line, below: Sequence[Line]) -> bool:
        """Return whether a discount or the like is a row, as the next sum is that of the rows with it."""
        label = summary_label(line.row, self.labels)
        if label is None or label.concepts.isdisjoint(_DEDUCTIONS) or not self.since.rows or not below:
            return False
        for i in self._summed:
            value, total = (number_in(entry.cells.get(i, ()), self.context) for entry in (line, below[0]))
            if value and total and self.since.of.get(i, Decimal(0)) + value[0] == total[0]:
                return True
        return False

    def _completes(self, line: Line, above: Line, cells: Cells) -> bool:
        """Return whether a line close below ``above`` has numbers that ``cells`` lack, and no others."""
        if line.top - above.bottom > _TIGHT * self.height or len(line.cells) > len(cells):
            return False
        if not all(i in self.amounts or (i in cells and self.columns[i].type in _TEXTS) for i in line.cells):
            return False
        numbers = [i for i in line.cells if i in self.amounts]
        return (
            bool(numbers)
            and any(i in cells for i in self.amounts)
            and all(i not in cells and self._fits(i, line.cells[i]) for i in numbers)
        )

    def _continues(self, line: Line, row: TableRow) -> bool:
        """Return whether a line continues a row's texts: close below them, aligned, no "label: value"."""
        gap = line.top - row.lines[-1].bottom
        texts = {i: tokens for i, tokens in line.cells.items() if self.columns[i].type in _TEXTS}
        if any(i not in row.cells for i in line.cells) or gap > _CONTINUED * self.height:
            return False
        if self._is_note(line, row):
            return False
        if len(texts) < len(line.cells) and any(i in line.cells for i in self.anchors):
            return False
        if gap >= _LESS * self.pitch and line.cell < _CELL:
            return False
        slack = _ALIGNED * self.height
        if line.fact >= 0.6:
            if gap > _TIGHT * self.height:
                return False
            slack = _TIGHT * self.height
        for i, tokens in texts.items():
            if all(abs(t.left - tokens[0].left) > slack for t in row.cells[i]):
                return False
            if _is_capital(tokens) and not _is_capital(row.cells[i]):
                return False
            if tokens[0].text in _BULLETS or (is_labelled(tokens) and not is_labelled(row.cells[i])):
                return False
        return True


def _heights(line: Line, columns: Iterable[int]) -> list[float]:
    return [t.bottom - t.top for i in columns for t in line.cells[i]]


def _is_fact(line: Line) -> bool:
    """Return whether a text of a line has the form "label: value"."""
    return any(is_labelled(tokens) for tokens in line.cells.values())


def _is_capital(tokens: Sequence[Token]) -> bool:
    """Return whether a text is in capitals, as a heading may be."""
    text = "".join(t.text for t in tokens)
    return text.isupper() and sum(c.isalpha() for c in text) >= _LETTERS
