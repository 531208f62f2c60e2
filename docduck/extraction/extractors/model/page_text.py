"""A page as text for a model: columns stay below each other, and blocks apart.

Blanks carry the layout: a cell that is empty is a gap, and what stands in two columns is not read as one
line.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from docduck.documents.document import Page
from docduck.extraction.page.page_view import PageView, Segment

_WIDEST = 120
"""Characters of a line: small models lose the column in longer ones."""
_LEAST_GAP = 3
"""Blanks that part two segments."""


def page_rows(page: Page) -> list[str]:
    """Return the lines of a page, an empty one where a gap of a line or more parts two blocks."""
    rows = PageView(page).rows
    segments = [segment for row in rows for segment in row.segments]
    if not segments:
        return []
    left = min(segment.left for segment in segments)
    unit = max(_letter(segments), (max(segment.right for segment in segments) - left) / _WIDEST)
    lines: list[str] = []
    bottom = None
    for row in rows:
        top, height = row.segments[0].top, row.segments[0].height
        if bottom is not None and top - bottom > height:
            lines.append("")
        bottom = max(segment.bottom for segment in row.segments)
        lines.append(_line(row.segments, left, unit))
    return lines


def _line(segments: Iterable[Segment], left: float, unit: float) -> str:
    line = ""
    for segment in segments:
        gap = round((segment.left - left) / unit) - len(line)
        line += " " * max(gap, _LEAST_GAP if line else 0) + segment.text
    return line


def _letter(segments: Iterable[Segment]) -> float:
    """Return the usual width of a letter."""
    tokens = (token for segment in segments for token in segment.tokens)
    return median((token.right - token.left) / max(len(token.text), 1) for token in tokens)
