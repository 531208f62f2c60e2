"""Lines that are drawn across a table."""

from __future__ import annotations

from docduck.extraction.extractors.layout.tables.bands import united
from docduck.extraction.page.page_view import PageView

_SAME = 1.6
"""Distance of lines that count as one at most, in points, such as the edges of a thin bar."""


def levels(page: PageView, left: float, right: float, share: float) -> list[float]:
    """Return the heights at which lines cover a share of ``left`` to ``right``, top to bottom."""
    lines: list[tuple[float, list[tuple[float, float]]]] = []
    for y, start, end in sorted((y, start, end) for start, end, y in page.horizontal_rules()):
        if not lines or y - lines[-1][0] > _SAME:
            lines.append((y, []))
        if start < right and left < end:
            lines[-1][1].append((max(start, left), min(end, right)))
    covered = ((y, sum(span.right - span.left for span in united(pieces))) for y, pieces in lines)
    return [y for y, length in covered if length >= share * (right - left)]
