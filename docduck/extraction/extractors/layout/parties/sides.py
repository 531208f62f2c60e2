"""Whose block a segment is in, by the labels, names and addresses above it."""

from __future__ import annotations

from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.lexicon import scalar_concepts
from docduck.extraction.page.page_view import Segment
from docduck.extraction.reading import PageReading, reading_of
from docduck.extraction.reading.page_reading import ROLES

SIDES = {"sender": "seller", "addressee": "buyer", "third": "delivery"}
"""The lexicon's sides of the parties that a page's reading tells apart."""
_REACH = 12.0
"""Line heights above a segment in which its party's label, name or address is looked for."""
_LIKELY = 0.5


def side_of(segment: Segment, label_index: LabelIndex) -> str | None:
    """Return the side of the nearest label of a party above in the segment's column.

    Without one, that of the nearest name or address above, or in the same line.
    """
    page = segment.page
    labelled: tuple[float, str] | None = None
    named: tuple[float, str] | None = None
    reading = reading_of(page)
    for other in page.segments:
        distance = (segment.top - other.top) / page.line_height
        if not -0.5 < distance < _REACH or other.left > segment.right or other.right < segment.left:
            continue
        side = _labelled_side(other, label_index) if distance > 0.5 else None
        if side and (labelled is None or distance < labelled[0]):
            labelled = (distance, side)
        side = _named_side(other, reading)
        if side and (named is None or distance < named[0]):
            named = (distance, side)
    nearest = labelled or named
    return nearest[1] if nearest else None


def _labelled_side(segment: Segment, label_index: LabelIndex) -> str | None:
    concepts = scalar_concepts()
    for label in label_index.by_segment.get(segment.index, ()):
        sides = {
            concepts[name].side for name in label.concepts if concepts[name].kind in ("party", "address")
        }
        if label.alone and label.start == 0 and len(sides) == 1:
            return sides.pop()
    return None


def _named_side(segment: Segment, reading: PageReading) -> str | None:
    role = int(reading.roles[segment.index].argmax())
    likely = role and reading.roles[segment.index, role] >= _LIKELY
    return SIDES.get(ROLES[role].split()[0]) if likely else None
