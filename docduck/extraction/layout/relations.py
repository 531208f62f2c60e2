"""How near a value stands to a label: after it on its line, right of it in its row, or below it.

All relations are 0–1; 1 is directly after the label. A label between the two parts them (0).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from docduck.extraction.layout.candidates import Candidate
from docduck.extraction.layout.labels import Occurrence, ignorable
from docduck.extraction.lexicon import word_set
from docduck.extraction.view import PageView, Segment

_REACH_BELOW = 3.4
"""Line heights from a label down to a value that it can still announce."""
_BETWEEN, _PHRASE = 0.14, 0.07
"""What each word between a label and its value costs; less in a phrase ("Received by the office 3 May")."""
_CELL = 0.15
"""The part of a page's width from which a heading's cell is that of a form, not a column of a table."""
SERVED = 0.5
"""From this relation on, a label has its value in its own row and does not look below."""


class Surroundings:
    """The labels of a page by row and segment, to see what parts a value from a label."""

    def __init__(self, page: PageView, occurrences: Sequence[Occurrence]) -> None:
        self.page = page
        self.by_segment: dict[int, list[Occurrence]] = defaultdict(list)
        self.by_row: dict[int, list[Occurrence]] = defaultdict(list)
        for occurrence in occurrences:
            self.by_segment[occurrence.segment.index].append(occurrence)
            self.by_row[occurrence.segment.row].append(occurrence)

    def label_within(self, segment: Segment, start: int, end: int) -> bool:
        """Whether a trusted label stands among the words ``start`` to ``end`` of ``segment``.

        Small words such as "le" or "am" are labels of a kind, but part nothing.
        """
        return any(
            start <= o.start and o.end <= end and o.trust > 0.6 and not small(o)
            for o in self.by_segment.get(segment.index, ())
        )


def small(label: Occurrence) -> bool:
    """Whether a label is only a small word, such as "vom" or "du"."""
    return label.end - label.start == 1 and label.tokens[0].key in word_set("fillers")


def beside(label: Occurrence, value: Candidate, around: Surroundings) -> float:
    """The relation of a value to a label that stands before it in the same row."""
    if label.segment is value.segment:
        return _after(label, value, around)
    if label.segment.row != value.segment.row or value.left < label.right:
        return 0.0
    row = around.page.rows[label.segment.row]
    score = 0.96
    rest = label.segment.tokens[label.end :]
    if around.label_within(label.segment, label.end, len(label.segment.tokens)):
        return 0.0
    score -= 0.12 * sum(not ignorable(token) for token in rest)
    for segment in row.segments:
        if segment.left <= label.segment.left or segment.left > value.segment.left:
            continue
        if segment is value.segment:
            if around.label_within(segment, 0, value.start):
                return 0.0
            score -= 0.1 * sum(not ignorable(token) for token in segment.tokens[: value.start])
        else:
            if around.label_within(segment, 0, len(segment.tokens)):
                return 0.0
            score -= 0.14
    score -= 0.18 * (value.left - label.right) / around.page.width
    return max(score, 0.0)


def _after(label: Occurrence, value: Candidate, around: Surroundings) -> float:
    if value.start < label.end or around.label_within(label.segment, label.end, value.start):
        return 0.0
    between = sum(not ignorable(token) for token in label.segment.tokens[label.end : value.start])
    leads = value.kind == "date" and label.start == 0
    return max(1.0 - (_PHRASE if leads else _BETWEEN) * between, 0.0)


def below(label: Occurrence, value: Candidate, around: Surroundings) -> float:
    """The relation of a value to a label that stands above it."""
    page = around.page
    segment = value.segment
    if segment.row <= label.segment.row:
        return 0.0
    distance = segment.top - label.segment.bottom
    height = page.line_height
    if distance > _REACH_BELOW * height:
        return 0.0
    overlap = min(label.right, value.right) - max(label.left, value.left)
    offset = min(abs(label.left - value.left), abs(label.right - value.right))
    if overlap <= 0 and offset > 1.6 * height and not _in_cell(label, value, page):
        return 0.0
    score = 0.86 - 0.05 * max(distance, 0.0) / height - 0.03 * min(offset / height, 4.0)
    if around.label_within(segment, 0, value.start):
        return 0.0
    score -= 0.1 * sum(not ignorable(token) for token in segment.tokens[: value.start])
    for row in range(label.segment.row + 1, segment.row + 1):
        for other in around.by_row.get(row, ()):
            if (
                other.trust > 0.6
                and other.left < value.right
                and value.left < other.segment.right
                and row < segment.row
            ):
                return 0.0
        if row < segment.row and any(
            s.left < value.right and value.left < s.right for s in page.rows[row].segments
        ):
            score -= 0.16
    if not label.alone:
        score -= 0.12
    return max(score, 0.0)


def _in_cell(label: Occurrence, value: Candidate, page: PageView) -> bool:
    """Whether a value stands alone in the cell of a form that its label heads, up to the next heading."""
    if not label.alone or label.start > 1:
        return False
    row, head = page.rows[label.segment.row], label.segment
    end = min((s.left for s in row.segments if s.left > head.left), default=page.width)
    if not head.left <= value.left < end - page.line_height or end - head.left < _CELL * page.width:
        return False
    line = page.rows[value.segment.row]
    return len([s for s in line.segments if head.left - page.line_height <= s.left < end]) == 1


def relate(
    label: Occurrence, values: Sequence[Candidate], around: Surroundings
) -> list[tuple[Candidate, float]]:
    """The relations, above 0, of a label to the values of its page."""
    near: list[tuple[Candidate, float]] = []
    for value in values:
        if value.segment.row == label.segment.row:
            score = beside(label, value, around)
            if score > 0.0:
                near.append((value, score))
    if any(score >= SERVED for _, score in near):
        return near
    for value in values:
        if value.segment.row > label.segment.row:
            score = below(label, value, around)
            if score > 0.0:
                near.append((value, score))
    return near
