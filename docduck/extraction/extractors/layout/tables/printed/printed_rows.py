"""Rows of a table as printed, with its headings and sums: by drawn lines, filled columns and distance."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from statistics import median

from docduck.extraction.extractors.layout.tables.bands import Bands, levels
from docduck.extraction.extractors.layout.tables.headers import Header
from docduck.extraction.extractors.layout.tables.rows import Line, TableRow, lines_of
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import Row, Segment, Token, text_of
from docduck.fields import FieldType

_MAX_GAP = 2.6
"""Maximum gap within a table, in line heights."""
_FOOTNOTE_MARK = re.compile(r"[(\[]?(?:\*{1,4}|[†‡§¶]|\d{1,2}|[a-z])[)\].]?")
_VALUE = re.compile(r"[-–—−.…·xX✓✔✗*]{1,4}|n/?a\.?|n\.?d\.?|[(\[]?[<>≤≥~+\-–−$€£]{0,2}[\s]?[\d.,]*\d.*", re.I)
_SAMPLE = 30
"""Lines below a header that its columns are cut by first."""
_ACROSS = 0.6
"""Share of a table's width that a line across it has at least."""
_RULED = 3
"""Strips between drawn lines from which each is a row."""
_FOOTER = 0.9
"""Share of a page's height below which only its footer is."""
_WIDE, _MARKED = 0.5, 3
"""Share of a page's width from which running text is prose, and words of a footnote without it."""
_NUMBERED = re.compile(r"(?:\d|[A-Z]{1,2}[\d.:-]|[IVX]+\b|[Nn][°or]\b)")
"""The number of a table or figure."""
_MIN_INDENT = 2.5
"""Minimum indent, in points."""


def is_printed(query: FieldQuery) -> bool:
    """Return whether a table is read as printed: all of its columns are texts."""
    return all(column.type is FieldType.TEXT for column in query.columns)


def printed_rows(
    header: Header, rows: Sequence[Row], bands: Bands | None = None
) -> tuple[Bands, list[TableRow], bool]:
    """Return the bands of a table, its rows as printed among ``rows``, and whether it ends on their page.

    ``bands`` are those of the page before if it goes on without a header.
    """
    body = _Body(header, bands or Bands(header, rows[:_SAMPLE]), rows)
    lines, ended = body.until_end()
    if not lines:
        return body.bands, [], True
    body = _Body(header, bands or Bands(header, lines), lines)
    return body.bands, body.rows(), ended


def is_caption(tokens: Sequence[Token]) -> bool:
    """Return whether a line begins with a word for table or figure and a number: "Table 3. …"."""
    named = len(tokens) > 1 and key(tokens[0].text) in word_set("caption_words")
    return named and _NUMBERED.match(tokens[1].text) is not None


def is_value(tokens: Sequence[Token]) -> bool:
    """Return whether a cell looks like a number, a mark or a placeholder for a number."""
    text = text_of(tokens)
    if not _VALUE.fullmatch(text):
        return False
    letters = sum(c.isalpha() for c in text)
    return letters <= max(4, sum(c.isdigit() for c in text))


class _Body:
    """The lines below a header, cut into columns and by the drawn lines across them."""

    def __init__(self, header: Header, bands: Bands, rows: Sequence[Row]) -> None:
        self.page = header.page
        self.height = header.page.line_height
        self.bands = bands
        left, right = (rows[0].segments[0].left, rows[0].segments[0].right) if rows else (0.0, 0.0)
        for row in rows:
            left, right = min(left, row.segments[0].left), max(right, row.segments[-1].right)
        self.edges = [left, *bands.boundaries, right]
        self.levels = levels(self.page, left, right, _ACROSS)
        count = len(bands.boundaries) + 1
        self.lines = lines_of(self._ruled_apart(rows), bands, range(count))
        self.values = self._value_columns(count)

    def _ruled_apart(self, rows: Sequence[Row]) -> list[Row]:
        """Return rows cut where a drawn line is between their segments."""
        pieces: dict[tuple[int, int], list[Segment]] = {}
        for row in rows:
            for segment in row.segments:
                pieces.setdefault((bisect(self.levels, segment.middle), row.index), []).append(segment)
        return [Row(index, segments) for (_, index), segments in sorted(pieces.items(), key=itemgetter(0))]

    def _value_columns(self, count: int) -> set[int]:
        """Return the columns of which most cells are values; the first of several never counts."""
        whole = [line for line in self.lines if not self._is_spilled(line)]
        cells = [[line.cells[i] for line in whole if i in line.cells] for i in range(count)]
        columns = {i for i, some in enumerate(cells) if some and 2 * sum(map(is_value, some)) > len(some)}
        return columns - {0} if count > 1 and len(columns) == count else columns

    def _is_spilled(self, line: Line) -> bool:
        """Return whether running text crosses the boundary of its column."""
        return any(
            self.bands.column((t.left + t.right) / 2) != i for i, tokens in line.cells.items() for t in tokens
        )

    def until_end(self) -> tuple[list[Row], bool]:
        """Return the rows up to the table's end, and whether other text follows on the page."""
        lines: list[Line] = []
        gaps: list[float] = []
        for at, line in enumerate(self.lines):
            gap = line.top - lines[-1].bottom if lines else 0.0
            usual = median(gaps) if gaps else self.height
            is_far = gap > max(_MAX_GAP * self.height, 3.0 * usual)
            if lines and self._is_after_table(line, lines[-1], is_far):
                return [line.row for line in lines], any(
                    other.bottom < _FOOTER * self.page.height for other in self.lines[at:]
                )
            if lines:
                gaps.append(max(0.0, gap))
            lines.append(line)
        return [line.row for line in lines], False

    def _is_after_table(self, line: Line, above: Line, is_far: bool) -> bool:
        """Return whether a line is after the table: a note, a caption, prose, or below its last rule."""
        rule_below = bool(self.levels) and line.middle < self.levels[-1]
        rule_passed = bisect(self.levels, line.middle) > bisect(self.levels, above.middle)
        tokens = line.row.tokens
        first = tokens[0]
        if is_caption(tokens):
            return True
        if is_far and not rule_below and 0 not in line.cells:
            return True
        enough = (
            self._value_count(line) >= max(1, len(self.values) // 2) if self.values else len(line.cells) > 1
        )
        spilled = self._is_spilled(line)
        if enough and not spilled:
            return False
        if key(first.text) in word_set("table_notes") and (
            rule_passed or not rule_below or first.text.endswith((":", "."))
        ):
            return True
        if is_far or (rule_passed and not rule_below):
            return True
        if rule_below:
            return False
        is_wide = tokens[-1].right - first.left > _WIDE * self.page.width
        return (spilled and is_wide) or bool(_FOOTNOTE_MARK.fullmatch(first.text) and len(tokens) > _MARKED)

    def rows(self) -> list[TableRow]:
        """Return the rows of a table's body, top to bottom."""
        strips = [
            list(lines) for _, lines in groupby(self.lines, lambda line: bisect(self.levels, line.middle))
        ]
        rows: list[TableRow] = []
        for strip in strips:
            if self._is_one_row(strip, len(strips)):
                row = TableRow({})
                for line in strip:
                    row.add(line, line.cells)
                rows.append(row)
            elif self.values:
                rows.extend(self._by_values(strip))
            else:
                rows.extend(self._by_first_column(strip))
        if self.bands.is_ruled:
            self._copy_merged_cells(rows)
        while rows and self._is_section(rows[-1]) and len(rows[-1].lines) == 1 and self.values:
            rows.pop()
        return rows

    def _is_section(self, row: TableRow) -> bool:
        """Return whether a row is a heading among the rows."""
        return row.cells.keys() == {0} and bool(self.bands.boundaries)

    def _is_one_row(self, strip: Sequence[Line], count: int) -> bool:
        """Return whether the lines between two ruled lines are one row with wrapped cells."""
        if len(strip) == 1:
            return True
        if count < _RULED and not self.bands.is_ruled:
            return False
        return not self.values or sum(self._value_count(line) > 0 for line in strip) <= 1

    def _value_count(self, line: Line) -> int:
        return sum(i in self.values and is_value(tokens) for i, tokens in line.cells.items())

    def _by_values(self, lines: Sequence[Line]) -> list[TableRow]:
        """Return rows around the lines with values; lines of words alone join the row they belong to."""
        anchors = [at for at, line in enumerate(lines) if self._value_count(line)]
        gaps = [b.middle - a.middle for a, b in pairwise(lines[at] for at in anchors)]
        pitch = median(gaps) if gaps else 1.5 * self.height
        rows: list[TableRow] = []
        pending: list[Line] = []
        for at, line in enumerate(lines):
            if self._value_count(line):
                row = TableRow({i: list(t) for i, t in line.cells.items()}, [line])
                while pending and _begins_label(pending[-1], row, pitch):
                    row.prepend(pending.pop())
                rows.extend(TableRow(dict(p.cells), [p]) for p in pending)
                pending = []
                rows.append(row)
                continue
            ahead = bisect(anchors, at)
            following = lines[anchors[ahead]] if ahead < len(anchors) else None
            last = rows[-1] if rows and not pending and not self._is_section(rows[-1]) else None
            if last is not None and _continues(line, last, following, self.height):
                last.add(line, line.cells)
            else:
                pending.append(line)
        rows.extend(TableRow(dict(p.cells), [p]) for p in pending)
        return rows

    def _by_first_column(self, lines: Sequence[Line]) -> list[TableRow]:
        """Return rows without values: one begins at a filled first column, or after a wider gap."""
        gaps = [b.top - a.bottom for a, b in pairwise(lines)]
        least, widest = (min(gaps), max(gaps)) if gaps else (0.0, 0.0)
        spaced = widest - least > 0.45 * self.height
        limit = (least + widest) / 2
        rows: list[TableRow] = []
        for at, line in enumerate(lines):
            apart = at > 0 and gaps[at - 1] > limit
            wrapped = len(line.cells) == 1 and line.row.text[:1].islower()
            if not rows or (apart if spaced else 0 in line.cells and not wrapped):
                rows.append(TableRow({}))
            rows[-1].add(line, line.cells)
        return rows

    def _copy_merged_cells(self, rows: Sequence[TableRow]) -> None:
        """Copy a cell that spans several rows by its ruled lines into each of them."""
        if any(map(self._is_section, rows)) or len(rows) < 2 or not self.bands.boundaries:
            return
        for index, (left, right) in enumerate(pairwise(self.edges)):
            between = levels(self.page, left + 1, right - 1, _ACROSS)
            strips = [bisect(between, row.lines[0].middle) for row in rows]
            for strip in dict.fromkeys(strips):
                group = [row for row, own in zip(rows, strips, strict=True) if own == strip]
                filled = [row for row in group if index in row.cells]
                if len(group) > 1 and len(filled) == 1:
                    for row in group:
                        row.cells[index] = list(filled[0].cells[index])


def _continues(line: Line, row: TableRow, following: Line | None, height: float) -> bool:
    """Return whether a line without values continues the row above it."""
    last = row.lines[-1]
    gap = line.top - last.bottom
    if gap > 1.3 * height:
        return False
    if 0 not in line.cells:
        return gap < 0.8 * height
    text = line.cells[0][0].text
    own = row.cells.get(0)
    if own is None:
        return gap < 0.5 * height
    end = own[-1].text
    if following is None:
        return gap < 0.8 * height and (text[:1].islower() or end.endswith((",", "-", "–")))
    if (
        text[:1].islower()
        or end.endswith((",", "-", "–", "/"))
        or end.lower() in word_set("connecting_words")
        or _unclosed(own)
    ):
        return 0 in following.cells or gap < following.top - line.bottom
    if 0 not in following.cells:
        return False
    start = next((o.cells[0][0].left for o in row.lines if 0 in o.cells), line.cells[0][0].left)
    here, then = line.cells[0][0].left, following.cells[0][0].left
    ahead = following.top - line.bottom
    if line.cells[0][-1].text.endswith(":"):
        return False
    if here > start + _MIN_INDENT and then < here - _MIN_INDENT:
        return True
    return gap < 0.55 * ahead and abs(here - start) < _MIN_INDENT and ahead > 0.3 * height


def _unclosed(tokens: Sequence[Token]) -> bool:
    text = text_of(tokens)
    return text.count("(") > text.count(")")


def _begins_label(line: Line, row: TableRow, pitch: float) -> bool:
    """Return whether a line directly above a row begins its label."""
    below = row.lines[0]
    if below.top - line.bottom > 0.75 * pitch:
        return False
    is_labelled = 0 in row.lines[-1].cells
    text = line.cells[0][-1].text if 0 in line.cells else ""
    start = below.cells[0][0].text if 0 in below.cells else ""
    hanging = 0 in below.cells and 0 in line.cells
    joined = (
        (not is_labelled and len(row.lines) == 1)
        or start[:1].islower()
        or text.endswith((",", "-", "–", "/"))
        or text.lower() in word_set("connecting_words")
        or (hanging and _unclosed(line.cells[0]))
    )
    return joined and not (text.endswith(":") and is_labelled)
