"""How near a value stands to a label: after it on its line, right of it in its row, or below it.

All relations are 0–1; 1 is directly after the label. A label between the two parts them (0).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, takewhile

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch, is_filler
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import PageView, Row, Segment

_REACH_BELOW = 3.4
"""Line heights from a label down to a value that it can still announce."""
_ROWS_BELOW = 60
"""Rows below a label that are looked at; so many are never within its reach."""
_VALUES_BELOW = 100
"""Values of one row below a label that are looked at."""
_BETWEEN, _PHRASE = 0.14, 0.07
"""What each word between a label and its value costs; less in a phrase ("Received by the office 3 May")."""
_WORDS_BETWEEN = 14
"""Words between a label and a value of its segment from which on the value is not the label's."""
_SEGMENT_BETWEEN = 0.14
"""What each segment between a label and its value costs."""
_SEGMENTS_AFTER = 7
"""Segments after a label in which its values are."""
_CELL = 0.15
"""The part of a page's width from which a heading's cell is that of a form, not a column of a table."""
_OFFSET = 1.6
"""Line heights that the edges of a value below a label may be from the label's."""
SERVED = 0.5
"""From this relation on, a label has its value in its own row and does not look below."""


class LabelIndex:
    """The labels of a page by row and segment, to see what parts a value from a label."""

    def __init__(self, page: PageView, occurrences: Sequence[LabelMatch]) -> None:
        self.page = page
        self.by_segment: dict[int, list[LabelMatch]] = defaultdict(list)
        self.by_row: dict[int, list[LabelMatch]] = defaultdict(list)
        for occurrence in occurrences:
            self.by_segment[occurrence.segment.index].append(occurrence)
            self.by_row[occurrence.segment.row].append(occurrence)
        self._parting: dict[int, list[tuple[int, int]]] = {}
        self._trusted: dict[int, tuple[list[float], list[float]]] = {}
        self._words: dict[int, list[int]] = {}

    def label_within(self, segment: Segment, start: int, end: int) -> bool:
        """Whether a trusted label stands among the words ``start`` to ``end`` of ``segment``.

        Small words such as "le" or "am" are labels of a kind, but part nothing.
        """
        labels = self.by_segment.get(segment.index)
        if not labels:
            return False
        if segment.index not in self._parting:
            self._parting[segment.index] = [
                (o.start, o.end) for o in labels if o.trust > 0.6 and not is_filler_label(o)
            ]
        spans = self._parting[segment.index]
        at = bisect_left(spans, (start,))
        return at < len(spans) and spans[at][1] <= end

    def trusted_between(self, row: int, left: float, right: float) -> bool:
        """Whether a trusted label of ``row`` or the rest of its segment is between ``left`` and ``right``."""
        labels = self.by_row.get(row)
        if not labels:
            return False
        if row not in self._trusted:
            some = sorted((o.left, o.segment.right) for o in labels if o.trust > 0.6)
            self._trusted[row] = [one for one, _ in some], list(accumulate((end for _, end in some), max))
        lefts, reaches = self._trusted[row]
        before = bisect_left(lefts, right)
        return before > 0 and reaches[before - 1] > left

    def words(self, segment: Segment, start: int, end: int) -> int:
        """How many words from ``start`` to ``end`` of ``segment`` say something (see ``is_filler``)."""
        if segment.index not in self._words:
            said = (not is_filler(token) for token in segment.tokens)
            self._words[segment.index] = list(accumulate(said, initial=0))
        counts = self._words[segment.index]
        return max(counts[end] - counts[start], 0)

    def cut_off(self, label: LabelMatch, start: int) -> bool:
        """Whether nothing from word ``start`` of a label's segment on can be the label's value."""
        segment = label.segment
        return start > label.end and (
            self.words(segment, label.end, start) > _WORDS_BETWEEN
            or self.label_within(segment, label.end, start)
        )

    @cached_property
    def _leading(self) -> list[float]:
        return sorted(segment.left for segment in self.page.segments if self.begins_with_label(segment))

    def begins_with_label(self, segment: Segment) -> bool:
        """Whether a segment begins with a label that has nothing or a colon after it."""
        return any(
            o.start == 0 and (o.alone or segment.tokens[o.end - 1].text.endswith(":"))
            for o in self.by_segment.get(segment.index, ())[:1]
        )

    def begins_labels(self, left: float) -> bool:
        """Whether two segments or more that begin with a label have their left edge at ``left``."""
        first = bisect_left(self._leading, left - 2.0)
        return len(list(takewhile(lambda edge: edge < left + 2.0, self._leading[first : first + 3]))) > 1


class ValueIndex:
    """The candidates of one kind on a page, by row."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        rows: dict[int, list[tuple[float, int, Candidate]]] = defaultdict(list)
        for order, candidate in enumerate(candidates):
            rows[candidate.segment.row].append((candidate.left, order, candidate))
        self._rows: dict[int, _IndexedRow] = {row: _IndexedRow(some) for row, some in rows.items()}

    def after(self, label: LabelMatch) -> Iterator[tuple[int, Candidate]]:
        """The values of a label's row that may be its own, from left to right, each with its order."""
        row = self._rows.get(label.segment.row)
        if row is not None:
            first = label.segment.order
            for order, value in row.since(label.left):
                if value.segment.order > first + _SEGMENTS_AFTER:
                    break
                yield order, value

    def below(self, label: LabelMatch, page: PageView) -> Iterator[tuple[int, Candidate]]:
        """The values in the rows below a label that may stand under it."""
        slack = _OFFSET * page.line_height + 1.0
        far = max(label.right + slack, _cell_end(page.rows[label.segment.row], label.segment, page))
        near = min(label.left - slack, label.segment.left)
        for index in range(label.segment.row + 1, min(label.segment.row + _ROWS_BELOW, len(page.rows))):
            row = self._rows.get(index)
            if row is not None:
                yield from row.between(near, far)


class _IndexedRow:
    """The values of one row from left to right, and how far each and those before it reach."""

    def __init__(self, values: list[tuple[float, int, Candidate]]) -> None:
        self._values = sorted(values, key=lambda one: one[:2])
        self._lefts = [left for left, _, _ in self._values]
        self._reaches = list(accumulate((one.tokens[-1].right for _, _, one in self._values), max))

    def since(self, left: float) -> Iterator[tuple[int, Candidate]]:
        for _, order, value in self._values[bisect_left(self._lefts, left) :]:
            yield order, value

    def between(self, left: float, right: float) -> Iterator[tuple[int, Candidate]]:
        first = bisect_left(self._reaches, left)
        for at, order, value in self._values[first : first + _VALUES_BELOW]:
            if at > right:
                break
            yield order, value


def is_filler_label(label: LabelMatch) -> bool:
    """Whether a label is only a small word, such as "vom" or "du"."""
    return label.end - label.start == 1 and label.tokens[0].key in word_set("fillers")


def beside(label: LabelMatch, value: Candidate, around: LabelIndex) -> float:
    """The relation of a value to a label that stands before it in the same row."""
    if label.segment is value.segment:
        return _after(label, value, around)
    if label.segment.row != value.segment.row or value.left < label.right:
        return 0.0
    row = around.page.rows[label.segment.row]
    score = 0.96
    count = len(label.segment.tokens)
    if around.label_within(label.segment, label.end, count):
        return 0.0
    score -= 0.12 * around.words(label.segment, label.end, count)
    for segment in row.segments[label.segment.order + 1 : value.segment.order + 1]:
        if segment is value.segment:
            if around.label_within(segment, 0, value.start):
                return 0.0
            score -= 0.1 * around.words(segment, 0, value.start)
        else:
            if around.label_within(segment, 0, len(segment.tokens)):
                return 0.0
            score -= _SEGMENT_BETWEEN
    score -= 0.18 * (value.left - label.right) / around.page.width
    return max(score, 0.0)


def _after(label: LabelMatch, value: Candidate, around: LabelIndex) -> float:
    if value.start < label.end or around.label_within(label.segment, label.end, value.start):
        return 0.0
    between = around.words(label.segment, label.end, value.start)
    leads = value.kind == "date" and label.start == 0
    return max(1.0 - (_PHRASE if leads else _BETWEEN) * between, 0.0)


def below(label: LabelMatch, value: Candidate, around: LabelIndex) -> float:
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
    if overlap <= 0 and offset > _OFFSET * height and not _in_cell(label, value, page):
        return 0.0
    score = 0.86 - 0.05 * max(distance, 0.0) / height - 0.03 * min(offset / height, 4.0)
    if around.label_within(segment, 0, value.start):
        return 0.0
    score -= 0.1 * around.words(segment, 0, value.start)
    for row in range(label.segment.row + 1, segment.row):
        if around.trusted_between(row, value.left, value.right):
            return 0.0
        if page.rows[row].crossed(value.left, value.right):
            score -= 0.16
        if score <= 0.0:
            return 0.0
    if not label.alone:
        score -= 0.12
    return max(score, 0.0)


def _in_cell(label: LabelMatch, value: Candidate, page: PageView) -> bool:
    """Whether a value stands alone in the cell of a form that its label heads, up to the next heading."""
    if not label.alone or label.start > 1:
        return False
    head = label.segment
    end = _cell_end(page.rows[head.row], head, page)
    if not head.left <= value.left < end - page.line_height or end - head.left < _CELL * page.width:
        return False
    line = page.rows[value.segment.row]
    return len([s for s in line.segments if head.left - page.line_height <= s.left < end]) == 1


def _cell_end(row: Row, head: Segment, page: PageView) -> float:
    """Where the cell ends that ``head`` begins: at the next segment of its row, or the page's edge."""
    following = (s.left for s in row.segments[head.order + 1 :] if s.left > head.left)
    return next(following, page.width)


def related_values(
    label: LabelMatch, values: ValueIndex, around: LabelIndex
) -> list[tuple[Candidate, float]]:
    """The relations, above 0, of a label to the values of its page, in the values' order."""
    near: list[tuple[int, Candidate, float]] = []
    for order, value in values.after(label):
        if value.segment is label.segment and around.cut_off(label, value.start):
            break
        score = beside(label, value, around)
        if score > 0.0:
            near.append((order, value, score))
    near.sort(key=lambda one: one[0])
    if not any(score >= SERVED for _, _, score in near):
        under = [
            (order, value, score)
            for order, value in values.below(label, around.page)
            if (score := below(label, value, around)) > 0.0
        ]
        near += sorted(under, key=lambda one: one[0])
    return [(value, score) for _, value, score in near]
