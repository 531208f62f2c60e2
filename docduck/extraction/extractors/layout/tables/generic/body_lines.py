"""The lines of a table's body: words grouped by baseline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from docduck.extraction.page.page_view import Token

_LEVEL = 2.0
"""Points by which the tops of two words that stand over each other differ at most on one line."""


_MOST_TOKENS = 1000
"""Words of one line."""


_VALUE = re.compile(r"[-–—−.…·xX✓✔✗*]{1,4}|n/?a\.?|n\.?d\.?|[(\[]?[<>≤≥~+\-–−$€£]{0,2}[\s]?[\d.,]*\d.*", re.I)


@dataclass
class BodyLine:
    """Words on one baseline, by the index of their column; ``spilled`` if running text crosses a wall."""

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
    """Words put to lines by their baselines; the boxes of tall signs count by their middle."""
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
    """Words that are to be a line, and their mean middle."""

    __slots__ = ("high", "low", "middle", "tokens")

    def __init__(self, token: Token, middle: float) -> None:
        self.tokens = [token]
        self.middle = middle
        self.high = self.low = token.top

    def takes(self, token: Token) -> bool:
        """Whether ``token`` is on top of none of the words; a full line takes no more."""
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
        """Take ``token`` in."""
        self.tokens.append(token)
        self.middle += (middle - self.middle) / len(self.tokens)
        self.high, self.low = min(self.high, token.top), max(self.low, token.top)


def is_value(tokens: Sequence[Token]) -> bool:
    """Whether a cell looks like a figure, a mark or a stand-in for one."""
    text = " ".join([t.text for t in tokens])
    if not _VALUE.fullmatch(text):
        return False
    letters = sum(c.isalpha() for c in text)
    return letters <= max(4, sum(c.isdigit() for c in text))
