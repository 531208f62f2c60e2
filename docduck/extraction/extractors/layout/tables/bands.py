"""Bands: where the columns of a table end, the words of a line in each, and the lines drawn across them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from docduck.extraction.extractors.layout.tables.headers import HeadCell, Header, runs
from docduck.extraction.page.page_view import PageView, Row, Token, is_letter_space
from docduck.extraction.values.currencies import is_currency_mark

_STEP = 1.5
"""Width of a bin, in points, for finding white space between columns."""
_BETWEEN = 2.0
"""Weight of white space that is between the heads, too."""
_WORD, _CLOSE = 0.6, 0.28
"""Gaps that are closed between two words of running text, and between others, in line heights."""
_NEAR, _MOST = 1.0, 0.6
"""Gap within the head of a column at most, in line heights, and share of the lines that a column is in."""
_CUT = 0.18
"""Gap between two words, in line heights, from which a boundary may part them."""

_JOINT = re.compile(r"\d(?=[^\W\d_]{2})")
_SAME = 1.6
"""Distance of lines that count as one at most, in points, such as the edges of a thin bar."""
_SLACK = 0.2
"""Distance of a joint from a boundary at most, in widths of the token."""

Cells = dict[int, list[Token]]
"""The words of a line by column."""


@dataclass(slots=True)
class Span:
    """The edges of a column, in points, and the number of lines that are in it."""

    left: float
    right: float
    count: int = 1


def united(spans: Iterable[tuple[float, float]]) -> list[Span]:
    """Return spans from left to right, those that overlap as one."""
    united_spans: list[Span] = []
    for left, right in sorted(spans):
        if united_spans and left <= united_spans[-1].right:
            united_spans[-1].right = max(united_spans[-1].right, right)
            united_spans[-1].count += 1
        else:
            united_spans.append(Span(left, right))
    return united_spans


def fitted(header: Header, lines: Sequence[Row], body: Sequence[Row]) -> Header:
    """Return a header whose cells are those of the columns that ``lines`` below have.

    Words of a head above one column are one cell, those above two columns are two, also if only other lines
    of the ``body`` show both. A column that is below no head has a cell of its own.
    """
    height = header.page.line_height
    all_runs = [[run for s in line.segments for run in runs(s.tokens, height)] for line in lines]
    by_line = [[(run[0].left, run[-1].right) for run in line] for line in all_runs]
    spans = united(span for line in by_line for span in line)
    least = max(2, _MOST * sum(len(line) > 1 for line in by_line))
    common = [span for span in spans if span.count >= least]
    parts = [(s.left, s.right) for row in body if row.index <= lines[-1].index for s in row.segments]
    cells: list[HeadCell] = []
    texts = [span for span in common if _is_text(span, [run for line in all_runs for run in line])]
    for cell in (part for whole in header.cells for part in _divided(whole, common, texts)):
        last = cells[-1] if cells else None
        below = [
            sum(last is not None and last.left < right and left < cell.right for left, right in line)
            for line in by_line
        ]
        if (
            last is not None
            and not cell.apart
            and max(below) == 1
            and cell.left - last.right < _NEAR * height
            and not _are_apart(last, cell, parts)
        ):
            cells[-1] = HeadCell([*last.tokens, *cell.tokens], [*last.own, *cell.own])
        else:
            cells.append(cell)
    cells += [HeadCell([], [], (span.left, span.right)) for span in _headless(cells, common, height)]
    cells.sort(key=lambda cell: cell.left)
    return replace(header, cells=cells)


def _are_apart(cell: HeadCell, following: HeadCell, parts: Sequence[tuple[float, float]]) -> bool:
    """Return whether more parts of lines are below each of two heads alone than below both."""
    below = Counter(
        tuple(head_cell.left < right and left < head_cell.right for head_cell in (cell, following))
        for left, right in parts
    )
    return min(below[True, False], below[False, True]) > below[True, True]


def _headless(cells: Sequence[HeadCell], columns: Sequence[Span], height: float) -> list[Span]:
    """Return the columns that no head is above, and none beside that could be theirs."""
    spans = []
    for column in columns:
        if any(cell.left - height < column.right and column.left < cell.right + height for cell in cells):
            continue
        beside = [
            max((cell for cell in cells if cell.right < column.left), key=lambda c: c.right, default=None),
            min((cell for cell in cells if column.right < cell.left), key=lambda c: c.left, default=None),
        ]
        if all(
            cell is None or any(column.left < cell.right and cell.left < column.right for column in columns)
            for cell in beside
        ):
            spans.append(column)
    return spans


def _is_text(column: Span, lines: Sequence[Sequence[Token]]) -> bool:
    """Return whether a column has words alone, no numbers and no currencies."""
    return not any(
        is_currency_mark(token.text) or any(c.isdigit() for c in token.text)
        for run in lines
        for token in run
        if column.left <= token.left and token.right <= column.right
    )


def _divided(cell: HeadCell, columns: Sequence[Span], texts: Sequence[Span]) -> list[HeadCell]:
    """Return the parts of a head that is above several columns: its words, or a text and numbers.

    ``texts`` are the columns of words.
    """
    below = [column for column in columns if cell.left < column.right and column.left < cell.right]
    if len(below) < 2:
        return [cell]

    def nearest(token: Token) -> int:
        return max(
            range(len(below)),
            key=lambda i: min(token.right, below[i].right) - max(token.left, below[i].left),
        )

    own = [[t for t in cell.own if nearest(t) == i] for i in range(len(below))]
    if not all(own):
        text, number = below[0], below[-1]
        if len(below) > 2 or text not in texts or number in texts:
            return [cell]
        is_left = abs(cell.left - text.left) < abs(cell.right - number.right)
        other = HeadCell([], [], (number.left, number.right) if is_left else (text.left, text.right))
        return [cell, other] if is_left else [other, cell]
    parts = [[t for t in cell.tokens if nearest(t) == i] for i in range(len(below))]
    return [HeadCell(*pair) for pair in zip(parts, own, strict=True)]


def levels(page: PageView, left: float, right: float, share: float) -> list[float]:
    """Return the heights at which drawn lines cover a share of ``left`` to ``right``, top to bottom."""
    lines: list[tuple[float, list[tuple[float, float]]]] = []
    for y, start, end in sorted((y, start, end) for start, end, y in page.horizontal_rules()):
        if not lines or y - lines[-1][0] > _SAME:
            lines.append((y, []))
        if start < right and left < end:
            lines[-1][1].append((max(start, left), min(end, right)))
    covered = ((y, sum(span.right - span.left for span in united(pieces))) for y, pieces in lines)
    return [y for y, length in covered if length >= share * (right - left)]


class Bands:
    """The boundaries between the columns of a table, in points."""

    def __init__(self, header: Header, lines: Sequence[Row]) -> None:
        self.height = header.page.line_height
        load = [0.0] * (int(header.page.width / _STEP) + 2)
        for line in lines:
            for left, right in _spans(line, self.height):
                first, last = (max(0, min(int(x / _STEP), len(load) - 1)) for x in (left, right))
                for at in range(first, last + 1):
                    load[at] += 1.0
        middle = (header.bottom + (lines[-1].bottom if lines else header.bottom)) / 2
        pairs = list(pairwise(header.cells))
        drawn = [_drawn(left, right, header.page, middle) for left, right in pairs]
        self.is_ruled = any(drawn)
        """Whether lines are drawn between columns."""
        self.boundaries = [
            min(lines, key=lambda x: abs(x - (left.right + right.left) / 2))
            if lines
            else _gap(left, right, load)
            for (left, right), lines in zip(pairs, drawn, strict=True)
        ]

    def column(self, x: float) -> int:
        """Return the index of the column that a place is in."""
        return bisect_right(self.boundaries, x)

    def cells(self, line: Row) -> Cells:
        """Return the words of a line by column; running text stays in the column in which it begins."""
        tokens: Cells = {}
        for run in (run for segment in line.segments for run in runs(segment.tokens, self.height)):
            for part in self._parts([part for token in run for part in self._unglued(token)]):
                middle = (part[0].left + part[-1].right) / 2
                is_number = part[-1].text[-1:].isdigit() and len(part) == 1
                place = middle if is_number else min(middle, part[0].left + self.height)
                tokens.setdefault(self.column(place), []).extend(part)
        return tokens

    def _unglued(self, token: Token) -> list[Token]:
        """Return a token, or its two parts if it is a number and a word in two columns, without a space."""
        for boundary in self.boundaries:
            if not token.left + self.height < boundary < token.right - self.height:
                continue
            width = (token.right - token.left) / len(token.text)
            ends = [joint.end() for joint in _JOINT.finditer(token.text)]
            end = min(ends, key=lambda at: abs(token.left + at * width - boundary), default=0)
            cut = token.left + end * width
            if end and abs(cut - boundary) < _SLACK * (token.right - token.left):
                return [
                    _part(token, token.text[:end], token.left, cut),
                    _part(token, token.text[end:], cut, token.right),
                ]
        return [token]

    def _parts(self, run: Sequence[Token]) -> list[list[Token]]:
        """Return the parts of a run: it is cut at boundaries where a word and a number meet."""
        parts = [[run[0]]]
        for before, token in pairwise(run):
            between = self.column((before.left + before.right) / 2) != self.column(
                (token.left + token.right) / 2
            )
            gap = token.left - before.right
            if between and not gap:
                parts.append([token])
                continue
            is_wide = gap > 2 * _CUT * self.height and not is_letter_space(before, token)
            differ = is_wide or before.text[-1:].isdigit() != token.text[:1].isdigit()
            if between and gap > _CUT * self.height and differ:
                parts.append([token])
            else:
                parts[-1].append(token)
        return parts


def _part(token: Token, text: str, left: float, right: float) -> Token:
    part = Token(text, left, token.top, right, token.bottom, token.score)
    part.segment, part.index = token.segment, token.index
    return part


def _spans(line: Row, height: float) -> Iterator[tuple[float, float]]:
    """Yield the spans of a line's text; gaps between the words of running text are closed."""
    tokens = line.tokens
    start, end, wordy = tokens[0].left, tokens[0].right, _is_wordy(tokens[0].text[-1:])
    for before, token in pairwise(tokens):
        running = wordy and token.text[:1].isalpha()
        if token.left - end < (_WORD if running else _CLOSE) * height or is_letter_space(before, token):
            end = max(end, token.right)
        else:
            yield start, end
            start, end = token.left, token.right
        wordy = _is_wordy(token.text[-1:])
    yield start, end


def _is_wordy(sign: str) -> bool:
    return sign.isalpha() or sign in ",;&-"


def _drawn(cell: HeadCell, following: HeadCell, page: PageView, middle: float) -> list[float]:
    """Return the places of the lines between two columns that are drawn through the height ``middle``."""
    return [
        x0
        for x0, y0, x1, y1 in page.rules
        if abs(x1 - x0) < abs(y1 - y0)
        and cell.centre < x0 < following.centre
        and min(y0, y1) <= middle <= max(y0, y1)
    ]


def _gap(cell: HeadCell, following: HeadCell, load: Sequence[float]) -> float:
    """Return the middle of the widest white space between two columns, or between heads a letter apart."""
    if cell.apart and following.apart:
        return (cell.right + following.left) / 2
    start, end = (min(int(head_cell.centre / _STEP), len(load) - 1) for head_cell in (cell, following))
    if end <= start:
        return (cell.right + following.left) / 2
    least = min(load[start : end + 1])
    best, widest, first = (cell.right + following.left) / 2, 0.0, start
    for at in range(start, end + 2):
        if at <= end and load[at] <= least:
            continue
        if at > first:
            left, right = first * _STEP, at * _STEP
            between = min(right, following.left) - max(left, cell.right)
            width = right - left + _BETWEEN * max(between, 0.0)
            if width > widest:
                best, widest = (left + right) / 2, width
        first = at + 1
    return best
