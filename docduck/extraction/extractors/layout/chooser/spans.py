"""What a run of words on a page is and what is near it, whichever field asks; computed once a document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from docduck.extraction.page.page_view import PageView, Segment, Token, locations, ocr_score, text_of
from docduck.extraction.reading import reading_of
from docduck.extraction.reading.page_reading import KINDS, ROLES
from docduck.extraction.result import Location

Position = tuple[int, float, float]
"""Page, top and left, so that positions sort as people read: by rows."""

_ROW = 0.01
"""Part of a page's height within which places are in one row."""
_REACH = 4.0
"""Line heights above and below within which a segment is a neighbour."""
_FAR = 20.0
"""Line heights to a neighbour that there is not."""

SPAN_FEATURES = (
    *(f"is {kind}" for kind in KINDS),
    *(f"role {role or 'none'}" for role in ROLES),
    *(f"end role {role or 'none'}" for role in ROLES),
    "end is value", "captioned", "headed", "labels others", "segments of row", "order in row", "height",
    "share of segment", "first word", "segments", "ocr", "top", "left", "page", "length", "words", "digits",
    "capitals", "letters", "gap left", "gap above", "gap below", "label left", "label above", "label below",
)  # fmt: skip
NEIGHBOURS = ("left", "second left", "right", "above", "below", "caption", "head", "self")


def position_of(location: Location) -> Position:
    """Return where a value is, so that positions sort as people read: by rows."""
    return location.page, round(location.box.top / _ROW) * _ROW, location.box.left


class Neighbours:
    """The segments of a page that are nearest to each of them, with their distance in line heights."""

    def __init__(self, page: PageView) -> None:
        self._page = page
        some = page.segments
        self._left, self._right = (np.array([getattr(s, edge) for s in some]) for edge in ("left", "right"))
        self._top, self._bottom = (np.array([getattr(s, edge) for s in some]) for edge in ("top", "bottom"))

    def vertical(self, segment: Segment) -> tuple[Segment | None, Segment | None, float, float]:
        """Return the segments above and below that overlap a segment, and how far they are."""
        height = max(segment.height, 1e-6)
        beside = (self._left <= segment.right + 2) & (self._right >= segment.left - 2)
        beside[segment.index] = False
        found: list[Segment | None] = []
        gaps = []
        for distance in (segment.top - self._bottom, self._top - segment.bottom):
            far = np.where(beside & (distance >= -0.4 * height), distance, np.inf)
            nearest = int(far.argmin())
            gap = float(far[nearest]) / height
            found.append(self._page.segments[nearest] if gap < _REACH else None)
            gaps.append(min(gap, _FAR))
        return found[0], found[1], gaps[0], gaps[1]


class Spans:
    """The distinct runs of words that are proposed in a document, with a row of features for each."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self._tokens: list[Sequence[Token]] = []
        self._pages: dict[PageView, Neighbours] = {}
        self._segments: dict[Segment, tuple[list[float], list[Segment | None]]] = {}
        self.places: list[Location] = []
        self.positions: list[Position] = []
        self.texts: list[str] = []

    def number(self, tokens: Sequence[Token]) -> int:
        """Return the number of a run of words, which is its row in ``features``."""
        identity = (id(tokens[0]), id(tokens[-1]))
        if identity not in self._numbers:
            self._numbers[identity] = len(self._tokens)
            self._tokens.append(tokens)
            place = locations(tokens)[0]
            self.places.append(place)
            self.positions.append(position_of(place))
            self.texts.append(text_of(tokens))
        return self._numbers[identity]

    def neighbours(self, number: int) -> list[Segment | None]:
        """Return the segments that are near a run of words, in the order of ``NEIGHBOURS``."""
        return self._of_segment(self._tokens[number][0].segment)[1]

    @cached_property
    def features(self) -> NDArray[np.float32]:
        """A row of ``SPAN_FEATURES`` for each run, made when all are known."""
        rows = [self._row(tokens, text) for tokens, text in zip(self._tokens, self.texts, strict=True)]
        return np.array(rows, np.float32).reshape(len(rows), len(SPAN_FEATURES))

    def _row(self, tokens: Sequence[Token], text: str) -> list[float]:
        first, last = tokens[0].segment, tokens[-1].segment
        reading = reading_of(last.page)
        shared = self._of_segment(first)[0]
        size = max(1, len(text))
        return [
            *shared[: len(KINDS) + len(ROLES)],
            *reading.roles[last.index].tolist(),
            reading.kind(last.index, "value"),
            *shared[len(KINDS) + len(ROLES) : -6],
            len(tokens) / len(first.tokens),
            float(tokens[0].index),
            float(len({id(token.segment) for token in tokens})),
            ocr_score(tokens),
            first.top / first.page.height,
            first.left / first.page.width,
            float(first.page.index),
            float(size),
            float(len(text.split())),
            sum(map(str.isdigit, text)) / size,
            sum(map(str.isupper, text)) / size,
            sum(map(str.isalpha, text)) / size,
            *shared[-6:],
        ]

    def _of_segment(self, segment: Segment) -> tuple[list[float], list[Segment | None]]:
        if segment not in self._segments:
            self._segments[segment] = self._look_at(segment)
        return self._segments[segment]

    def _look_at(self, segment: Segment) -> tuple[list[float], list[Segment | None]]:
        page = segment.page
        reading, row = reading_of(page), page.rows[segment.row].segments
        if page not in self._pages:
            self._pages[page] = Neighbours(page)
        above, below, gap_above, gap_below = self._pages[page].vertical(segment)
        left = row[segment.order - 1] if segment.order else None
        second = row[segment.order - 2] if segment.order > 1 else None
        right = row[segment.order + 1] if segment.order + 1 < len(row) else None
        caption, head = (next(iter(some[segment.index]), None) for some in (reading.captions, reading.heads))
        gap_left = (segment.left - left.right) / max(segment.height, 1e-6) if left else _FAR
        features = [
            *chain(reading.kinds[segment.index].tolist(), reading.roles[segment.index].tolist()),
            caption.probability if caption else 0.0,
            head.probability if head else 0.0,
            float(segment.index in reading.labelled),
            float(len(row)),
            float(segment.order),
            segment.height / page.line_height,
            min(gap_left, _FAR),
            gap_above,
            gap_below,
            reading.kind(left.index, "label", "both") if left else 0.0,
            reading.kind(above.index, "label", "both", "head", "heading") if above else 0.0,
            reading.kind(below.index, "label", "both") if below else 0.0,
        ]
        of_reading = (page.segments[pointer.segment] if pointer else None for pointer in (caption, head))
        return features, [left, second, right, above, below, *of_reading, segment]
