"""What the page network sees of a page's segments: their words, their form and their place.

Lengths are in line heights, so that the size of the page's type doesn't matter.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from docduck.extraction.lexicon import in_english
from docduck.extraction.normal_text import plain
from docduck.extraction.page.page_view import PageView, Segment
from docduck.extraction.values.currencies import is_currency_mark

BUCKETS, WORDS = 8192, 16
"""Number of hash values of words and parts of words, and how many of them a segment has."""
_SHAPES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}$",
        r"[-+(]?\d{1,3}(?:[., ’']\d{3})*[.,]\d{2}\)?-?$",
        r"\d+$",
        r"(?=.*\d)[A-Z0-9][A-Z0-9/.\-]{3,}$",
        r"[^@\s]+@[^@\s]+\.[^@\s]+$",
        r"(?:https?://|www\.)",
        r"\d+(?:[.,]\d+)?\s?%$",
        r"[☐☑☒□■○●✓✔✗✘]|\[.?\]$|[xX]$",
        r"\d{1,2}[.)]$",
        r"[_.·…-]{4,}$",
    )
)
_EAST_ASIAN_DATE = re.compile(r"(\d{1,4})[年년](\d{1,2})[月월](\d{1,2})[日일]")
_LABEL_WORDS = 6
"""Words of a label in another script at most."""
_NEAR = 8.0
"""Distance in line heights from which neighbours and lines count as absent."""
_ALIGNED = 0.25
"""Distance in line heights within which edges are aligned."""


class Segments(NamedTuple):
    """The features of a page's segments: hashes of words, numbers, and ``places`` (see ``PLACES``)."""

    hashes: NDArray[np.int32]
    numbers: NDArray[np.float32]
    places: NDArray[np.float32]

    def part(self, start: int, end: int) -> Segments:
        """Return the features of some of the segments."""
        return Segments(self.hashes[start:end], self.numbers[start:end], self.places[start:end])


PLACES = (
    "left", "top", "right", "bottom", "row", "order", "index", "above", "below",
    "rule_left", "rule_right", "rule_above", "rule_below",
)  # fmt: skip
"""The columns of ``places``: edges, row and order, the segment itself, the nearest segments above and below,
and the nearest drawn lines around it."""
NUMBERS = 54


@dataclass(frozen=True)
class _Neighbours:
    above: int
    below: int
    gap_above: float
    gap_below: float


def page_features(page: PageView) -> Segments:
    """Return the features of a page's segments, in their order."""
    rules = _Rules(page)
    lefts = sorted(s.left for s in page.segments)
    rights = sorted(s.right for s in page.segments)
    hashes = np.zeros((len(page.segments), WORDS), np.int32)
    numbers = np.zeros((len(page.segments), NUMBERS), np.float32)
    places = np.zeros((len(page.segments), len(PLACES)), np.float32)
    for index, segment in enumerate(page.segments):
        word_hashes = _hashes(segment)
        hashes[index, : len(word_hashes)] = word_hashes
        near = _neighbours(segment)
        around = rules.around(segment)
        places[index] = _places(segment, near, around)
        numbers[index] = _numbers(
            segment, near, around, _aligned(lefts, segment.left, page), _aligned(rights, segment.right, page)
        )
    return Segments(hashes, numbers, places)


def _hashes(segment: Segment) -> list[int]:
    hashes: list[int] = []
    keys = [token.key for token in segment.tokens]
    if not all(map(str.isascii, keys)):
        keys = _in_latin(keys)
    for word in [word for word in keys[:6] if word][:5]:
        hashes += _hashes_of_word(word)[:3]
    if keys[-1]:
        hashes.append(_hashes_of_word(keys[-1])[3])
    return hashes[:WORDS]


def _in_latin(keys: Sequence[str]) -> list[str]:
    """Return words with labels of other scripts in English, and nothing for other words of those scripts.

    The network was trained on languages in Latin letters.
    """
    words: list[str] = []
    at = 0
    while at < len(keys):
        ends = range(min(len(keys), at + _LABEL_WORDS), at, -1)
        end = next((end for end in ends if "".join(keys[at:end]) in in_english()), at)
        words += in_english()["".join(keys[at:end])] if end > at else [keys[at] if keys[at].isascii() else ""]
        at = max(end, at + 1)
    return words


@lru_cache(maxsize=32768)
def _hashes_of_word(key: str) -> list[int]:
    """Return the hashes of a word, of its first and last letters, and of it as the last word."""
    word = re.sub(r"\d", "0", key)
    return [_hash("w", word), _hash("p", word[:4]), _hash("s", word[-4:]), _hash("l", word)]


@lru_cache(maxsize=32768)
def _form(text: str) -> tuple[NDArray[np.float32], bool, int, int, int]:
    """Return a word's ``_SHAPES``, whether it is a currency, and its letters, digits and capitals."""
    text = _EAST_ASIAN_DATE.sub(r"\1-\2-\3", plain(text))
    shapes = np.array([shape.match(text) is not None for shape in _SHAPES], np.float32)
    letters, digits = sum(c.isalpha() for c in text), sum(c.isdigit() for c in text)
    return shapes, is_currency_mark(text), letters, digits, sum(c.isupper() for c in text)


def _hash(kind: str, text: str) -> int:
    return crc32(f"{kind}{text}".encode()) % (BUCKETS - 1) + 1


def _places(segment: Segment, near: _Neighbours, around: Sequence[float]) -> list[float]:
    height = segment.page.line_height
    return [
        segment.left / height, segment.top / height, segment.right / height, segment.bottom / height,
        segment.row, segment.order, segment.index, near.above, near.below, *around,
    ]  # fmt: skip


def _numbers(
    segment: Segment, near: _Neighbours, around: Sequence[float], left_aligned: int, right_aligned: int
) -> list[float]:
    page, text, tokens = segment.page, plain(segment.text), segment.tokens
    height, row = page.line_height, page.rows[segment.row]
    forms = [_form(token.text) for token in tokens]
    letters, digits, upper = (sum(form[part] for form in forms) for part in (2, 3, 4))
    shapes = forms[-1][0]
    for form in forms[:3]:
        shapes = np.maximum(shapes, form[0])
    gaps = [b.left - a.right for a, b in pairwise(tokens)]
    before = row.segments[segment.order - 1] if segment.order else None
    after = row.segments[segment.order + 1] if segment.order + 1 < len(row.segments) else None
    left_gap = min((segment.left - before.right) / height, 40.0) if before else 40.0
    right_gap = min((after.left - segment.right) / height, 40.0) if after else 40.0
    edges = (segment.left, segment.top, segment.right, segment.bottom)
    left, top, right, bottom = (edge / height for edge in edges)
    first, last = tokens[0].text, tokens[-1].text
    return [
        segment.left / page.width, segment.top / page.height, segment.right / page.width,
        segment.bottom / page.height,
        (segment.right - segment.left) / page.width, segment.height / height, page.height / page.width / 2,
        min(len(tokens), 20) / 10, min(len(text), 100) / 50, letters / len(text), digits / len(text),
        upper / max(letters, 1), float(text.isupper()), float(text.endswith(":")),
        float(text.rstrip().endswith(".")),
        float(text.endswith(",")), float(":" in text), float(first[:1].isupper()), float(first[:1].islower()),
        float(first[:1].isdigit()), float(last[-1:].isdigit()), float("/" in text), float("(" in text),
        float("-" in text),
        float("," in text), float("|" in text or "·" in text), float("&" in text), float("?" in text),
        float(any(form[1] for form in forms)), max(gaps, default=0.0) / height,
        *shapes.tolist(),
        left_gap / 40, right_gap / 40, near.gap_above / _NEAR, near.gap_below / _NEAR,
        min(len(row.segments), 10) / 10, min(segment.order, 10) / 10, min(left_aligned, 12) / 12,
        min(right_aligned, 12) / 12,
        *(min(abs(edge - rule), _NEAR) / _NEAR for edge, rule in zip((left, right, top, bottom), around,
        strict=True)),
        float(page.ocr), sum(t.score for t in tokens) / len(tokens),
    ]  # fmt: skip


def _neighbours(segment: Segment) -> _Neighbours:
    """Return the nearest segments above and below that overlap ``segment``, itself where there is none."""
    page, height = segment.page, segment.page.line_height
    neighbours = []
    for rows in (
        reversed(page.rows[max(segment.row - 6, 0) : segment.row]),
        page.rows[segment.row + 1 : segment.row + 7],
    ):
        nearest, gap = segment.index, _NEAR
        for row in rows:
            over = [
                s
                for s in row.between(segment.left, segment.right)
                if s.right > segment.left and s.left < segment.right
            ]
            if over:
                other = min(over, key=lambda s: abs(s.left - segment.left))
                gap = max(segment.top - other.bottom, other.top - segment.bottom, 0.0) / height
                nearest = other.index if gap < _NEAR else segment.index
                break
        neighbours.append((nearest, min(gap, _NEAR)))
    (above, gap_above), (below, gap_below) = neighbours
    return _Neighbours(above, below, gap_above, gap_below)


def _aligned(edges: list[float], edge: float, page: PageView) -> int:
    slack = _ALIGNED * page.line_height
    return bisect_right(edges, edge + slack) - bisect_left(edges, edge - slack) - 1


class _Rules:
    """The drawn lines of a page, in line heights; (place, start, end) of each, sorted."""

    def __init__(self, page: PageView) -> None:
        height = page.line_height
        self._far = (0.0, page.width / height, 0.0, page.height / height)
        self._upright: list[tuple[float, float, float]] = []
        self._level: list[tuple[float, float, float]] = []
        for x0, y0, x1, y1 in page.rules:
            if abs(y1 - y0) <= abs(x1 - x0):
                self._level.append(((y0 + y1) / 2 / height, min(x0, x1) / height, max(x0, x1) / height))
            else:
                self._upright.append(((x0 + x1) / 2 / height, min(y0, y1) / height, max(y0, y1) / height))
        self._upright.sort()
        self._level.sort()

    def around(self, segment: Segment) -> tuple[float, float, float, float]:
        """Return the places of the lines left, right, above and below a segment; else the page's edges."""
        height = segment.page.line_height
        x, y = segment.centre / height, segment.middle / height
        left, right = self._between(self._upright, x, y, self._far[:2])
        above, below = self._between(self._level, y, x, self._far[2:])
        return left, right, above, below

    @staticmethod
    def _between(
        lines: list[tuple[float, float, float]], at: float, across: float, far: Any
    ) -> tuple[float, float]:
        where = bisect_left(lines, (at,))
        before = next(
            (p for p, start, end in reversed(lines[max(where - 60, 0) : where]) if start <= across <= end),
            far[0],
        )
        after = next((p for p, start, end in lines[where : where + 60] if start <= across <= end), far[1])
        return before, after
