"""The ruled lines of a page, for reading tables; all in points."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from operator import itemgetter
from weakref import WeakKeyDictionary

from docduck.documents.document import Grid
from docduck.extraction.page.page_view import PageView

_SAME_LINE = 1.6
"""Maximum distance of lines that count as one, such as the edges of a thin bar."""
_COVER = 0.55
_LOOK_BACK = 60
"""Maximum number of earlier vertical lines searched for one that continues."""
_MAX_GAP = 3.0
"""Maximum gap between the pieces of one vertical line."""


class RuledLines:
    """Horizontal lines by height, joined where they touch, and vertical lines by position."""

    def __init__(self, page: PageView) -> None:
        flat = [(min(x0, x1), y0, max(x0, x1), y1) for x0, y0, x1, y1 in page.rules]
        horizontal_pieces = [(y0, x0, x1) for x0, y0, x1, y1 in flat if x1 - x0 > 2 * abs(y1 - y0)]
        self._drawn = sorted(horizontal_pieces, key=itemgetter(0))
        joint = 1.2 * page.line_height
        levels: dict[float, list[tuple[float, float]]] = {}
        current: float | None = None
        for x0, y0, x1, _y1 in sorted(
            (r for r in flat if r[2] - r[0] >= abs(r[3] - r[1])), key=lambda r: r[1]
        ):
            if current is None or y0 - current > _SAME_LINE:
                current = y0
            levels.setdefault(current, []).append((x0, x1))
        self._horizontal = [(y, _joined(spans, joint)) for y, spans in levels.items()]
        self._vertical = _joined_vertical(
            (x0, min(y0, y1), max(y0, y1)) for x0, y0, x1, y1 in flat if x1 - x0 < abs(y1 - y0)
        )

    def vertical(self, left: float, right: float) -> Iterator[tuple[float, float, float]]:
        """Yield the position, top and bottom of vertical lines between left and right, left to right."""
        for at in range(bisect_left(self._vertical, left, key=itemgetter(0)), len(self._vertical)):
            if self._vertical[at][0] > right:
                break
            yield self._vertical[at]

    def horizontal_pieces(self, top: float, bottom: float) -> Iterator[tuple[float, float]]:
        """Yield the left and right ends of horizontal lines within top–bottom, as drawn."""
        for at in range(bisect_left(self._drawn, top, key=itemgetter(0)), len(self._drawn)):
            y, left, right = self._drawn[at]
            if y > bottom:
                break
            yield left, right

    def _between(self, top: float, bottom: float) -> Iterator[tuple[float, list[tuple[float, float]]]]:
        for at in range(bisect_left(self._horizontal, top, key=itemgetter(0)), len(self._horizontal)):
            if self._horizontal[at][0] > bottom:
                break
            yield self._horizontal[at]

    def separates(self, left: float, right: float, y: float) -> bool:
        """Return whether a vertical line lies between left and right at height ``y``."""
        return any(y0 <= y <= y1 for _, y0, y1 in self.vertical(left - 1, right + 1))

    def frame(self, left: float, right: float, top: float, bottom: float) -> tuple[float, float] | None:
        """Return the ends of the widest line within top–bottom that covers most of left–right."""
        spans = [
            (x0, x1)
            for _, line in self._between(top, bottom)
            for x0, x1 in line
            if min(right, x1) - max(left, x0) >= _COVER * (right - left)
        ]
        return (min(s[0] for s in spans), max(s[1] for s in spans)) if spans else None

    def levels(
        self, left: float, right: float, top: float, bottom: float, share: float = _COVER
    ) -> list[float]:
        """Return the heights within top–bottom at which lines cover at least ``share`` of left–right."""
        return [
            y
            for y, spans in self._between(top, bottom)
            if _covered(spans, left, right) >= share * (right - left)
        ]

    def boundaries(
        self, left: float, right: float, top: float, bottom: float, share: float = 0.5
    ) -> list[float]:
        """Return the positions between left and right at which lines cover ``share`` of top–bottom."""
        covers: list[tuple[float, float]] = []
        for x, y0, y1 in self.vertical(left, right):
            if not covers or x - covers[-1][0] > _SAME_LINE:
                covers.append((x, 0.0))
            at, cover = covers[-1]
            covers[-1] = (at, cover + max(0.0, min(bottom, y1) - max(top, y0)))
        return [x for x, cover in covers if cover >= share * (bottom - top)]


def add_grid_lines(page: PageView, grids: Iterable[Grid]) -> None:
    """Add the borders of a document format's own tables to a page's ruled lines."""
    for grid in grids:
        boxes = {(c.box.left, c.box.top, c.box.right, c.box.bottom) for row in grid.rows for c in row}
        for x0, y0, x1, y1 in sorted(boxes):
            left, right = x0 * page.width, x1 * page.width
            top, bottom = y0 * page.height, y1 * page.height
            page.rules += [
                (left, top, right, top),
                (left, bottom, right, bottom),
                (left, top, left, bottom),
                (right, top, right, bottom),
            ]


_cache: WeakKeyDictionary[PageView, RuledLines] = WeakKeyDictionary()


def ruled_lines(page: PageView) -> RuledLines:
    """Return the ruled lines of a page, computed once."""
    found = _cache.get(page)
    if found is None:
        found = _cache[page] = RuledLines(page)
    return found


def _joined_vertical(lines: Iterable[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Return vertical lines with touching pieces joined."""
    joined: list[tuple[float, float, float]] = []
    for x, y0, y1 in sorted(lines):
        near = [
            at
            for at in range(max(0, len(joined) - _LOOK_BACK), len(joined))
            if x - joined[at][0] <= _SAME_LINE
        ]
        touching = next(
            (at for at in near if joined[at][1] - _MAX_GAP <= y1 and y0 <= joined[at][2] + _MAX_GAP), None
        )
        if touching is None:
            joined.append((x, y0, y1))
        else:
            other, top, bottom = joined[touching]
            joined[touching] = (other, min(top, y0), max(bottom, y1))
    return joined


def _joined(spans: Iterable[tuple[float, float]], joint: float) -> list[tuple[float, float]]:
    joined: list[tuple[float, float]] = []
    for x0, x1 in sorted(spans):
        if joined and x0 - joined[-1][1] <= joint:
            joined[-1] = (joined[-1][0], max(joined[-1][1], x1))
        else:
            joined.append((x0, x1))
    return joined


def _covered(spans: Iterable[tuple[float, float]], left: float, right: float) -> float:
    return sum(max(0.0, min(right, x1) - max(left, x0)) for x0, x1 in spans)
