"""A page as text for a model: columns stay below each other, and blocks apart.

Blanks carry the layout: a cell that is empty is a gap, and what stands in two columns is not read as one
line.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from docduck.documents.document import Page
from docduck.extraction.page.page_view import PageView, Segment
from docduck.extraction.reading import reading_of

_WIDEST = 120
"""Characters of a line: small models lose the column in longer ones."""
_LEAST_GAP = 3
"""Blanks that part two segments."""
_HEAD = 0.5
"""Probability from which a row heads a table."""


def page_rows(page: Page) -> list[str]:
    """Return the lines of a page, an empty one where a gap of a line or more parts two blocks."""
    view = PageView(page)
    lines: list[str] = []
    bottom = None
    for row, line in zip(view.rows, _lines(view), strict=True):
        top, height = row.segments[0].top, row.segments[0].height
        if bottom is not None and top - bottom > height:
            lines.append("")
        bottom = max(segment.bottom for segment in row.segments)
        lines.append(line)
    return lines


def head_rows(page: Page) -> set[str]:
    """Return those lines of a page that head tables."""
    view = PageView(page)
    reading = reading_of(view)
    return {
        line
        for row, line in zip(view.rows, _lines(view), strict=True)
        if min(reading.kind(segment.index, "head") for segment in row.segments) >= _HEAD
    }


def _lines(view: PageView) -> list[str]:
    segments = [segment for row in view.rows for segment in row.segments]
    if not segments:
        return []
    left = min(segment.left for segment in segments)
    unit = max(_letter(segments), (max(segment.right for segment in segments) - left) / _WIDEST)
    return [_line(row.segments, left, unit) for row in view.rows]


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
