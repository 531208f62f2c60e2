"""Reading order on pages with columns of prose: one column after the other.

The cut is that of XY-cut (Nagy and Seth, 1984), only between two runs of prose: the cells of a table and the
blocks of a form stay in the order of their rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from docduck.documents.document import Line

LEAST_LINES = 5
"""Lines that each of two columns has at least."""

_LEAST_LEFT = 0.2
_WORDS = 4.0
"""Least average of words that begin with a letter, in a line of prose."""
_FULL_SHARE, _FULL = 0.5, 0.75
"""Least share of full lines in prose, and the share of the column's width that makes a line full."""

_SLACK = 0.006
_MAX_DEPTH = 3


def order_columns(lines: list[Line], depth: int = 0) -> list[Line]:
    """Return ``lines``, which are in order of their rows, with columns of prose one after the other."""
    if len(lines) < 2 * LEAST_LINES or depth == _MAX_DEPTH:
        return lines
    for gutter in _gutters(lines):
        ordered: list[Line] = []
        run: list[Line] = []
        cut = False
        for line in (*lines, None):
            if line is not None and not line.box.left < gutter - _SLACK < line.box.right - 2 * _SLACK:
                run.append(line)
                continue
            columns = _columns(run, gutter, depth)
            cut = cut or columns is not None
            ordered += columns or run
            run = []
            if line is not None:
                ordered.append(line)
        if cut:
            return ordered
    return lines


def _gutters(lines: Sequence[Line]) -> list[float]:
    """Return where many lines of several words begin, away from the left margin; the most frequent first."""
    margin = min(line.box.left for line in lines)
    starts = Counter(
        round(line.box.left * 100)
        for line in lines
        if len(line.words) >= 3 and line.box.left > margin + _LEAST_LEFT
    )
    return [start / 100 for start, count in starts.most_common(3) if count >= LEAST_LINES - 1]


def _columns(run: list[Line], gutter: float, depth: int) -> list[Line] | None:
    """Return ``run`` column by column if both sides of ``gutter`` are prose or columns of it, else None."""
    ordered: list[Line] = []
    for side in (
        [line for line in run if line.box.left < gutter - _SLACK],
        [line for line in run if line.box.left >= gutter - _SLACK],
    ):
        columns = order_columns(side, depth + 1)
        if columns is side and not _prose(side):
            return None
        ordered += columns
    return ordered


def _prose(lines: Sequence[Line]) -> bool:
    if len(lines) < LEAST_LINES:
        return False
    if fmean(sum(word.text[:1].isalpha() for word in line.words) for line in lines) < _WORDS:
        return False
    start, end = min(line.box.left for line in lines), max(line.box.right for line in lines)
    full = sum(line.box.width >= _FULL * (end - start) for line in lines)
    return full >= _FULL_SHARE * len(lines)
