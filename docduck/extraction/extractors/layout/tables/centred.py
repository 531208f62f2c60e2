"""Texts over several lines around the line of their row's numbers: as many lines above it as below."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal, Protocol

_APART = 0.15
"""What the gap between two rows exceeds those between lines of one by, in line heights."""
_CLOSE = 0.75
"""Gap between two lines of one text at most, in line heights."""

Kind = Literal["row", "bare", "text", "other"]
"""A line of numbers, one of numbers alone, a text that may be of a row above or below, and what ends both."""


class Placed(Protocol):
    """Something with an upper and a lower edge, in points."""

    @property
    def top(self) -> float: ...

    @property
    def bottom(self) -> float: ...


class CentredRows:
    """The lines of one page of a table, to know the texts that are centred around their row's numbers.

    ``rules`` are the heights of the lines drawn between rows.
    """

    def __init__(
        self, lines: Sequence[Placed], kinds: Sequence[Kind], rules: Sequence[float], height: float
    ) -> None:
        self._lines = lines
        self._kinds = kinds
        self._rules = rules
        self._height = height

    def texts(self) -> Mapping[int, int]:
        """Return the lines of texts with the line of numbers that each is of, by their indices.

        Return none unless each row has as many lines of text above its numbers as below.
        """
        rows = [at for at, kind in enumerate(self._kinds) if kind in ("row", "bare")]
        if not rows:
            return {}
        above, below = {rows[0]: self._run(rows[0], -1)}, {}
        for row, following in pairwise(rows):
            between = range(row + 1, following)
            if all(self._kinds[at] == "text" for at in between):
                cut = self._cut(row, following, len(above[row]))
                below[row], above[following] = [*between[:cut]], [*between[cut:]]
            else:
                below[row], above[following] = self._run(row, 1)[: len(above[row])], self._run(following, -1)
        below[rows[-1]] = self._run(rows[-1], 1)[: len(above[rows[-1]]) or None]
        if any(len(above[row]) != len(below[row]) for row in rows):
            return {}
        return {at: row for row in rows for at in (*above[row], *below[row])}

    def _run(self, row: int, step: int) -> list[int]:
        """Return the close lines of texts above a row (``step`` -1) or below it, the nearest first."""
        run: list[int] = []
        at = row + step
        while 0 <= at < len(self._lines) and self._kinds[at] == "text":
            if self._gap(*sorted((at, at - step))) > _CLOSE * self._height:
                break
            run.append(at)
            at += step
        return run

    def _cut(self, row: int, following: int, above: int) -> int:
        """Return how many lines between two rows are of the upper one.

        These are the lines up to the widest gap, or else as many as it has above. A row that has none above
        has all, unless there are rows of numbers alone, whose texts can't begin beside them.
        """
        gaps = [self._gap(at, at + 1) for at in range(row, following)]
        widest = sorted(gaps)[-2:]
        if len(widest) > 1 and widest[1] - widest[0] > _APART * self._height:
            return gaps.index(widest[1])
        if not above and "bare" not in self._kinds:
            return len(gaps) - 1
        return min(above, len(gaps) - 1)

    def _gap(self, at: int, below: int) -> float:
        """Return the gap between two lines, wide where a line is drawn between them."""
        upper, lower = self._lines[at], self._lines[below]
        middles = ((line.top + line.bottom) / 2 for line in (upper, lower))
        is_ruled = len({bisect(self._rules, middle) for middle in middles}) > 1
        return lower.top - upper.bottom + self._height * is_ruled
