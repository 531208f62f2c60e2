"""Words to lines: what stands on one baseline, split where a column gap or a vertical rule parts it.

Reading order is top to bottom, and left to right within one baseline; columns of prose one after the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from statistics import median

from docduck.documents.columns import in_columns
from docduck.documents.model import Box, Line, Rule, Word

COLUMN_GAP = 0.95
"""A gap wider than this many text heights parts two columns (a space is about a quarter of one)."""

_OPEN_ROWS = 12
"""Rows looked back at for a word's baseline; words come sorted by their middle."""

_SAME, _NEAR = 0.12, 0.42
"""Text heights off a baseline: certainly on it, and at most on it."""


class _Row:
    """Words on one baseline; ``middle`` and ``bottom`` follow the words taken in."""

    __slots__ = ("bottom", "height", "middle", "words")

    def __init__(self, word: Word) -> None:
        box = word.box
        self.words = [word]
        self.height = box.height
        self.middle = box.top + box.height / 2
        self.bottom = box.top + box.height


def build_lines(words: Sequence[Word], width: float, height: float, rules: Iterable[Rule] = ()) -> list[Line]:
    """The lines of a page of ``width`` × ``height`` (any one unit), in reading order."""
    upright = [word for word in words if word.box.height > 0]
    if not upright:
        return []
    aspect = width / height
    walls = sorted((rule.x0, rule.y0, rule.y1) for rule in rules if not rule.horizontal)
    lines: list[Line] = []
    for row in _rows(upright):
        lines.extend(_split(row.words, aspect, walls))
    return in_columns(lines)


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
            if distance < nearest and (distance < _SAME or not _collides(row, box)):
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


def _collides(row: _Row, box: Box) -> bool:
    """Whether ``box`` stands on top of a word of ``row``: then it is the next line, set tightly."""
    left, right = box.left + box.width * 0.25, box.left + box.width * 0.75
    for word in row.words:
        other = word.box
        if (
            other.left < right
            and left < other.left + other.width
            and abs(other.top - box.top) > 0.25 * box.height
        ):
            return True
    return False


def _split(words: list[Word], aspect: float, walls: list[tuple[float, float, float]]) -> Iterable[Line]:
    """One row's lines; ``aspect`` is page width over page height, which makes gaps and heights alike."""
    words.sort(key=lambda w: w.box.left)
    limit = COLUMN_GAP * median(word.box.height for word in words) / aspect
    run = [words[0]]
    end = words[0].box.right
    for word in words[1:]:
        box = word.box
        gap = box.left - end
        if gap > limit or (walls and gap > 0 and _walled(walls, end, box)):
            yield _line(run)
            run = []
        run.append(word)
        end = max(end, box.right) if len(run) > 1 else box.right
    yield _line(run)


def _walled(walls: list[tuple[float, float, float]], end: float, box: Box) -> bool:
    middle = box.top + box.height / 2
    index = bisect_left(walls, (end - 0.002,))
    while index < len(walls) and walls[index][0] <= box.left + 0.002:
        _, y0, y1 = walls[index]
        if min(y0, y1) <= middle <= max(y0, y1):
            return True
        index += 1
    return False


def _line(words: list[Word]) -> Line:
    left, top, right, bottom = 1.0, 1.0, 0.0, 0.0
    for word in words:
        box = word.box
        left, top = min(left, box.left), min(top, box.top)
        right, bottom = max(right, box.left + box.width), max(bottom, box.top + box.height)
    return Line(tuple(words), Box(left, top, right - left, bottom - top))
