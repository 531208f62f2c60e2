"""How well words fit a place that a lesson names."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import ratio

from docduck.extraction.extractors.learned import spans
from docduck.extraction.learned_layout import PrintedPlace
from docduck.extraction.page.page_view import PageView, Segment, Token

ACCEPTED = 0.55
"""The fit from which words are taken to be at a place."""
_SAME_WORDS = 85


class PlaceFit:
    """A place on one page. Of the texts around it, only those count that the page has at all."""

    def __init__(self, page: PageView, place: PrintedPlace) -> None:
        here = [segment.key for segment in page.segments]
        self._page, self._place = page, place
        self._beside = place.beside if _among(place.beside, here) else ""
        self._above = place.above if _among(place.above, here) else ""

    def fit(self, tokens: Sequence[Token], text: str) -> float:
        """Return how well ``tokens``, which read ``text``, fit the place, 0–1."""
        page, place = self._page, self._place
        left, right = tokens[0].left / page.width, max(token.right for token in tokens) / page.width
        across = exp(-min(abs(left - place.left), abs(right - place.right)) / 0.03)
        down = exp(-abs(tokens[0].top / page.height - place.top) / 0.08)
        form = shapes_alike(spans.shape(text), place.shape)
        around = self._around(tokens)
        if around is None:
            return 0.75 * across * down + 0.25 * form
        return 0.55 * around + 0.2 * across + 0.1 * down + 0.15 * form

    def _around(self, tokens: Sequence[Token]) -> float | None:
        """Return how well the texts around fit, None when there is nothing to go by."""
        parts: list[float] = []
        segment = tokens[0].segment
        if self._place.before:
            parts.append(_same(spans.keys(segment.tokens[: tokens[0].index]), self._place.before))
        if self._beside:
            parts.append(_same(_key(spans.beside(tokens)), self._beside))
        if self._above:
            parts.append(0.9 * _same(_key(spans.above(tokens)), self._above))
        return max(parts, default=None)


def shapes_alike(one: str, other: str) -> float:
    """Return how alike two patterns of texts are, 0–1."""
    return Levenshtein.normalized_similarity(one, other)


def _among(text: str, keys: Sequence[str]) -> bool:
    return bool(text) and any(_same(one, text) for one in keys)


def _same(one: str, other: str) -> float:
    """1 for the same words, a little less for a misread, 0 for others."""
    if one == other:
        return 1.0
    likeness = ratio(one, other)
    return likeness / 100 if likeness >= _SAME_WORDS else 0.0


def _key(segment: Segment | None) -> str:
    return segment.key if segment is not None else ""
