"""How well tokens fit a learned position."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import ratio

from docduck.extraction.extractors.learned import spans
from docduck.extraction.learned_layout import PrintedPlace
from docduck.extraction.page.page_view import PageView, Segment, Token

ACCEPTED = 0.55
"""Minimum fit of tokens to a position."""
_SAME_WORDS = 85


class PlaceFit:
    """A learned position on one page. Surrounding texts count only if the page has them."""

    def __init__(self, page: PageView, place: PrintedPlace) -> None:
        here = [segment.key for segment in page.segments]
        self._page, self._place = page, place
        self._beside = place.beside if _is_among(place.beside, here) else ""
        self._above = place.above if _is_among(place.above, here) else ""

    @property
    def is_announced(self) -> bool:
        """Whether the page has the words that announce the value; also if there are none."""
        words = self._place.words
        return not words or any(
            segment.key.startswith(words) if self._place.before else _similarity(segment.key, words)
            for segment in self._page.segments
        )

    def fit(self, tokens: Sequence[Token], text: str) -> float:
        """Return how well, 0–1, ``tokens`` with the text ``text`` fit the position."""
        page, place = self._page, self._place
        left, right = tokens[0].left / page.width, max(token.right for token in tokens) / page.width
        horizontal = exp(-min(abs(left - place.left), abs(right - place.right)) / 0.03)
        vertical = exp(-abs(tokens[0].top / page.height - place.top) / 0.08)
        form = shapes_alike(spans.shape(text), place.shape)
        around = self._around(tokens)
        if around is None:
            # Words that announced the value and are gone: the value is at another place, if there is one.
            return 0.0 if place.words else 0.75 * horizontal * vertical + 0.25 * form
        return 0.55 * around + 0.2 * horizontal + 0.1 * vertical + 0.15 * form

    def _around(self, tokens: Sequence[Token]) -> float | None:
        """Return how well the surrounding texts fit, None if there are none to compare."""
        parts: list[float] = []
        segment = tokens[0].segment
        if self._place.before:
            parts.append(_similarity(spans.keys(segment.tokens[: tokens[0].index]), self._place.before))
        if self._beside:
            parts.append(_similarity(_key(spans.beside(tokens)), self._beside))
        if self._above:
            parts.append(0.9 * _similarity(_key(spans.above(tokens)), self._above))
        return max(parts, default=None)


def shapes_alike(text: str, other: str) -> float:
    """Return the similarity of two text patterns, 0–1."""
    return Levenshtein.normalized_similarity(text, other)


def _is_among(text: str, keys: Sequence[str]) -> bool:
    return bool(text) and any(_similarity(key, text) for key in keys)


def _similarity(text: str, other: str) -> float:
    """Return 1 for equal words, less for a likely OCR error, 0 for different words."""
    if text == other:
        return 1.0
    likeness = ratio(text, other)
    return likeness / 100 if likeness >= _SAME_WORDS else 0.0


def _key(segment: Segment | None) -> str:
    return segment.key if segment is not None else ""
