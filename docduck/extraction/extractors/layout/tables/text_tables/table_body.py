"""The body of a table: the lines below its header by column, down to the table's end."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docduck.extraction.extractors.layout.tables.text_tables.body_lines import BodyLine, group_lines, is_value
from docduck.extraction.extractors.layout.tables.text_tables.captions import is_caption
from docduck.extraction.extractors.layout.tables.text_tables.gaps import middle_of_gap
from docduck.extraction.extractors.layout.tables.text_tables.header_detection import TableHeader
from docduck.extraction.extractors.layout.tables.text_tables.ruled_lines import ruled_lines
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView, Token

_STEP = 1.5
"""Width of a bin, in points, for finding white space between columns."""
_MAX_GAP = 2.6
"""Maximum gap within a table, in line heights."""
_FOOTNOTE_MARK = re.compile(r"[(\[]?(?:\*{1,4}|[†‡§¶]|\d{1,2}|[a-z])[)\].]?")


@dataclass
class TableBody:
    """The lines below a header cut into columns, the column boundaries, and the table's edges.

    ``values`` says for each column whether it holds values; ``closed`` says whether other text follows on the
    page.
    """

    lines: list[BodyLine]
    boundaries: list[float]
    left: float
    right: float
    bottom: float
    values: list[bool]
    closed: bool = False


def find_body(header: TableHeader, stop: float) -> TableBody:
    """Return the lines from a header down to the table's end, at most to the height ``stop``."""
    page = header.page
    height = page.line_height
    rules = ruled_lines(page)
    frame = rules.frame(header.left, header.right, header.top - 2.2 * height, header.bottom + 1.6 * height)
    tokens = [
        t
        for row in page.rows
        if row.bottom > header.bottom
        for t in row.tokens
        if header.bottom - 0.15 * height < (t.top + t.bottom) / 2 < stop and id(t) not in header.tokens
    ]
    left, right = _sides(header, tokens, frame, height)
    tokens = [t for t in tokens if left <= (t.left + t.right) / 2 <= right]
    lines = group_lines(tokens, height)
    _locate_first_column(header, lines)
    boundaries = _boundaries(header, lines[:30], lines[-1].bottom if lines else header.bottom)
    kept, closed = _lines_until_end(header, lines, boundaries, left, right)
    if kept:
        boundaries = _boundaries(header, kept, kept[-1].bottom)
        for line in kept:
            split_line(line, boundaries, height)
    return TableBody(
        kept,
        boundaries,
        left,
        right,
        kept[-1].bottom if kept else header.bottom,
        _value_columns(kept, boundaries),
        closed,
    )


def continued_from(page: PageView, body: TableBody) -> float | None:
    """Return the height above the first lines of a page that continue the table, None if none do."""
    value_count = sum(body.values)
    tokens = [t for row in page.rows if row.top < 0.3 * page.height for t in row.tokens]
    lines = group_lines(
        [t for t in tokens if body.left <= (t.left + t.right) / 2 <= body.right], page.line_height
    )
    for line in lines[:8] if value_count else ():
        split_line(line, body.boundaries, page.line_height)
        filled = sum(body.values[i] and is_value(c) for i, c in line.cells.items())
        if 2 * filled >= value_count and 0 in line.cells and not line.spilled and len(line.cells) > 1:
            return line.top - 0.3 * page.line_height
    return None


def _sides(
    header: TableHeader, tokens: Sequence[Token], frame: tuple[float, float] | None, height: float
) -> tuple[float, float]:
    if frame is not None:
        return frame[0] - 3.0, frame[1] + 3.0
    first, last = header.columns[0], header.columns[-1]
    left = 0.0 if first.span is None else first.left - 1.5 * height
    right = last.right + 1.5 * height
    for token in tokens:
        segment = token.segment
        if segment.left < first.right and first.left < segment.right:
            left = min(left, segment.left - 1.0)
        if segment.left < last.right and last.left - height < segment.right:
            right = max(right, segment.right + 1.0)
    return left, right


def _locate_first_column(header: TableHeader, lines: Sequence[BodyLine]) -> None:
    """Set the edges of a first column without a header to where its words begin."""
    first = header.columns[0]
    if first.span is None and len(header.columns) > 1:
        edge = header.columns[1].left
        lefts = [line.left for line in lines[:30] if line.left < edge]
        if lefts:
            first.left = min(lefts)
            first.right = min(first.left + 4.0, edge)


def _boundaries(header: TableHeader, lines: Sequence[BodyLine], bottom: float) -> list[float]:
    """Return the right edge of each column: a ruled line, else the widest white space."""
    page = header.page
    rules = ruled_lines(page)
    bins = int(page.width / _STEP) + 2
    load = [0.0] * bins
    height = page.line_height
    for line in lines:
        for x0, x1 in _text_spans(line, height):
            for at in range(max(0, int(x0 / _STEP)), min(bins - 1, int(x1 / _STEP)) + 1):
                load[at] += 1.0
    boundaries = []
    for column, following in pairwise(header.columns):
        ruled = rules.boundaries(column.centre, following.centre, header.bottom, bottom)
        if ruled:
            boundaries.append(
                ruled[0]
                if len(ruled) == 1
                else min(ruled, key=lambda x: abs(x - (column.right + following.left) / 2))
            )
            continue
        boundaries.append(_gap(column.centre, following.centre, column.right, following.left, load))
    boundaries.append(float("inf"))
    return boundaries


def _gap(start: float, end: float, right: float, left: float, load: Sequence[float]) -> float:
    first, last = int(start / _STEP), min(int(end / _STEP), len(load) - 1)
    if last <= first:
        return (right + left) / 2
    cost = [load[at] + (0.6 if not right <= at * _STEP <= left else 0.0) for at in range(first, last + 1)]
    return (first + middle_of_gap(cost, 0.61)) * _STEP


def _text_spans(line: BodyLine, height: float) -> Iterator[tuple[float, float]]:
    """Yield the spans of a line's text; gaps between words of running text are closed."""
    start, end, wordy = line.tokens[0].left, line.tokens[0].right, False
    for token in line.tokens:
        letters = token.text[:1].isalpha()
        if token.left - end < (0.7 if letters and wordy else 0.28) * height:
            end = max(end, token.right)
        else:
            yield start, end
            start, end = token.left, token.right
        wordy = token.text[-1:].isalpha() or token.text[-1:] in ",;&-"
    yield start, end


def split_line(line: BodyLine, boundaries: Sequence[float], height: float) -> None:
    """Split a line's words into columns; running text across a boundary stays with its beginning."""
    line.cells = {}
    line.spilled = False
    before: Token | None = None
    index = 0
    for token in line.tokens:
        here = next(i for i, boundary in enumerate(boundaries) if (token.left + token.right) / 2 < boundary)
        if before is not None and here != index:
            boundary = boundaries[here - 1]
            close = token.left - before.right < 0.42 * height
            crosses = token.left < boundary - 0.5 or before.right > boundary + 0.5
            words = before.text[-1:].isalpha() or before.text[-1:] in ",;&-/"
            if close and crosses and words and not token.text[:1].isdigit():
                here = index
                line.spilled = True
        line.cells.setdefault(here, []).append(token)
        before, index = token, here


def _value_columns(lines: Sequence[BodyLine], boundaries: Sequence[float]) -> list[bool]:
    """Return for each column whether most cells are values; the first of several never counts."""
    holds_values = []
    for index in range(len(boundaries)):
        cells = [line.cells[index] for line in lines if index in line.cells and not line.spilled]
        holds_values.append(bool(cells) and sum(is_value(c) for c in cells) > 0.5 * len(cells))
    if len(holds_values) > 1 and all(holds_values):
        holds_values[0] = False
    return holds_values


def _lines_until_end(
    header: TableHeader, lines: Sequence[BodyLine], boundaries: Sequence[float], left: float, right: float
) -> tuple[list[BodyLine], bool]:
    """Return the lines up to the table's end, and whether other text follows on the page."""
    page = header.page
    height = page.line_height
    rules = ruled_lines(page)
    sides = (max(left, 0.0), min(right, page.width))
    sides = (sides[0], min(sides[1], max([header.right, *(t.right for line in lines for t in line.tokens)])))
    for line in lines:
        split_line(line, boundaries, height)
    values = _value_columns(lines[:12], boundaries)
    ruled = rules.levels(*sides, header.bottom - 2.0, page.height, 0.7)
    kept: list[BodyLine] = []
    gaps: list[float] = []  # sorted
    for at, line in enumerate(lines):
        below = bool(ruled) and line.middle < ruled[-1]
        passed = bool(kept) and bisect_left(ruled, line.middle) > bisect_right(ruled, kept[-1].middle)
        filled = sum(values[i] and is_value(c) for i, c in line.cells.items())
        gap = line.top - kept[-1].bottom if kept else 0.0
        usual = _sorted_median(gaps) if gaps else height
        is_far = bool(kept) and gap > max(_MAX_GAP * height, 3.0 * usual)
        if kept and _is_after_table(line, filled, below, passed, is_far, values, page):
            return kept, _has_more_text(lines[at:], page)
        if is_far and not below and (0 not in line.cells or gap > 2 * _MAX_GAP * height):
            return kept, _has_more_text(lines[at:], page)
        if kept:
            insort(gaps, max(0.0, line.top - kept[-1].bottom))
        kept.append(line)
    return kept, False


def _sorted_median(ascending: Sequence[float]) -> float:
    """Return the median of sorted numbers."""
    half = len(ascending) // 2
    return ascending[half] if len(ascending) % 2 else (ascending[half - 1] + ascending[half]) / 2


def _has_more_text(lines: Sequence[BodyLine], page: PageView) -> bool:
    """Return whether the lines after a table are more than a page's footer."""
    return any(line.bottom < 0.9 * page.height for line in lines)


def _is_after_table(
    line: BodyLine,
    filled: int,
    rule_below: bool,
    rule_passed: bool,
    is_far: bool,
    values: Sequence[bool],
    page: PageView,
) -> bool:
    """Return whether a line is after the table: a note, a caption, prose, or words below its last rule."""
    first = line.tokens[0]
    word = key(first.text)
    if is_caption(line.tokens):
        return True
    enough = filled >= max(1, sum(values) // 2) if any(values) else len(line.cells) > 1
    if enough and not line.spilled:
        return False
    if word in word_set("table_notes") and (rule_passed or not rule_below or first.text.endswith((":", "."))):
        return True
    if is_far:
        return True
    if not rule_below:
        if rule_passed:
            return True
        if _FOOTNOTE_MARK.fullmatch(first.text) and len(line.tokens) > 3:
            return True
        if line.spilled and line.tokens[-1].right - line.left > 0.5 * page.width:
            return True
    return False
