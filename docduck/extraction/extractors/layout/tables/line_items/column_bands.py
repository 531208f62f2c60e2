"""Column bands: the boundaries between the columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.extraction.extractors.layout.tables.gaps import middle_of_gap
from docduck.extraction.extractors.layout.tables.line_items.header_detection import Header, HeaderCell
from docduck.extraction.page.page_view import Row, Token

_STEP = 2.0
"""Width of a bin, in points, for finding white space between columns."""


class ColumnBands:
    """The bands of a header's cells: ``boundaries[i]`` is the right edge of cell ``i``'s band, in points."""

    def __init__(self, header: Header, body: Sequence[Row]) -> None:
        self.cells = header.cells
        page = header.page
        bins = int(page.width / _STEP) + 2
        load = [0.0] * bins
        for row in body:
            if len(row.segments) < 2:
                continue
            for segment in row.segments:
                for bin_ in range(_bin(segment.left, bins), _bin(segment.right, bins) + 1):
                    load[bin_] += 1
        self.boundaries: list[float] = []
        rules = [
            (x0, min(y0, y1), max(y0, y1)) for x0, y0, x1, y1 in page.rules if abs(x1 - x0) < abs(y1 - y0)
        ]
        for cell, following in zip(self.cells, self.cells[1:], strict=False):
            self.boundaries.append(_boundary(cell, following, load, rules, header))
        self.boundaries.append(float("inf"))

    def index(self, token: Token) -> int:
        """Return the index of the cell whose band holds the middle of ``token``."""
        middle = (token.left + token.right) / 2
        for index, boundary in enumerate(self.boundaries):
            if middle < boundary:
                return index
        return len(self.boundaries) - 1

    def left(self, index: int) -> float:
        """Return the left edge of a cell's band."""
        return self.boundaries[index - 1] if index else 0.0


def _bin(x: float, bins: int) -> int:
    return max(0, min(int(x / _STEP), bins - 1))


def _boundary(
    cell: HeaderCell,
    following: HeaderCell,
    load: Sequence[float],
    rules: Sequence[tuple[float, float, float]],
    header: Header,
) -> float:
    """Return the boundary between two cells: a drawn rule, else the middle of the widest white space."""
    for x, top, bottom in rules:
        if cell.right - 3 <= x <= following.left + 3 and top <= header.bottom + 4 and bottom >= header.bottom:
            return x
    start, end = _bin(cell.centre, len(load)), _bin(following.centre, len(load))
    if end <= start:
        return (cell.right + following.left) / 2
    cost = []
    right, left = cell.right, following.left
    for bin_ in range(start, end + 1):
        x = bin_ * _STEP
        within = x < right or left < x
        cost.append(load[bin_] + (1.2 if within else 0.0))
    return (start + middle_of_gap(cost, 0.01)) * _STEP
