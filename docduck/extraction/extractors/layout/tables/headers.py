"""Headers of tables on a page: blocks of lines whose segments head columns, cut into cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView, Row, Token, is_letter_space, text_of
from docduck.extraction.reading import reading_of
from docduck.extraction.values.currencies import is_currency_mark

_HEAD, _PART = 0.4, 0.25
"""Probability from which a segment heads a column, and from which it is another line of a header."""
_LINES = 4
_STACKED = 0.9
"""Maximum gap between two lines of a header, in line heights."""
_TIGHT, _WORDS = 0.45, 4
"""The same for lines that the page's reading doesn't see, and the number of words in their segments."""
_WORD = 0.42
"""Gap between two words of one cell at most, in line heights."""
_GUTTER, _COLUMNS = 0.5, 2
"""Gap between tables beside each other at least, in line heights, and the number of their columns."""
_BORDERS = "|¦│║"
"""Characters that borders between columns are printed with."""
_PROSE = 12
"""Number of words from which a segment is no head."""


@dataclass(eq=False)
class HeadCell:
    """The words above one column, from its highest line to its lowest, and its edges in points.

    ``own`` are the words of the lowest line alone. A column without a head has none, and ``span``, its edges,
    as has one of several under a head. One that is ``apart`` is the head of a column, however close the next.
    """

    tokens: list[Token]
    own: list[Token]
    span: tuple[float, float] | None = None
    apart: bool = False

    @property
    def left(self) -> float:
        return self.span[0] if self.span else min(t.left for t in self.tokens)

    @property
    def right(self) -> float:
        return self.span[1] if self.span else max(t.right for t in self.tokens)

    @property
    def top(self) -> float:
        return min(t.top for t in self.own)

    @property
    def bottom(self) -> float:
        return max(t.bottom for t in self.own)

    @property
    def centre(self) -> float:
        return (self.left + self.right) / 2

    @property
    def forms(self) -> list[str]:
        """The normal forms under which the cell's column may be known."""
        forms: dict[str, None] = {}
        for tokens in (self.tokens, self.own):
            bare = [t for t in tokens if not is_aside(t.text)]
            for some in (tokens, bare):
                forms[key(text_of(some))] = None
            for part in text_of(bare).split("/"):
                forms[key(part)] = None
        forms.pop("", None)
        return list(forms)


@dataclass(eq=False)
class Header:
    """A header on a page: its rows, and its cells from left to right."""

    page: PageView
    first_row: int
    last_row: int
    cells: list[HeadCell]
    certainty: float
    """How sure the page's reading is of it, 0–1."""
    tokens: set[int] = field(default_factory=set)
    span: tuple[float, float] | None = None
    """The edges of its table, in points, where another one is beside it."""

    def own_part(self, rows: Iterable[Row]) -> list[Row]:
        """Return the parts of some rows that are within the table's edges."""
        if self.span is None:
            return list(rows)
        left, right = self.span
        parts = ((row.index, [s for s in row.segments if left <= s.centre < right]) for row in rows)
        return [Row(index, segments) for index, segments in parts if segments]

    def above(self, page: PageView) -> Header:
        """Return the header as one above the first row of a following page."""
        return replace(self, page=page, first_row=-1, last_row=-1)

    def is_over(self, other: Header) -> bool:
        """Return whether another header of its page is below, and not beside its columns."""
        return (
            other.first_row > self.last_row
            and other.cells[0].left < self.cells[-1].right
            and self.cells[0].left < other.cells[-1].right
        )

    @property
    def bottom(self) -> float:
        return self.page.rows[self.last_row].bottom if self.last_row >= 0 else 0.0

    @property
    def top(self) -> float:
        return min(t.top for cell in self.cells for t in cell.tokens)

    def below(self) -> list[Row]:
        """Return the rows of its page below it, within the table's edges."""
        return self.own_part(self.page.rows[self.last_row + 1 :])


def is_aside(text: str) -> bool:
    """Return whether a word of a head is a currency or in brackets."""
    return is_currency_mark(text.strip("()[]")) or text[:1] in "(["


def find_headers(page: PageView, names: Iterable[str]) -> list[Header]:
    """Return the headers of a page, top to bottom: rows of heads, or with two of the forms ``names``."""
    known = frozenset(names)
    heads = {row.index: _heads(row, known) for row in page.rows}
    headers: list[Header] = []
    at = free = 0
    while at < len(page.rows):
        if not heads[at][0]:
            at += 1
            continue
        first = last = at
        while (
            last + 1 < len(page.rows)
            and last - first + 1 < _LINES
            and _is_stacked(page.rows[last + 1], page.rows[last], page)
        ):
            last += 1
        while (
            first > free
            and last - first + 1 < _LINES
            and _is_stacked(page.rows[first - 1], page.rows[first], page)
        ):
            first -= 1
        header = _header(page, page.rows[first : last + 1], heads[at][1], known)
        if header is not None:
            headers.extend(_side_by_side(header))
        at = free = last + 1
    return headers


def _heads(row: Row, known: frozenset[str]) -> tuple[bool, float]:
    """Return whether a row has the heads of columns, and how sure that is."""
    reading = reading_of(row.segments[0].page)
    sure = [reading.kind(s.index, "head") for s in row.segments if len(s.tokens) < _PROSE]
    heads = [probability for probability in sure if probability >= _HEAD]
    if heads:
        return True, sum(heads) / len(row.segments)
    if any(s.has_digit and s.key not in known for s in row.segments):
        return False, 0.0
    named = sum(segment.key in known for segment in row.segments)
    return named > 1 and 2 * named >= len(row.segments), 0.0


def _is_stacked(other: Row, row: Row, page: PageView) -> bool:
    """Return whether ``other`` is a further line of the header that ``row`` is part of.

    The page's reading sees it, or it is as close as lines of one cell are, without digits, and above or below
    the heads.
    """
    gap = max(other.top - row.bottom, row.top - other.bottom)
    if gap > _STACKED * page.line_height or not any(s.key for s in other.segments):
        return False
    reading = reading_of(page)
    if all(
        reading.kind(s.index, "head") >= max(_PART, reading.kind(s.index, "cell")) for s in other.segments
    ):
        return True
    return gap <= _TIGHT * page.line_height and all(
        not s.has_digit
        and len(s.tokens) <= _WORDS
        and reading.kind(s.index, "cell", "heading", "prose") < _HEAD
        and (gap < 0 or (row.segments[0].left < s.right and s.left < row.segments[-1].right))
        for s in other.segments
    )


def _header(page: PageView, rows: Sequence[Row], certainty: float, known: Collection[str]) -> Header | None:
    cut = [
        [_cut(run, known) for segment in row.segments for run in runs(segment.tokens, page.line_height)]
        for row in rows
    ]
    lines = [[part for parts in line for part in parts] for line in cut]
    apart = {id(part[0]) for line in cut for parts in line if len(parts) > 1 for part in parts}
    cells: list[HeadCell] = []
    for number, line in enumerate(lines):
        for run in line:
            if any(_overlap(run, other) > 0 for below in lines[number + 1 :] for other in below):
                continue
            above = [max(upper, key=lambda other: _overlap(run, other)) for upper in lines[:number]]
            path = [other for other in above if _overlap(run, other) > 0]
            tokens = [t for part in (*path, run) for t in part]
            cells.append(HeadCell(tokens, list(run), apart=id(run[0]) in apart))
    _narrow(cells)
    cells.sort(key=lambda cell: cell.own[0].left)
    token_ids = {id(t) for line in lines for run in line for t in run}
    return Header(page, rows[0].index, rows[-1].index, cells, certainty, token_ids) if cells else None


def _cut(run: Sequence[Token], known: Collection[str]) -> list[list[Token]]:
    """Return two heads that are a letter apart in a font of equal widths ("Qty Unit"), or the run as one.

    It is one if its words together head a column, or a part of it is no known head.
    """
    if len(run) > 1 and key(text_of(run)) not in known:
        for at in range(1, len(run)):
            parts = [list(run[:at]), list(run[at:])]
            if is_letter_space(run[at - 1], run[at]) and all(key(text_of(part)) in known for part in parts):
                return parts
    return [list(run)]


def _narrow(cells: Sequence[HeadCell]) -> None:
    """Set the edges of cells under one head to those of the words that each has alone."""
    counts = Counter(id(t) for cell in cells for t in cell.tokens)
    for cell in cells:
        own = [t for t in cell.tokens if counts[id(t)] == 1]
        if len(own) < len(cell.tokens):
            cell.span = (min(t.left for t in own), max(t.right for t in own))


def _side_by_side(header: Header) -> list[Header]:
    """Return the headers of tables beside each other: ruled apart, or with the same heads or last head."""
    header = _ruled_off(header)
    starts = _ruled_apart(header) or _repeated([cell.forms[:1] for cell in header.cells]) or _alike(header)
    if not starts:
        return [header]
    parts = [header.cells[i:j] for i, j in pairwise((0, *starts, len(header.cells)))]
    inner = [(before[-1].right + part[0].left) / 2 for before, part in pairwise(parts)]
    first, last = header.span or (0.0, header.page.width)
    edges = pairwise((first, *inner, last))
    return [replace(header, cells=part, span=span) for part, span in zip(parts, edges, strict=True)]


def drawn_lines(header: Header) -> list[list[float]]:
    """Return the left and right ends of the drawn lines above and below a header."""
    height = header.page.line_height
    top, bottom = header.top - height, header.bottom + height
    lines: list[list[float]] = []
    for left, right, y in sorted(header.page.horizontal_rules()):
        if top < y < bottom:
            if lines and left - lines[-1][1] < _GUTTER * height:
                lines[-1][1] = max(lines[-1][1], right)
            else:
                lines.append([left, right])
    return lines


def _ruled_off(header: Header) -> Header:
    """Return a header without what is beside the one line drawn along its heads and no head."""
    lines = drawn_lines(header)
    if len(lines) != 1:
        return header
    left, right = lines[0]
    inner = [cell for cell in header.cells if left < cell.centre < right]
    outer = [cell for cell in header.cells if cell not in inner]
    reading = reading_of(header.page)
    if len(inner) <= _COLUMNS or not outer:
        return header
    if any(reading.kind(t.segment.index, "head") >= _PART for cell in outer for t in cell.own):
        return header
    return replace(header, cells=inner, span=(left, right))


def _ruled_apart(header: Header) -> list[int]:
    """Return the cells at which another table begins: below lines that end between two tables."""
    lines = drawn_lines(header)
    over = [
        next((i for i, (left, right) in enumerate(lines) if left <= cell.centre <= right), -1)
        for cell in header.cells
    ]
    if min(over) < 0 or over != sorted(over) or any(over.count(i) < _COLUMNS for i in over):
        return []
    return [i for i in range(1, len(over)) if over[i] != over[i - 1]]


def _repeated(heads: Sequence[Sequence[str]]) -> list[int]:
    """Return where the same heads begin again."""
    for size in range(_COLUMNS, len(heads) // 2 + 1):
        starts = range(0, len(heads), size)
        if len(heads) % size == 0 and all(heads[i : i + size] == heads[:size] for i in starts):
            return list(starts)[1:]
    return []


def _alike(header: Header) -> list[int]:
    """Return where tables begin whose last heads are the same, above rows that begin with words in each."""
    cells, below = header.cells, header.below()[:1]
    starts = [i + 1 for i, cell in enumerate(cells[:-1]) if cell.forms[:1] == cells[-1].forms[:1] != []]
    slack = header.page.line_height
    for first, end in pairwise((0, *starts, len(cells))):
        left = cells[first].left
        words = [s for row in below for s in row.segments if abs(s.left - left) < slack and not s.has_digit]
        if end - first < _COLUMNS or not any(s.key for s in words):
            return []
    return starts


def runs(tokens: Sequence[Token], height: float) -> list[list[Token]]:
    """Return the words of one line, divided where the gap between two is wider than between words.

    Borders that are printed as characters divide words, too. A single one between words is a part of a text.
    """
    borders = [at for at, token in enumerate(tokens) if not token.text.strip(_BORDERS)]
    if len(borders) == 1 and 0 < borders[0] < len(tokens) - 1:
        borders = []
    groups: list[list[Token]] = []
    before: Token | None = None
    for at, token in enumerate(tokens):
        if at in borders:
            before = None
            continue
        if before and (token.left - before.right <= _WORD * height or is_letter_space(before, token)):
            groups[-1].append(token)
        else:
            groups.append([token])
        before = token
    return groups


def _overlap(run: Sequence[Token], other: Sequence[Token]) -> float:
    return min(run[-1].right, other[-1].right) - max(run[0].left, other[0].left)
