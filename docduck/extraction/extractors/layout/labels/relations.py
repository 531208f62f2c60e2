"""Spatial relations of values to labels: after in the same line, right in the same row, or below.

Relations are 0–1; 1 is directly after the label. A label between the two makes it 0.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import accumulate, takewhile

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch, is_filler
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import PageView, Row, Segment
from docduck.extraction.reading import PageReading, reading_of

_REACH_BELOW = 3.4
"""Maximum vertical distance of a value below its label, in line heights."""
_ROWS_BELOW = 60
"""Rows searched below a label."""
_VALUES_BELOW = 100
"""Values of one row searched below a label."""
_BETWEEN, _PHRASE = 0.14, 0.07
"""Cost of each word between a label and its value, and in a phrase ("Received by the office 3 May")."""
_WORDS_BETWEEN = 14
"""Number of words between a label and a value of its segment from which they are unrelated."""
_SEGMENT_BETWEEN = 0.14
"""Cost of each segment between a label and its value."""
_SEGMENTS_AFTER = 7
"""Segments searched after a label."""
_CELL = 0.15
"""Share of the page's width from which a heading's cell is a form cell, not a table column."""
_OFFSET = 1.6
"""Maximum horizontal offset of a value below a label, in line heights."""
_READ, _LIKELY, _ELSEWHERE = 0.93, 0.5, 0.35
"""Relation of a value whose label the page's reading is sure of, the probability from which it finds one, and
what a relation loses if the value's label is another."""
_LONGER = 0.8
"""Factor for each word of the label's segment that is not of the label."""
_LEAST_TRUST = 0.6
"""Trust of a label from which it parts others from values."""
_SAME_ROW = 0.5
"""Relation from which a value in the label's row excludes values below."""


class LabelIndex:
    """The labels of a page by row and segment, to detect labels between a label and a value.

    ``sums`` are the rows that show a tax or a sum, whatever they are called.
    """

    sums: Set[int] = frozenset()

    def __init__(self, page: PageView, occurrences: Sequence[LabelMatch]) -> None:
        self.page = page
        self.by_segment: dict[int, list[LabelMatch]] = defaultdict(list)
        self.by_row: dict[int, list[LabelMatch]] = defaultdict(list)
        for occurrence in occurrences:
            self.by_segment[occurrence.segment.index].append(occurrence)
            self.by_row[occurrence.segment.row].append(occurrence)
        self._spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for label in occurrences:
            if label.trust > _LEAST_TRUST and not is_filler_label(label):
                self._spans[label.segment.index].append((label.start, label.end))
        self._trusted: dict[int, tuple[list[float], list[float]]] = {}
        self._words: dict[int, list[int]] = {}

    def has_label_within(self, segment: Segment, start: int, end: int) -> bool:
        """Return whether a trusted label is among the tokens ``start`` to ``end`` of ``segment``.

        Small words such as "le" or "am" don't count.
        """
        spans = self._spans.get(segment.index, ())
        at = bisect_left(spans, (start,))
        return at < len(spans) and spans[at][1] <= end

    def has_label_between(self, row: int, left: float, right: float) -> bool:
        """Return whether a trusted label of ``row`` or its text is between ``left`` and ``right``."""
        labels = self.by_row.get(row)
        if not labels:
            return False
        if row not in self._trusted:
            some = sorted((o.left, o.segment.right) for o in labels if o.trust > _LEAST_TRUST)
            self._trusted[row] = [start for start, _ in some], list(accumulate((end for _, end in some), max))
        lefts, reaches = self._trusted[row]
        before = bisect_left(lefts, right)
        return before > 0 and reaches[before - 1] > left

    def content_words(self, segment: Segment, start: int, end: int) -> int:
        """Return the number of tokens from ``start`` to ``end`` of ``segment`` that are no filler."""
        if segment.index not in self._words:
            said = (not is_filler(token) for token in segment.tokens)
            self._words[segment.index] = list(accumulate(said, initial=0))
        counts = self._words[segment.index]
        return max(counts[end] - counts[start], 0)

    def is_cut_off(self, label: LabelMatch, start: int) -> bool:
        """Return whether no token from ``start`` of the label's segment on can be its value."""
        segment = label.segment
        return start > label.end and (
            self.content_words(segment, label.end, start) > _WORDS_BETWEEN
            or self.has_label_within(segment, label.end, start)
        )

    @cached_property
    def _label_edges(self) -> list[float]:
        return sorted(segment.left for segment in self.page.segments if self.begins_with_label(segment))

    def begins_with_label(self, segment: Segment) -> bool:
        """Return whether a segment begins with a label that is followed by nothing or a colon."""
        return any(
            o.start == 0 and (o.alone or segment.tokens[o.end - 1].text.endswith(":"))
            for o in self.by_segment.get(segment.index, ())[:1]
        )

    def is_label_edge(self, left: float) -> bool:
        """Return whether at least two segments that begin with a label have their left edge at ``left``."""
        first = bisect_left(self._label_edges, left - 2.0)
        return len(list(takewhile(lambda edge: edge < left + 2.0, self._label_edges[first : first + 3]))) > 1


class ValueIndex:
    """The candidates of one kind on a page, by row."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        rows: dict[int, list[Candidate]] = defaultdict(list)
        self.of_segment: dict[int, list[Candidate]] = defaultdict(list)
        for candidate in candidates:
            self.of_segment[candidate.segment.index].append(candidate)
            rows[candidate.segment.row].append(candidate)
        self._rows: dict[int, _IndexedRow] = {row: _IndexedRow(some) for row, some in rows.items()}

    def after(self, label: LabelMatch) -> Iterator[Candidate]:
        """Yield the values in a label's row that may belong to it, left to right."""
        row = self._rows.get(label.segment.row)
        last = label.segment.order + _SEGMENTS_AFTER
        if row is not None:
            yield from takewhile(lambda value: value.segment.order <= last, row.since(label.left))

    def below(self, label: LabelMatch, page: PageView) -> Iterator[Candidate]:
        """Yield the values in the rows below a label that may belong to it."""
        slack = _OFFSET * page.line_height + 1.0
        right_limit = max(label.right + slack, _cell_end(page.rows[label.segment.row], label.segment, page))
        left_limit = min(label.left - slack, label.segment.left)
        for index in range(label.segment.row + 1, min(label.segment.row + _ROWS_BELOW, len(page.rows))):
            row = self._rows.get(index)
            if row is not None:
                yield from row.between(left_limit, right_limit)


class _IndexedRow:
    """The values of one row, left to right, with the running maximum of their right edges."""

    def __init__(self, values: Sequence[Candidate]) -> None:
        self._values = sorted(values, key=lambda value: value.left)
        self._lefts = [value.left for value in self._values]
        self._reaches = list(accumulate((value.right for value in self._values), max))

    def since(self, left: float) -> Sequence[Candidate]:
        return self._values[bisect_left(self._lefts, left) :]

    def between(self, left: float, right: float) -> Iterator[Candidate]:
        first = bisect_left(self._reaches, left)
        return takewhile(lambda value: value.left <= right, self._values[first : first + _VALUES_BELOW])


def is_filler_label(label: LabelMatch) -> bool:
    """Return whether a label is a single small word, such as "vom" or "du"."""
    return label.end - label.start == 1 and label.tokens[0].key in word_set("fillers")


def beside(label: LabelMatch, value: Candidate, label_index: LabelIndex) -> float:
    """Return the relation of a value to a label before it in the same row."""
    if label.segment is value.segment:
        return _after(label, value, label_index)
    if label.segment.row != value.segment.row or value.left < label.right:
        return 0.0
    row = label_index.page.rows[label.segment.row]
    score = 0.96
    count = len(label.segment.tokens)
    if label_index.has_label_within(label.segment, label.end, count):
        return 0.0
    score -= 0.12 * label_index.content_words(label.segment, label.end, count)
    for segment in row.segments[label.segment.order + 1 : value.segment.order + 1]:
        if segment is value.segment:
            if label_index.has_label_within(segment, 0, value.start):
                return 0.0
            score -= 0.1 * label_index.content_words(segment, 0, value.start)
        else:
            if label_index.has_label_within(segment, 0, len(segment.tokens)):
                return 0.0
            score -= _SEGMENT_BETWEEN
    score -= 0.18 * (value.left - label.right) / label_index.page.width
    return max(score, 0.0)


def _after(label: LabelMatch, value: Candidate, label_index: LabelIndex) -> float:
    if value.start < label.end or label_index.has_label_within(label.segment, label.end, value.start):
        return 0.0
    between = label_index.content_words(label.segment, label.end, value.start)
    is_phrase = value.kind == "date" and label.start == 0
    return max(1.0 - (_PHRASE if is_phrase else _BETWEEN) * between, 0.0)


def below(label: LabelMatch, value: Candidate, label_index: LabelIndex) -> float:
    """Return the relation of a value to a label above it."""
    page = label_index.page
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
    if label_index.has_label_within(segment, 0, value.start):
        return 0.0
    score -= 0.1 * label_index.content_words(segment, 0, value.start)
    for row in range(label.segment.row + 1, segment.row):
        if label_index.has_label_between(row, value.left, value.right):
            return 0.0
        if page.rows[row].crossed(value.left, value.right):
            score -= 0.16
        if score <= 0.0:
            return 0.0
    if not label.alone:
        score -= 0.12
    return max(score, 0.0)


def _in_cell(label: LabelMatch, value: Candidate, page: PageView) -> bool:
    """Return whether a value is alone in the form cell that its label heads."""
    if not label.alone or label.start > 1:
        return False
    heading = label.segment
    end = _cell_end(page.rows[heading.row], heading, page)
    if not heading.left <= value.left < end - page.line_height or end - heading.left < _CELL * page.width:
        return False
    line = page.rows[value.segment.row]
    return len([s for s in line.segments if heading.left - page.line_height <= s.left < end]) == 1


def _cell_end(row: Row, heading: Segment, page: PageView) -> float:
    """Return the right edge of the heading's cell: the next segment of its row, or the page's edge."""
    following = (s.left for s in row.segments[heading.order + 1 :] if s.left > heading.left)
    return next(following, page.width)


def related_values(
    label: LabelMatch, values: ValueIndex, label_index: LabelIndex
) -> list[tuple[Candidate, float]]:
    """Return the values related to a label with their relation, in reading order."""
    after = takewhile(
        lambda value: value.segment is not label.segment or not label_index.is_cut_off(label, value.start),
        values.after(label),
    )
    related = _scored(after, lambda value: beside(label, value, label_index))
    if not any(score >= _SAME_ROW for _, score in related):
        under = values.below(label, label_index.page)
        related += _scored(under, lambda value: below(label, value, label_index))
    return _as_read(label, related, values, reading_of(label_index.page))


def _scored(
    values: Iterable[Candidate], relation: Callable[[Candidate], float]
) -> list[tuple[Candidate, float]]:
    scored = [(value, score) for value in values if (score := relation(value)) > 0.0]
    return sorted(scored, key=lambda entry: (entry[0].segment.index, entry[0].start))


def _as_read(
    label: LabelMatch, scored: Sequence[tuple[Candidate, float]], values: ValueIndex, reading: PageReading
) -> list[tuple[Candidate, float]]:
    """Return the values of a label with their relations, raised and lowered by the reading of the page."""
    own = label.segment.index
    related = []
    unnamed = sum(bool(token.key) and not is_filler(token) for token in label.segment.tokens[label.end :])
    for value, score in scored:
        if value.segment is not label.segment:
            here = reading.caption(value.segment.index, own)
            others = sum(caption.probability for caption in reading.captions[value.segment.index]) - here
            score = max(score * (1.0 - _ELSEWHERE * others), here * _READ * _LONGER**unnamed)
        related.append((value, score))
    if label.alone and label.start <= 1:
        known = {value for value, _ in scored}
        for pointer in reading.labelled.get(own, ()):
            if pointer.probability >= _LIKELY:
                candidates = (v for v in values.of_segment.get(pointer.segment, ()) if v not in known)
                related += [(value, pointer.probability * _READ) for value in candidates]
    return related
