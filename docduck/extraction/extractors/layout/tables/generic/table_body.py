"""The lines beneath a header: their words by column, down to where the table ends."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docduck.extraction.extractors.layout.tables.gaps import middle_of_gap
from docduck.extraction.extractors.layout.tables.generic.body_lines import BodyLine, group_lines, is_value
from docduck.extraction.extractors.layout.tables.generic.captions import is_caption
from docduck.extraction.extractors.layout.tables.generic.header_detection import TableHeader
from docduck.extraction.extractors.layout.tables.generic.ruled_lines import ruled_lines
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView, Token

_STEP = 1.5
"""Points per bin when white space between columns is sought."""
_FAR = 2.6
"""Usual distances of lines that white space within a table may take."""
_MARK = re.compile(r"[(\[]?(?:\*{1,4}|[†‡§¶]|\d{1,2}|[a-z])[)\].]?")


@dataclass
class TableBody:
    """What stands beneath a header: its lines cut into columns, the walls, and the table's sides."""

    lines: list[BodyLine]
    walls: list[float]
    left: float
    right: float
    bottom: float
    values: list[bool]
    closed: bool = False


def find_body(head: TableHeader, stop: float) -> TableBody:
    """The lines from a header down to the table's end, at most to the height ``stop``."""
    page = head.page
    height = page.line_height
    rules = ruled_lines(page)
    frame = rules.frame(head.left, head.right, head.top - 2.2 * height, head.bottom + 1.6 * height)
    _close(head)
    tokens = [
        t
        for row in page.rows
        if row.bottom > head.bottom
        for t in row.tokens
        if head.bottom - 0.15 * height < (t.top + t.bottom) / 2 < stop and id(t) not in head.tokens
    ]
    left, right = _sides(head, tokens, frame, height)
    tokens = [t for t in tokens if left <= (t.left + t.right) / 2 <= right]
    lines = group_lines(tokens, height)
    _place_first(head, lines)
    walls = _walls(head, lines[:30], lines[-1].bottom if lines else head.bottom)
    kept, closed = _until_end(head, lines, walls, left, right)
    if kept:
        walls = _walls(head, kept, kept[-1].bottom)
        for line in kept:
            split_line(line, walls, height)
    return TableBody(
        kept, walls, left, right, kept[-1].bottom if kept else head.bottom, _values(kept, walls), closed
    )


def _close(head: TableHeader) -> None:
    """Stretches a header down to the ruled line beneath it, where nothing but words stands between.

    Columns that nobody asked for may have more lines of header than the others.
    """
    height = head.page.line_height
    levels = ruled_lines(head.page).levels(
        head.left, head.right, head.bottom - 0.4 * height, head.bottom + 8 * height, 0.9
    )
    if not levels or levels[0] <= head.bottom + 0.5 * height:
        return
    between = [
        t
        for row in head.page.rows
        if row.bottom > head.bottom
        for t in row.tokens
        if head.bottom < (t.top + t.bottom) / 2 < levels[0]
        and head.left - height < t.left < head.right + height
    ]
    lines = group_lines(between, height)
    text = "".join(t.text for t in between)
    wordy = sum(c.isalpha() for c in text) > 2 * sum(c.isdigit() for c in text)
    if (
        lines
        and wordy
        and lines[0].left > head.columns[0].right
        and lines[0].top - head.bottom < 0.6 * height
    ):
        head.bottom = levels[0]


def continued_from(page: PageView, body: TableBody) -> float | None:
    """The height above the first lines of a page with a table's figures in its columns, None if none are."""
    figures = sum(body.values)
    tokens = [t for row in page.rows if row.top < 0.3 * page.height for t in row.tokens]
    lines = group_lines(
        [t for t in tokens if body.left <= (t.left + t.right) / 2 <= body.right], page.line_height
    )
    for line in lines[:8] if figures else ():
        split_line(line, body.walls, page.line_height)
        filled = sum(body.values[i] and is_value(c) for i, c in line.cells.items())
        if 2 * filled >= figures and 0 in line.cells and not line.spilled and len(line.cells) > 1:
            return line.top - 0.3 * page.line_height
    return None


def _sides(
    head: TableHeader, tokens: Sequence[Token], frame: tuple[float, float] | None, height: float
) -> tuple[float, float]:
    if frame is not None:
        return frame[0] - 3.0, frame[1] + 3.0
    first, last = head.columns[0], head.columns[-1]
    left = 0.0 if first.header_span is None else first.left - 1.5 * height
    right = last.right + 1.5 * height
    for token in tokens:
        segment = token.segment
        if segment.left < first.right and first.left < segment.right:
            left = min(left, segment.left - 1.0)
        if segment.left < last.right and last.left - height < segment.right:
            right = max(right, segment.right + 1.0)
    return left, right


def _place_first(head: TableHeader, lines: Sequence[BodyLine]) -> None:
    """Tells a first column without a header where its words begin."""
    first = head.columns[0]
    if first.header_span is None and len(head.columns) > 1:
        edge = head.columns[1].left
        lefts = [line.left for line in lines[:30] if line.left < edge]
        if lefts:
            first.left = min(lefts)
            first.right = min(first.left + 4.0, edge)


def _walls(head: TableHeader, lines: Sequence[BodyLine], bottom: float) -> list[float]:
    """The right edge of each column: a ruled line, else the widest white space between two headers."""
    page = head.page
    rules = ruled_lines(page)
    bins = int(page.width / _STEP) + 2
    load = [0.0] * bins
    height = page.line_height
    for line in lines:
        for x0, x1 in _runs(line, height):
            for at in range(max(0, int(x0 / _STEP)), min(bins - 1, int(x1 / _STEP)) + 1):
                load[at] += 1.0
    walls = []
    for column, following in pairwise(head.columns):
        ruled = rules.walls(column.centre, following.centre, head.bottom, bottom)
        if ruled:
            walls.append(
                ruled[0]
                if len(ruled) == 1
                else min(ruled, key=lambda x: abs(x - (column.right + following.left) / 2))
            )
            continue
        walls.append(_gap(column.centre, following.centre, column.right, following.left, load))
    walls.append(float("inf"))
    return walls


def _gap(start: float, end: float, right: float, left: float, load: Sequence[float]) -> float:
    first, last = int(start / _STEP), min(int(end / _STEP), len(load) - 1)
    if last <= first:
        return (right + left) / 2
    cost = [load[at] + (0.6 if not right <= at * _STEP <= left else 0.0) for at in range(first, last + 1)]
    return (first + middle_of_gap(cost, 0.61)) * _STEP


def _runs(line: BodyLine, height: float) -> Iterator[tuple[float, float]]:
    """The spans of a line's text; words of running text close the gaps between them."""
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


def split_line(line: BodyLine, walls: Sequence[float], height: float) -> None:
    """Sorts a line's words into its columns; running text that crosses a wall stays with its beginning."""
    line.cells = {}
    line.spilled = False
    before: Token | None = None
    index = 0
    for token in line.tokens:
        here = next(i for i, wall in enumerate(walls) if (token.left + token.right) / 2 < wall)
        if before is not None and here != index:
            wall = walls[here - 1]
            close = token.left - before.right < 0.42 * height
            crosses = token.left < wall - 0.5 or before.right > wall + 0.5
            words = before.text[-1:].isalpha() or before.text[-1:] in ",;&-/"
            if close and crosses and words and not token.text[:1].isdigit():
                here = index
                line.spilled = True
        line.cells.setdefault(here, []).append(token)
        before, index = token, here


def _values(lines: Sequence[BodyLine], walls: Sequence[float]) -> list[bool]:
    """For each column, whether most of its cells are values; never for the first of several."""
    kinds = []
    for index in range(len(walls)):
        cells = [line.cells[index] for line in lines if index in line.cells and not line.spilled]
        kinds.append(bool(cells) and sum(is_value(c) for c in cells) > 0.5 * len(cells))
    if len(kinds) > 1 and all(kinds):
        kinds[0] = False
    return kinds


def _until_end(
    head: TableHeader, lines: Sequence[BodyLine], walls: Sequence[float], left: float, right: float
) -> tuple[list[BodyLine], bool]:
    """The lines up to the table's end, and whether something after it was seen on the page."""
    page = head.page
    height = page.line_height
    rules = ruled_lines(page)
    sides = (max(left, 0.0), min(right, page.width))
    sides = (sides[0], min(sides[1], max([head.right, *(t.right for line in lines for t in line.tokens)])))
    for line in lines:
        split_line(line, walls, height)
    values = _values(lines[:12], walls)
    ruled = rules.levels(*sides, head.bottom - 2.0, page.height, 0.7)
    boxed = _boxed(page, head, sides)
    kept: list[BodyLine] = []
    pitches: list[float] = []  # sorted
    for at, line in enumerate(lines):
        if boxed is not None and line.middle > boxed:
            return kept, _more(lines[at:], page)
        below = bool(ruled) and line.middle < ruled[-1]
        passed = bool(kept) and bisect_left(ruled, line.middle) > bisect_right(ruled, kept[-1].middle)
        filled = sum(values[i] and is_value(c) for i, c in line.cells.items())
        if boxed is None:
            pitch = line.top - kept[-1].bottom if kept else 0.0
            usual = _middle(pitches) if pitches else height
            far = bool(kept) and pitch > max(_FAR * height, 3.0 * usual)
            if kept and _ends(line, filled, below, passed, far, values, page):
                return kept, _more(lines[at:], page)
            if far and not below and (0 not in line.cells or pitch > 2 * _FAR * height):
                return kept, _more(lines[at:], page)
        if kept:
            insort(pitches, max(0.0, line.top - kept[-1].bottom))
        kept.append(line)
    return kept, False


def _middle(ascending: Sequence[float]) -> float:
    """The median of sorted numbers."""
    half = len(ascending) // 2
    return ascending[half] if len(ascending) % 2 else (ascending[half - 1] + ascending[half]) / 2


def _more(lines: Sequence[BodyLine], page: PageView) -> bool:
    """Whether lines that follow a table are more than a page's footer."""
    return any(line.bottom < 0.9 * page.height for line in lines)


def _heads_anew(line: BodyLine, values: Sequence[bool]) -> bool:
    """Whether a line has words over most of the columns of figures: another table's header."""
    figures = [i for i, value in enumerate(values) if value]
    words = [
        i for i in figures if i in line.cells and sum(c.isalpha() for t in line.cells[i] for c in t.text) > 3
    ]
    return len(figures) > 1 and len(words) > max(1, len(figures) // 2)


def _boxed(page: PageView, head: TableHeader, sides: tuple[float, float]) -> float | None:
    """The foot of a table whose sides are ruled down from its header, None if they are not."""
    rules = ruled_lines(page)
    feet = [
        y1
        for _, y0, y1 in rules.down(sides[0] - 4, sides[1] + 4)
        if y0 <= head.bottom + 4 and y1 > head.bottom + page.line_height
    ]
    return max(feet) + 1.0 if len(feet) >= 2 else None


def _ends(
    line: BodyLine,
    filled: int,
    rule_below: bool,
    rule_passed: bool,
    far: bool,
    values: Sequence[bool],
    page: PageView,
) -> bool:
    """Whether a line stands after the table: a note, a caption, prose, or words beyond its last rule."""
    first = line.tokens[0]
    word = key(first.text)
    if is_caption(line.tokens):
        return True
    enough = filled >= max(1, sum(values) // 2) if any(values) else len(line.cells) > 1
    if enough and not line.spilled:
        return False
    if word in word_set("table_notes") and (rule_passed or not rule_below or first.text.endswith((":", "."))):
        return True
    if far or _heads_anew(line, values):
        return True
    if not rule_below:
        if rule_passed:
            return True
        if _MARK.fullmatch(first.text) and len(line.tokens) > 3:
            return True
        if line.spilled and line.tokens[-1].right - line.left > 0.5 * page.width:
            return True
    return False
