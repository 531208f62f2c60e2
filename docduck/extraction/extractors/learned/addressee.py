"""The segments of a page that show whom it is addressed to: documents of many senders have them in common."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from docduck.extraction.extractors.layout.parties.letterhead import recipient_block
from docduck.extraction.extractors.layout.parties.text_blocks import find_text_blocks
from docduck.extraction.page.page_view import PageView, Segment
from docduck.extraction.reading import reading_of

_ROLES = ("addressee name", "addressee address")
_LIKELY = 0.5

_found: WeakKeyDictionary[PageView, frozenset[int]] = WeakKeyDictionary()


def is_addressee(segment: Segment) -> bool:
    """Return whether a segment shows the addressee's name or address."""
    page = segment.page
    if page not in _found:
        _found[page] = frozenset(_segments(page))
    return segment.index in _found[page]


def is_label(segment: Segment) -> bool:
    """Return whether a segment is a label by its colon or the page's reading."""
    return segment.text.endswith(":") or reading_of(segment.page).is_label(segment.index)


def _segments(page: PageView) -> set[int]:
    """Return the indexes of the addressee's segments: by the page's reading, and the block in the window."""
    reading = reading_of(page)
    indexes = {
        segment.index
        for segment in page.segments
        if sum(reading.role(segment.index, role) for role in _ROLES) >= _LIKELY
    }
    block = recipient_block(page, find_text_blocks(page), is_label)
    return indexes if block is None else indexes | {segment.index for segment in block.segments}
