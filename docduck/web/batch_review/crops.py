"""Crops: parts of pages around values, cut out of the pages' pictures by the script of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docduck.documents.document import Box

WIDTH = 800
"""Of the pictures that crops are cut from, in pixels."""

_LEFT, _RIGHT, _ABOVE, _BELOW = 0.22, 0.08, 0.025, 0.012
"""How much of the page is shown around a value: labels are to the left of it, or above."""
_LEAST_WIDTH, _LEAST_HEIGHT = 0.42, 0.055


@dataclass(frozen=True, slots=True)
class Crop:
    """A part of a page, and where the value is in it: ``left,top,width,height`` in fractions of the page and
    of the part.
    """

    picture: str
    part: str
    mark: str


def crop_of(document_id: str, places: Sequence[Mapping[str, Any]]) -> Crop | None:
    """Return the crop of a value by its ``locations`` in ``field_metadata``; None if it has none."""
    if not places:
        return None
    page = places[0]["page"]
    box = Box.around(Box(**place["bbox"]) for place in places if place["page"] == page)
    left, width = _within(box.left - _LEFT, box.right + _RIGHT, _LEAST_WIDTH)
    top, height = _within(box.top - _ABOVE, box.bottom + _BELOW, _LEAST_HEIGHT)
    mark = ((box.left - left) / width, (box.top - top) / height, box.width / width, box.height / height)
    picture = f"/documents/{document_id}/pages/{page}/picture?width={WIDTH}"
    return Crop(picture, _text((left, top, width, height)), _text(mark))


def _within(begin: float, end: float, least: float) -> tuple[float, float]:
    """Return begin and length of the part of a range that is on the page, not less than ``least``."""
    first = min(max(begin, 0.0), 1 - least)
    return first, min(max(end, first + least), 1.0) - first


def _text(edges: Sequence[float]) -> str:
    return ",".join(f"{edge:.5f}" for edge in edges)
