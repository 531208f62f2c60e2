"""Words to lines: words on one baseline, split at column gaps and vertical rules.

Reading order is top to bottom, and left to right within one baseline; columns of prose one after the other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from statistics import median

from docduck.documents.document import Box, Line, Rule, Word
from docduck.documents.geometry.long_words import split_long_words
from docduck.documents.geometry.reading_order import order_columns

COLUMN_GAP = 0.95
"""A wider gap, in text heights, separates two columns (a space is about a quarter of a text height)."""

_OPEN_ROWS = 12
"""Last rows compared with a word's baseline; words are sorted by their middle."""

_FEW, _STRIPS = 50, 100
"""A word is compared with all words of a row up to ``_FEW``, of longer rows with ``_FEW`` in each strip."""
_RULE_OVERLAP = 0.002
"""Share of the page's width by which a rule may overlap a word that it separates from another."""
_SAME, _NEAR = 0.12, 0.42
"""Text heights off a baseline: certainly on it, and at most on it."""


class _Row:
    """Words on one baseline; ``middle`` and ``bottom`` follow the words taken in."""

    __slots__ = ("_filed", "_strips", "bottom", "height", "middle", "words")

    def __init__(self, word: Word) -> None:
        box = word.box
        self.words = [word]
        self.height = box.height
        self.middle = box.top + box.height / 2
        self.bottom = box.top + box.height
        self._filed = 0
        self._strips: dict[int, list[Word]] = {}

    def collides(self, box: Box) -> bool:
        """Return whether ``box`` is on top of a word: then it is in the next line, with tight spacing."""
        left, right = box.left + box.width * 0.25, box.left + box.width * 0.75
        for word in self.words if len(self.words) <= _FEW else self._near(left, right):
            other = word.box
            if (
                other.left < right
                and left < other.left + other.width
                and abs(other.top - box.top) > 0.25 * box.height
            ):
                return True
        return False

    def _near(self, left: float, right: float) -> Iterable[Word]:
        """Return the words in the strips of the page between ``left`` and ``right``."""
        for word in self.words[self._filed :]:
            box = word.box
            for strip in _strips(box.left, box.left + box.width):
                words = self._strips.setdefault(strip, [])
                if len(words) < _FEW:
                    words.append(word)
        self._filed = len(self.words)
        return (word for strip in _strips(left, right) for word in self._strips.get(strip, ()))


def _strips(left: float, right: float) -> range:
    """Return the strips of a page between ``left`` and ``right``, cut to the page."""
    first, last = (int(min(max(x, 0.0), 1.0) * _STRIPS) for x in (left, right))
    return range(first, last + 1)


class _VerticalRules:
    """The vertical rules of a page by ``places``, their fractions of its width."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        spans: dict[float, list[tuple[float, float]]] = {}
        for rule in rules:
            if not rule.horizontal:
                spans.setdefault(rule.x0, []).append((min(rule.y0, rule.y1), max(rule.y0, rule.y1)))
        self.places = sorted(spans)
        self._spans = [_Spans(spans[place]) for place in self.places]

    def separate(self, end: float, box: Box) -> bool:
        """Return whether a rule is between ``end`` and ``box`` at the height of its middle."""
        first = bisect_left(self.places, end - _RULE_OVERLAP)
        last = bisect_right(self.places, box.left + _RULE_OVERLAP, lo=first)
        return first < last and any(spans.contain(box.middle) for spans in self._spans[first:last])


class _Spans:
    """A set of intervals."""

    __slots__ = ("_reaches", "_starts")

    def __init__(self, spans: list[tuple[float, float]]) -> None:
        spans.sort()
        self._starts = [start for start, _ in spans]
        self._reaches = list(accumulate((end for _, end in spans), max))

    def contain(self, value: float) -> bool:
        at = bisect_right(self._starts, value)
        return at > 0 and self._reaches[at - 1] >= value


def build_lines(words: Sequence[Word], width: float, height: float, rules: Iterable[Rule] = ()) -> list[Line]:
    """Return the lines of a page of ``width`` × ``height`` (any one unit), in reading order."""
    upright = split_long_words(word for word in words if word.box.height > 0)
    if not upright:
        return []
    aspect = width / height
    verticals = _VerticalRules(rules)
    lines: list[Line] = []
    for row in _rows(upright):
        lines.extend(_split(row.words, aspect, verticals))
    return order_columns(lines)


def _rows(words: Sequence[Word]) -> list[_Row]:
    rows: list[_Row] = []
    for word in sorted(words, key=lambda w: w.box.top + w.box.height / 2):
        box = word.box
        middle, bottom = box.top + box.height / 2, box.top + box.height
        height = box.height
        best, nearest = None, _NEAR
        for row in rows[-_OPEN_ROWS:]:
            # In heights of the smaller one: middles agree when sizes are alike, bottoms when a large figure
            # follows a small label.
            smaller = min(height, row.height) or 1e-6
            distance = min(abs(middle - row.middle), 1.6 * abs(bottom - row.bottom)) / smaller
            if distance < nearest and (distance < _SAME or not row.collides(box)):
                best, nearest = row, distance
        if best is None:
            rows.append(_Row(word))
        else:
            best.words.append(word)
            count = len(best.words)
            best.middle += (middle - best.middle) / count
            best.bottom += (bottom - best.bottom) / count
            best.height += (box.height - best.height) / count
    rows.sort(key=lambda row: row.middle)
    return rows


def _split(words: list[Word], aspect: float, verticals: _VerticalRules) -> Iterable[Line]:
    """Yield one row's lines; ``aspect`` is page width over page height."""
    words.sort(key=lambda w: w.box.left)
    limit = COLUMN_GAP * median(word.box.height for word in words) / aspect
    run = [words[0]]
    end = words[0].box.right
    for word in words[1:]:
        box = word.box
        gap = box.left - end
        if gap > limit or (verticals.places and gap > 0 and verticals.separate(end, box)):
            yield _line(run)
            run = []
        run.append(word)
        end = max(end, box.right) if len(run) > 1 else box.right
    yield _line(run)


def _line(words: list[Word]) -> Line:
    left, top, right, bottom = 1.0, 1.0, 0.0, 0.0
    for word in words:
        box = word.box
        left, top = min(left, box.left), min(top, box.top)
        right, bottom = max(right, box.left + box.width), max(bottom, box.top + box.height)
    return Line(tuple(words), Box(left, top, right - left, bottom - top))
