"""A typed value printed on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch
from docduck.extraction.page.page_view import Segment, Token, text_of
from docduck.extraction.values.numbers import Side


@dataclass(slots=True, eq=False)
class Candidate:
    """A value on the page. ``form`` (0–1) is how well the printed text matches its kind.

    ``decimals`` is the number of decimals and ``currency`` the currency of an amount. ``range`` is ``start``
    or ``end`` for a date that is one of two joined by a dash or "to". ``printed`` is a date, an amount or a
    percentage as printed, with OCR errors corrected. ``side`` is that of an account, marked behind an amount.
    """

    kind: str
    value: Any
    tokens: Sequence[Token]
    form: float = 1.0
    decimals: int = 0
    currency: str | None = None
    range: str | None = None
    printed: str = ""
    side: Side | None = None

    @property
    def segment(self) -> Segment:
        return self.tokens[0].segment

    @property
    def start(self) -> int:
        return self.tokens[0].index

    @property
    def end(self) -> int:
        return self.tokens[-1].index + 1

    @property
    def left(self) -> float:
        return self.tokens[0].left

    @property
    def right(self) -> float:
        return self.tokens[-1].right

    @property
    def text(self) -> str:
        return text_of(self.tokens)


@dataclass(slots=True)
class ScoredCandidate:
    """A candidate with its score for a target, and the label that announces it, if any."""

    candidate: Candidate
    score: float
    label: LabelMatch | None = None

    @property
    def value(self) -> Any:
        return self.candidate.value

    @property
    def tokens(self) -> Sequence[Token]:
        return self.candidate.tokens
