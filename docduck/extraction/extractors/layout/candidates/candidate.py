"""A typed value printed on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docduck.extraction.extractors.layout.token_text import text_of
from docduck.extraction.page.page_view import PageView, Segment, Token


@dataclass(slots=True)
class Candidate:
    """A value on the page. ``form`` (0–1) is how well the printed text matches its kind.

    ``decimals`` is the number of decimals and ``currency`` the currency of an amount. ``range`` is ``start``
    or ``end`` for a date that is one of two joined by a dash or "to". ``printed`` is a date, an amount or a
    percentage as printed, with OCR errors corrected.
    """

    kind: str
    value: Any
    tokens: Sequence[Token]
    form: float = 1.0
    decimals: int = 0
    currency: str | None = None
    range: str | None = None
    printed: str = ""

    @property
    def segment(self) -> Segment:
        return self.tokens[0].segment

    @property
    def page(self) -> PageView:
        return self.tokens[0].segment.page

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

    def nearby_tokens(self, reach: float, digits: bool = True) -> Iterator[Sequence[Token]]:
        """Yield the tokens before the value in its segment, or else those left of and above it.

        ``reach`` is the maximum distance above, in line heights. Without ``digits``, segments above that
        have a digit are skipped.
        """
        segment, page = self.segment, self.page
        if self.start:
            yield segment.tokens[: self.start]
            return
        left = page.rows[segment.row].before(segment)
        if left is not None:
            yield left.tokens
        for above in page.rows[max(segment.row - 2, 0) : segment.row]:
            for other in above.between(self.left, self.right):
                near = segment.top - other.bottom < reach * page.line_height
                overlaps = other.left < self.right and self.left < other.right
                if near and overlaps and (digits or not other.has_digit):
                    yield other.tokens
