"""Text blocks: lines close together in one column, such as an address."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from docduck.extraction.page.page_view import PageView, Segment
from docduck.extraction.values.addresses import Town, find_town

_GAP = 0.85
"""Gap, in line heights, that ends a block."""
_WIDE, _FLUSH = 1.15, 0.15
"""Gap that ends a block of flush left lines, and the tolerance of flush left edges."""
_SHIFT = 0.9
"""Tolerance of left edges within a block, in line heights."""


@dataclass
class TextBlock:
    """Segments below each other with a common left edge."""

    segments: list[Segment]

    @property
    def first(self) -> Segment:
        return self.segments[0]

    @property
    def top(self) -> float:
        return self.segments[0].top

    @property
    def page(self) -> PageView:
        return self.segments[0].page

    @cached_property
    def town(self) -> tuple[int, Town] | None:
        """The index of the segment that holds postal code and town, and the town."""
        for index, segment in enumerate(self.segments):
            town = find_town(segment.text)
            if town is not None and len(segment.text) < 70:
                return index, town
        return None


def find_text_blocks(page: PageView) -> list[TextBlock]:
    """Return all blocks of a page, ordered by their first line."""
    open_blocks: list[int] = []
    blocks: list[TextBlock] = []
    height = page.line_height
    for row in page.rows:
        nearby: dict[int, list[int]] = defaultdict(list)
        for at in open_blocks:
            nearby[_bucket(blocks[at].segments[-1], height)].append(at)
        for segment in row.segments:
            bucket = _bucket(segment, height)
            for at in sorted(at for near in (bucket - 1, bucket, bucket + 1) for at in nearby.get(near, ())):
                last = blocks[at].segments[-1]
                size = max(last.height, segment.height)
                flush = abs(last.left - segment.left) < _FLUSH * height
                if (
                    abs(last.left - segment.left) < _SHIFT * height
                    and -0.5 * height < segment.top - last.bottom < (_WIDE if flush else _GAP) * height
                    and size < 1.5 * min(last.height, segment.height)
                ):
                    blocks[at].segments.append(segment)
                    break
            else:
                open_blocks.append(len(blocks))
                nearby[bucket].append(len(blocks))
                blocks.append(TextBlock([segment]))
        open_blocks = [at for at in open_blocks if row.top - blocks[at].segments[-1].bottom < 2 * height]
    return blocks


def _bucket(segment: Segment, height: float) -> int:
    """Return the bucket of a left edge; the edges of a block lie in the same or adjacent buckets."""
    return int(segment.left / (_SHIFT * height))
