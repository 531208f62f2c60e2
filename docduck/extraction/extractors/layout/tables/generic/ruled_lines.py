"""The ruled lines of a page as a table's reader asks for them; all in points."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from operator import itemgetter
from weakref import WeakKeyDictionary

from docduck.documents.document import Grid
from docduck.extraction.page.page_view import PageView

_SAME = 1.6
"""Points between lines that are one (the two edges of a thin bar)."""
_COVER = 0.55
_OPEN = 60
"""Vertical lines looked back at for one that goes on."""
_TOUCH = 3.0
"""Points between the pieces of one vertical line."""


class RuledLines:
    """Horizontal lines by height, joined where they touch, and vertical lines by their place."""

    def __init__(self, page: PageView) -> None:
        flat = [(min(x0, x1), y0, max(x0, x1), y1) for x0, y0, x1, y1 in page.rules]
        pieces = [(y0, x0, x1) for x0, y0, x1, y1 in flat if x1 - x0 > 2 * abs(y1 - y0)]
        self._pieces = sorted(pieces, key=itemgetter(0))
        joint = 1.2 * page.line_height
        levels: dict[float, list[tuple[float, float]]] = {}
        current: float | None = None
        for x0, y0, x1, _y1 in sorted(
            (r for r in flat if r[2] - r[0] >= abs(r[3] - r[1])), key=lambda r: r[1]
        ):
            if current is None or y0 - current > _SAME:
                current = y0
            levels.setdefault(current, []).append((x0, x1))
        self._across = [(y, _joined(spans, joint)) for y, spans in levels.items()]
        self._down = _chained(
            (x0, min(y0, y1), max(y0, y1)) for x0, y0, x1, y1 in flat if x1 - x0 < abs(y1 - y0)
        )

    def down(self, left: float, right: float) -> Iterator[tuple[float, float, float]]:
        """The vertical lines between left and right, left to right: where they stand, top and bottom."""
        for at in range(bisect_left(self._down, left, key=itemgetter(0)), len(self._down)):
            if self._down[at][0] > right:
                break
            yield self._down[at]

    def pieces(self, top: float, bottom: float) -> Iterator[tuple[float, float]]:
        """The sides of the horizontal lines, as drawn, within top–bottom."""
        for at in range(bisect_left(self._pieces, top, key=itemgetter(0)), len(self._pieces)):
            y, left, right = self._pieces[at]
            if y > bottom:
                break
            yield left, right

    def _between(self, top: float, bottom: float) -> Iterator[tuple[float, list[tuple[float, float]]]]:
        for at in range(bisect_left(self._across, top, key=itemgetter(0)), len(self._across)):
            if self._across[at][0] > bottom:
                break
            yield self._across[at]

    def parts(self, left: float, right: float, y: float) -> bool:
        """Whether a vertical line stands between left and right at a height."""
        return any(y0 <= y <= y1 for _, y0, y1 in self.down(left - 1, right + 1))

    def frame(self, left: float, right: float, top: float, bottom: float) -> tuple[float, float] | None:
        """The sides of the widest line within top–bottom that spans most of left–right."""
        spans = [
            (x0, x1)
            for _, some in self._between(top, bottom)
            for x0, x1 in some
            if min(right, x1) - max(left, x0) >= _COVER * (right - left)
        ]
        return (min(s[0] for s in spans), max(s[1] for s in spans)) if spans else None

    def levels(
        self, left: float, right: float, top: float, bottom: float, share: float = _COVER
    ) -> list[float]:
        """The heights within top–bottom at which lines cover at least ``share`` of left–right."""
        return [
            y
            for y, some in self._between(top, bottom)
            if _covered(some, left, right) >= share * (right - left)
        ]

    def walls(self, left: float, right: float, top: float, bottom: float, share: float = 0.5) -> list[float]:
        """Where vertical lines between left and right cover at least ``share`` of top–bottom."""
        covers: list[tuple[float, float]] = []
        for x, y0, y1 in self.down(left, right):
            if not covers or x - covers[-1][0] > _SAME:
                covers.append((x, 0.0))
            at, cover = covers[-1]
            covers[-1] = (at, cover + max(0.0, min(bottom, y1) - max(top, y0)))
        return [x for x, cover in covers if cover >= share * (bottom - top)]


def add_grid_lines(page: PageView, grids: Iterable[Grid]) -> None:
    """Adds the borders of tables that the format tells of to a page's ruled lines."""
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


_known: WeakKeyDictionary[PageView, RuledLines] = WeakKeyDictionary()


def ruled_lines(page: PageView) -> RuledLines:
    """The ruling of a page, made once."""
    found = _known.get(page)
    if found is None:
        found = _known[page] = RuledLines(page)
    return found


def _chained(lines: Iterable[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Vertical lines, those drawn in pieces, row by row, put together."""
    chained: list[tuple[float, float, float]] = []
    for x, y0, y1 in sorted(lines):
        near = [at for at in range(max(0, len(chained) - _OPEN), len(chained)) if x - chained[at][0] <= _SAME]
        touching = next(
            (at for at in near if chained[at][1] - _TOUCH <= y1 and y0 <= chained[at][2] + _TOUCH), None
        )
        if touching is None:
            chained.append((x, y0, y1))
        else:
            other, top, bottom = chained[touching]
            chained[touching] = (other, min(top, y0), max(bottom, y1))
    return chained


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
