"""Lines of a table's body: words grouped by baseline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from docduck.extraction.extractors.layout.token_text import text_of
from docduck.extraction.page.page_view import Token

_LEVEL = 2.0
"""Maximum difference, in points, of the tops of overlapping words on one line."""


_MOST_TOKENS = 1000
"""Maximum number of words in one line."""


_VALUE = re.compile(r"[-–—−.…·xX✓✔✗*]{1,4}|n/?a\.?|n\.?d\.?|[(\[]?[<>≤≥~+\-–−$€£]{0,2}[\s]?[\d.,]*\d.*", re.I)


@dataclass
class BodyLine:
    """Words on one baseline, by column index; ``spilled`` if text runs across a column boundary."""

    tokens: list[Token]
    top: float
    bottom: float
    cells: dict[int, list[Token]] = field(default_factory=dict)
    spilled: bool = False

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def left(self) -> float:
        return min(t.left for t in self.tokens)


def group_lines(tokens: Sequence[Token], height: float) -> list[BodyLine]:
    """Return words grouped into lines by their baselines; tall signs count by their middle."""
    groups: list[_Baseline] = []
    for token in sorted(tokens, key=lambda t: (t.top + t.bottom) / 2):
        middle = (token.top + token.bottom) / 2
        for group in groups[-3:][::-1]:
            if abs(group.middle - middle) < 0.38 * height and group.takes(token):
                group.add(token, middle)
                break
        else:
            groups.append(_Baseline(token, middle))
    lines = []
    for group in groups:
        group.tokens.sort(key=lambda t: t.left)
        usual = [t for t in group.tokens if t.bottom - t.top < 1.7 * height] or group.tokens
        lines.append(BodyLine(group.tokens, median(t.top for t in usual), median(t.bottom for t in usual)))
    return sorted(lines, key=lambda line: line.middle)


class _Baseline:
    """The words of a line under construction, and their mean middle."""

    __slots__ = ("high", "low", "middle", "tokens")

    def __init__(self, token: Token, middle: float) -> None:
        self.tokens = [token]
        self.middle = middle
        self.high = self.low = token.top

    def takes(self, token: Token) -> bool:
        """Return whether ``token`` overlaps none of the words and the line is not full."""
        if len(self.tokens) >= _MOST_TOKENS:
            return False
        if token.top - self.high <= _LEVEL and self.low - token.top <= _LEVEL:
            return True
        inner = (token.right - token.left) * 0.25
        return not any(
            t.left < token.right - inner and token.left + inner < t.right and abs(t.top - token.top) > _LEVEL
            for t in self.tokens
        )

    def add(self, token: Token, middle: float) -> None:
        """Add ``token``."""
        self.tokens.append(token)
        self.middle += (middle - self.middle) / len(self.tokens)
        self.high, self.low = min(self.high, token.top), max(self.low, token.top)


def is_value(tokens: Sequence[Token]) -> bool:
    """Return whether a cell looks like a number, a mark or a placeholder for a number."""
    text = text_of(tokens)
    if not _VALUE.fullmatch(text):
        return False
    letters = sum(c.isalpha() for c in text)
    return letters <= max(4, sum(c.isdigit() for c in text))
