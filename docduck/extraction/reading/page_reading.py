"""Read a page with the network: each segment's kind, role and label, with probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from docduck.extraction.page.page_view import PageView
from docduck.extraction.reading import network
from docduck.extraction.reading.features import Segments, page_features

KINDS = ("label", "value", "both", "heading", "prose", "head", "cell", "option", "furniture")
"""What a segment can be. ``both`` is a label and its value; ``head`` and ``cell`` are parts of tables."""
ROLES = (
    "", "sender name", "sender address", "addressee name", "addressee address", "third name", "third address",
    "sender line",
)  # fmt: skip
"""Whose name or address a segment shows; a ``sender line`` has both in one line."""
_WINDOW, _OVERLAP = 256, 64
"""Segments that are read together, and how many of them the next ones share."""
_LEAST, _POINTERS = 0.03, 4
"""Probability and number up to which other segments are remembered as labels and heads."""
_SURE_LABEL = 0.97
"""Probability from which a segment is a label, whatever its words are."""
_LABELS = [KINDS.index(kind) for kind in ("label", "both", "heading", "head")]
"""Kinds that can label other segments."""
_WEIGHTS = Path(__file__).parent / "weights.npz"


class Pointer(NamedTuple):
    """Another segment of the page, with the probability that it is meant."""

    segment: int
    probability: float


@dataclass(frozen=True)
class PageReading:
    """Probabilities of one page, by the index of the segment.

    ``kinds`` and ``roles`` follow ``KINDS`` and ``ROLES``. ``captions`` are the likely labels of each segment
    with their probability, likely ones first, ``heads`` the segments that head its column.
    """

    kinds: NDArray[np.float32]
    roles: NDArray[np.float32]
    captions: Sequence[Sequence[Pointer]]
    heads: Sequence[Sequence[Pointer]]

    def kind(self, index: int, *names: str) -> float:
        """Return the probability that a segment is of one of the kinds ``names``."""
        return float(sum(self.kinds[index, KINDS.index(name)] for name in names))

    def is_label(self, index: int) -> bool:
        """Return whether a segment is surely a label, whatever its words are."""
        return self.kind(index, "label") >= _SURE_LABEL

    def role(self, index: int, name: str) -> float:
        """Return the probability that a segment shows the party's part ``name``."""
        return float(self.roles[index, ROLES.index(name)])

    def caption(self, index: int, label: int) -> float:
        """Return the probability that the segment ``label`` is the label of ``index``."""
        return next(
            (caption.probability for caption in self.captions[index] if caption.segment == label), 0.0
        )

    @cached_property
    def labelled(self) -> dict[int, list[Pointer]]:
        """The segments that each segment is likely the label of, in their order."""
        pointers: dict[int, list[Pointer]] = {}
        for index, some in enumerate(self.captions):
            for pointer in some:
                pointers.setdefault(pointer.segment, []).append(Pointer(index, pointer.probability))
        return pointers


_readings: WeakKeyDictionary[PageView, PageReading] = WeakKeyDictionary()


def reading_of(page: PageView) -> PageReading:
    """Return the reading of a page, made once for as long as its view is in use.

    Pages in the middle of long documents are not read: their reading says nothing.
    """
    reading = _readings.get(page)
    if reading is None:
        reading = _readings[page] = read_page(page) if page.is_outer else _unread(len(page.segments))
    return reading


def _unread(count: int) -> PageReading:
    kinds, roles = np.zeros((count, len(KINDS)), np.float32), np.zeros((count, len(ROLES)), np.float32)
    return PageReading(kinds, roles, [[]] * count, [[]] * count)


def read_page(page: PageView) -> PageReading:
    """Return the reading of a page; a long one is read in windows that overlap."""
    count = len(page.segments)
    kinds, roles = np.zeros((count, len(KINDS)), np.float32), np.zeros((count, len(ROLES)), np.float32)
    captions: list[list[Pointer]] = []
    heads: list[list[Pointer]] = []
    features = page_features(page)
    for start in range(0, count, _WINDOW - _OVERLAP):
        end = min(start + _WINDOW, count)
        arrays = _read(features.part(start, end))
        skipped = len(captions) - start
        kinds[start + skipped : end], roles[start + skipped : end] = arrays[0][skipped:], arrays[1][skipped:]
        labels = arrays[0][:, _LABELS].sum(axis=1)
        captions += _pointers(arrays[2][skipped:, :-1] * labels, start)
        heads += _pointers(arrays[3][skipped:, :-1], start)
        if end == count:
            break
        del captions[end - _OVERLAP // 2 :], heads[end - _OVERLAP // 2 :]
    return PageReading(kinds, roles, captions, heads)


def _pointers(probabilities: NDArray[np.float32], start: int) -> list[list[Pointer]]:
    """Return the likely pointers of each row, likely ones first; the first column is segment ``start``."""
    by_row: list[list[Pointer]] = [[] for _ in probabilities]
    rows, columns = np.nonzero(probabilities > _LEAST)
    likely = np.round(probabilities[rows, columns].astype(float), 2)
    for row, column, probability in zip(rows.tolist(), columns.tolist(), likely.tolist(), strict=True):
        by_row[row].append(Pointer(start + column, probability))
    return [sorted(pointers, key=lambda pointer: -pointer.probability)[:_POINTERS] for pointers in by_row]


def _read(segments: Segments) -> list[NDArray[np.float32]]:
    mask = np.ones(len(segments.hashes), np.float32)
    scores = network.run(np, _weights(), segments.hashes, segments.numbers, segments.places, mask)
    return [_probabilities(score) for score in scores]


def _probabilities(scores: Any) -> NDArray[np.float32]:
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    probabilities: NDArray[np.float32] = (odds / odds.sum(axis=-1, keepdims=True)).astype(np.float32)
    return probabilities


@cache
def _weights() -> dict[str, NDArray[np.float32]]:
    with np.load(_WEIGHTS) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files}
