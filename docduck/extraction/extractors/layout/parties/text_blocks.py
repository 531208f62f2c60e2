"""Blocks: lines that stand together in one column, as an address does."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from docduck.extraction.page.page_view import PageView, Segment
from docduck.extraction.values.addresses import Town, find_town

_GAP = 0.85
"""Blank space, in line heights, that ends a block."""
_WIDE, _FLUSH = 1.15, 0.15
"""The same where left edges are one, and how far these may differ then."""
_SHIFT = 0.9
"""How far, in line heights, left edges of one block may differ."""


@dataclass
class TextBlock:
    """Segments under one another with one left edge."""

    segments: list[Segment]

    @property
    def first(self) -> Segment:
        return self.segments[0]

    @property
    def left(self) -> float:
        return min(s.left for s in self.segments)

    @property
    def right(self) -> float:
        return max(s.right for s in self.segments)

    @property
    def top(self) -> float:
        return self.segments[0].top

    @property
    def bottom(self) -> float:
        return self.segments[-1].bottom

    @property
    def page(self) -> PageView:
        return self.segments[0].page

    @cached_property
    def town(self) -> tuple[int, Town] | None:
        """The index of the segment that names postal code and town, and what it names."""
        for index, segment in enumerate(self.segments):
            found = find_town(segment.text)
            if found is not None and len(segment.text) < 70:
                return index, found
        return None


def find_text_blocks(page: PageView) -> list[TextBlock]:
    """All blocks of a page, by their first line."""
    open_: list[int] = []
    done: list[TextBlock] = []
    height = page.line_height
    for row in page.rows:
        nearby: dict[int, list[int]] = defaultdict(list)
        for at in open_:
            nearby[_place(done[at].segments[-1], height)].append(at)
        for segment in row.segments:
            here = _place(segment, height)
            for at in sorted(at for place in (here - 1, here, here + 1) for at in nearby.get(place, ())):
                last = done[at].segments[-1]
                size = max(last.height, segment.height)
                flush = abs(last.left - segment.left) < _FLUSH * height
                if (
                    abs(last.left - segment.left) < _SHIFT * height
                    and -0.5 * height < segment.top - last.bottom < (_WIDE if flush else _GAP) * height
                    and size < 1.5 * min(last.height, segment.height)
                ):
                    done[at].segments.append(segment)
                    break
            else:
                open_.append(len(done))
                nearby[here].append(len(done))
                done.append(TextBlock([segment]))
        open_ = [at for at in open_ if row.top - done[at].segments[-1].bottom < 2 * height]
    return done


def _place(segment: Segment, height: float) -> int:
    """Where a segment begins, in steps so wide that left edges of one block are in neighbouring ones."""
    return int(segment.left / (_SHIFT * height))
