"""A page as extractors see it: tokens, segments and rows, measured in points.

A token is a word, or a part of one where a colon joins label and value (``Nr.:4711``). A segment is a
run of tokens without a column gap. A row holds the segments on one baseline.
"""

from __future__ import annotations

import re
import weakref
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, groupby, pairwise
from operator import attrgetter
from statistics import median

from docduck.documents.document import Box, Document, Grid, Line, Page
from docduck.extraction.lexicon import is_label
from docduck.extraction.normal_text import key
from docduck.extraction.result import Location

_GLUED = re.compile(r"^([^\W\d_][\w.\-/()・#°º]*[:#]|[Nn][°º]|N[ro]\.|n[ro]\.|№)([^/\s:].*)$")
_JOINT = re.compile(r"[:#°º№]|[Nn][ro]\.\d")
_WIDE_MARKS = str.maketrans("：（）", ":()")
"""Marks around labels, which are the same in full width."""
_UNSPACED = re.compile(r"([ぁ-ヿ㐀-鿿가-힣]+)([^ぁ-ヿ㐀-鿿가-힣/].*)$")
_NOTED = re.compile(r"([¥￥][\d,.，．]+-?|[\d,.，．]+[円元圓원])(\(.*)$")
_NOTE = re.compile(r"(\([^()]*\):?)(.+)$")
_NOTE_BEFORE = re.compile(r"(\([^()\d]*\):?)([¥￥\d].*)$")
_HONOURED = re.compile(r"(.+)(御中|귀하|귀중)$")
_LEADER = re.compile(r"[.…·]{4,}")
"""Dots between a label and its value."""
ATTACHMENTS = "Attachments:"
"""The label of the line of a message that names the files attached to it."""
_FIRST = 3
"""First pages of a document."""
_EQUAL = 0.05
"""Difference of equal widths at most, as a share."""
_MOST_TOKENS, _MOST_SEGMENTS = 300, 400
"""Tokens of a segment and segments of a row. What no page shows on one line is divided, so that looking at
neighbours stays cheap."""


class Token:
    """A word or part of one. Edges are in points from the page's left and top."""

    __slots__ = ("bottom", "index", "key", "left", "right", "score", "segment", "text", "top")

    def __init__(self, text: str, left: float, top: float, right: float, bottom: float, score: float) -> None:
        self.text = text
        self.key = key(text)
        self.left, self.top, self.right, self.bottom = left, top, right, bottom
        self.score = score
        self.index = 0
        self.segment: Segment

    def __repr__(self) -> str:
        return f"Token({self.text!r})"


def text_of(tokens: Iterable[Token]) -> str:
    """Return the texts of ``tokens``, joined by spaces."""
    return " ".join([token.text for token in tokens])


def ocr_score(tokens: Iterable[Token]) -> float:
    """Return the lowest OCR score of ``tokens``, 1 if there are none."""
    return min((token.score for token in tokens), default=1.0)


def starts_of(tokens: Iterable[Token]) -> list[int]:
    """Return where each token begins in the text of ``tokens``, joined by spaces."""
    ends = accumulate(len(token.text) + 1 for token in tokens)
    return [0, *ends][:-1]


def tokens_at(tokens: Sequence[Token], starts: Sequence[int], start: int, end: int) -> Sequence[Token]:
    """Return the tokens that show the characters ``start`` to ``end`` of their joined text."""
    first = max(bisect_right(starts, start) - 1, 0)
    if starts[first] + len(tokens[first].text) <= start:
        first += 1
    return tokens[first : bisect_left(starts, end)]


def is_letter_space(before: Token, token: Token) -> bool:
    """Return whether a gap is one letter of a font whose letters are equally wide."""
    widths = [(t.right - t.left) / len(t.text) for t in (before, token)]
    widths.append(token.left - before.right)
    return max(widths) - min(widths) < _EQUAL * max(widths)


class Segment:
    """Tokens of one line without a column gap.

    ``index`` is its place among the page's segments, ``row`` the index of its row, and ``order`` its place
    there.
    """

    __slots__ = (
        "__dict__",
        "bottom",
        "index",
        "left",
        "order",
        "page",
        "right",
        "row",
        "starts",
        "text",
        "tokens",
        "top",
    )

    def __init__(self, page: PageView, tokens: Sequence[Token], index: int) -> None:
        self.page = page
        self.tokens = tokens
        self.index = index
        self.row = self.order = 0
        self.left, self.right = tokens[0].left, max(t.right for t in tokens)
        self.top, self.bottom = min(t.top for t in tokens), max(t.bottom for t in tokens)
        for position, token in enumerate(tokens):
            token.segment, token.index = self, position
        self.starts = starts_of(tokens)
        self.text = text_of(tokens)

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def centre(self) -> float:
        return (self.left + self.right) / 2

    @cached_property
    def key(self) -> str:
        return "".join([token.key for token in self.tokens])

    @cached_property
    def has_digit(self) -> bool:
        return any(char.isdigit() for char in self.text)

    def slice(self, start: int, end: int) -> list[Token]:
        """Return the tokens that the characters ``start`` to ``end`` of ``text`` touch."""
        return list(tokens_at(self.tokens, self.starts, start, end))

    def __repr__(self) -> str:
        return f"Segment({self.text!r})"


class Row:
    """Segments on one baseline, left to right."""

    __slots__ = ("__dict__", "bottom", "index", "segments", "top")

    def __init__(self, index: int, segments: list[Segment]) -> None:
        self.index = index
        self.segments = segments
        self.top, self.bottom = min(s.top for s in segments), max(s.bottom for s in segments)

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @cached_property
    def text(self) -> str:
        return " ".join(segment.text for segment in self.segments)

    @cached_property
    def tokens(self) -> Sequence[Token]:
        return [token for segment in self.segments for token in segment.tokens]

    def crossed(self, left: float, right: float) -> bool:
        """Whether a segment has a part between ``left`` and ``right``."""
        lefts, reaches = self._edges
        before = bisect_left(lefts, right)
        return before > 0 and reaches[before - 1] > left

    def between(self, left: float, right: float) -> Sequence[Segment]:
        """Return the segments with a part between ``left`` and ``right``, and perhaps some left of them."""
        lefts, reaches = self._edges
        return self.segments[bisect_right(reaches, left) : bisect_left(lefts, right)]

    @cached_property
    def _edges(self) -> tuple[list[float], list[float]]:
        """The left edge of each segment, and how far it and those before it reach."""
        return [s.left for s in self.segments], list(accumulate((s.right for s in self.segments), max))


class PageView:
    """One page's rows; ``line_height`` is the median height of its tokens, in points.

    ``is_outer`` says whether it is one of the first pages of its document or the last.
    """

    def __init__(self, page: Page, index: int = 0, is_outer: bool = True) -> None:
        self.index = index
        self.is_outer = is_outer
        self.number = page.number
        self.width, self.height = page.width or 1.0, page.height or 1.0
        self.segments: list[Segment] = []
        for line in page.lines:
            tokens = _without_leaders(self._tokens(line))
            for start in range(0, len(tokens), _MOST_TOKENS):
                part = tokens[start : start + _MOST_TOKENS]
                self.segments.append(Segment(self, part, len(self.segments)))
        self.rows = self._rows()
        heights = [t.bottom - t.top for s in self.segments for t in s.tokens]
        self.line_height = median(heights or [10.0]) or 10.0
        rules = [(r.x0, r.y0, r.x1, r.y1) for r in page.rules]
        rules += [edge for grid in page.grids for edge in _borders(grid)]
        self.rules = [
            (x0 * self.width, y0 * self.height, x1 * self.width, y1 * self.height) for x0, y0, x1, y1 in rules
        ]
        """The lines drawn on the page, and the borders of its format's own tables."""
        self.ocr = any(word.source == "ocr" for line in page.lines[:3] for word in line.words)

    def horizontal_rules(self) -> list[tuple[float, float, float]]:
        """Return the left and right ends of the horizontal lines drawn on the page, and their height."""
        return [(x0, x1, (y0 + y1) / 2) for x0, y0, x1, y1 in self.rules if abs(y1 - y0) < x1 - x0]

    def _tokens(self, line: Line) -> list[Token]:
        tokens = []
        for word in line.words:
            text, box = word.text.translate(_WIDE_MARKS), word.box
            left, top = box.left * self.width, box.top * self.height
            right, bottom = left + box.width * self.width, top + box.height * self.height
            unit = (right - left) / max(len(text), 1)
            for piece in _pieces(text) if text else ():
                cut = min(left + unit * len(piece), right)
                tokens.append(Token(piece, left, top, cut, bottom, word.score))
                left = cut
        return tokens

    def _rows(self) -> list[Row]:
        groups: list[_Group] = []
        for segment in sorted(self.segments, key=lambda s: s.middle):
            for group in groups[-3:][::-1]:
                if group.takes(segment):
                    group.add(segment)
                    break
            else:
                groups.append(_Group(segment))
        groups.sort(key=lambda group: sum(s.middle for s in group.segments) / len(group.segments))
        rows = []
        for index, group in enumerate(groups):
            group.segments.sort(key=lambda s: s.left)
            for order, segment in enumerate(group.segments):
                segment.row, segment.order = index, order
            rows.append(Row(index, group.segments))
        return rows


def _pieces(text: str, is_rest: bool = False) -> list[str]:
    """Return the parts of a word that is a label with its value, or in a script without blanks.

    The latter are cut into labels, notes in brackets and values, amounts and notes, names and honorifics.
    """
    divided = None
    if _JOINT.search(text) and not text.lower().startswith(("http:", "https:", "mailto:")):
        divided = _GLUED.match(text)
    if text.isascii() and not is_rest:
        return [divided[1], divided[2]] if divided else [text]
    unspaced = _UNSPACED.match(text)
    if divided is None and unspaced and is_label(key(unspaced[1])):
        divided = unspaced
    divided = (
        divided
        or _NOTED.match(text)
        or _HONOURED.match(text)
        or (_NOTE if is_rest else _NOTE_BEFORE).match(text)
    )
    return [divided[1], *_pieces(divided[2], is_rest=True)] if divided else [text]


def _without_leaders(tokens: list[Token]) -> list[Token]:
    """Return the words of a line without dots at its ends, between a label and its value elsewhere."""
    places = [at for at, token in enumerate(tokens) if not _LEADER.fullmatch(token.text)]
    return tokens[places[0] : places[-1] + 1] if places else []


class _Group:
    """Segments that are to be a row, in the order they were added; ``lefts`` are their sorted left edges."""

    __slots__ = ("lefts", "rights", "segments")

    def __init__(self, segment: Segment) -> None:
        self.segments = [segment]
        self.lefts, self.rights = [segment.left], [segment.right]

    def takes(self, segment: Segment) -> bool:
        """Whether ``segment`` is on the baseline of the last one, and beside all of them."""
        last = self.segments[-1]
        overlap = min(segment.bottom, last.bottom) - max(segment.top, last.top)
        if overlap <= 0.55 * min(segment.height, last.height) or len(self.segments) >= _MOST_SEGMENTS:
            return False
        # Segments of a row are apart by all but a point, so that only the nearest can overlap.
        at = bisect_left(self.lefts, segment.left)
        return not any(
            segment.left < right - 1 and left < segment.right - 1
            for left, right in zip(
                self.lefts[max(at - 2, 0) : at + 2], self.rights[max(at - 2, 0) : at + 2], strict=True
            )
        )

    def add(self, segment: Segment) -> None:
        """Add ``segment``."""
        self.segments.append(segment)
        at = bisect_left(self.lefts, segment.left)
        self.lefts.insert(at, segment.left)
        self.rights.insert(at, segment.right)


def _borders(grid: Grid) -> Iterator[tuple[float, float, float, float]]:
    """Yield the edges of the cells of a table."""
    for box in dict.fromkeys(cell.box for row in grid.rows for cell in row):
        yield box.left, box.top, box.right, box.top
        yield box.left, box.bottom, box.right, box.bottom
        yield box.left, box.top, box.left, box.bottom
        yield box.right, box.top, box.right, box.bottom


def _without_attachments(page: Page) -> Page:
    """Return the page of a message without the names of its attachments, the last of its headers.

    What files are called says what they are, and is no value of the message.
    """
    lines = page.lines
    gaps = (follower.box.top - line.box.bottom > line.box.height for line, follower in pairwise(lines))
    end = next((at for at, is_gap in enumerate(gaps, 1) if is_gap), len(lines))
    start = next((at for at, line in enumerate(lines[:end]) if line.words[0].text == ATTACHMENTS), end)
    return replace(page, lines=[*lines[:start], *lines[end:]])


class PageViews:
    """The pages of a document; each has its ``index`` in the document."""

    def __init__(self, document: Document) -> None:
        last = len(document.pages) - 1
        pages = document.pages if document.mail is None else map(_without_attachments, document.pages)
        self.pages = [
            PageView(page, index, index < _FIRST or index == last) for index, page in enumerate(pages)
        ]

    @cached_property
    def segments(self) -> list[Segment]:
        return [segment for page in self.pages for segment in page.segments]


_views: dict[int, PageViews] = {}


def views_of(document: Document) -> PageViews:
    """Return the views of a document's pages, made once for as long as the document is in use."""
    views = _views.get(id(document))
    if views is None:
        views = _views[id(document)] = PageViews(document)
        weakref.finalize(document, _views.pop, id(document), None)
    return views


def location(tokens: Sequence[Token]) -> Location:
    """Return the place of tokens of one page, as evidence."""
    page = tokens[0].segment.page
    left, top = min(t.left for t in tokens), min(t.top for t in tokens)
    right, bottom = max(t.right for t in tokens), max(t.bottom for t in tokens)
    box = Box(left / page.width, top / page.height, (right - left) / page.width, (bottom - top) / page.height)
    return Location(page.number, box, text_of(tokens))


def by_line(tokens: Iterable[Token]) -> list[list[Token]]:
    """Return the tokens of each line, in their order."""
    return [list(line) for _, line in groupby(tokens, attrgetter("segment"))]


def locations(tokens: Iterable[Token]) -> tuple[Location, ...]:
    """Return one location per line of ``tokens``, in their order."""
    return tuple(map(location, by_line(tokens)))
