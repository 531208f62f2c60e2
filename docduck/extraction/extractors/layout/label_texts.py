"""Free text beside or below a label: the rest of its line, or the next line in its column.

Forms print a question above or left of its answer, and may number it ("1. Name of tenant"). Another label at
one of these positions is not an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.names import without_registration
from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch
from docduck.extraction.extractors.layout.labels.questions import questions
from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.extractors.layout.token_text import text_of
from docduck.extraction.fields.announcements import is_role
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import word_set
from docduck.extraction.page.page_view import Segment, Token
from docduck.extraction.reading import PageReading, reading_of

_BESIDE, _INLINE, _COLON = 0.9, 0.7, 0.95
_BELOW, _TIGHT, _LISTED, _INSIDE = 0.78, 0.86, 0.55, 0.7
"""Scores of text below its label: in general, close with the same left edge, where labels are listed left of
their values, and elsewhere in the label's form cell."""
_FREE_GAP = 0.06
"""Horizontal distance, as a share of the page's width, that costs no score."""
_STAMP_HEIGHT = 1.8
"""Multiple of a label's height from which OCR text beside it is a stamp or signature."""
_ENUMERATOR = re.compile(r"\(?(?:\d{1,2}|[a-zA-Z])\s?[.)](?=\s|$)")
_READ, _LIKELY, _ELSEWHERE = 0.93, 0.5, 0.35
"""Score of a text whose label the page's reading is sure of, the probability from which it adds one, and what
a text loses whose label is another, or which is one."""
_WHOLE, _LONGER = 0.7, 0.8
"""Probability of a label from which all words of its segment are part of it, and the factor for each of them
that the field doesn't name."""
_LEAST_BOTH = 0.15
"""Probability from which a label and its value can share a segment."""
_MOST_LINES = 6
_MAX_LABEL_WORDS = 5
Accept = Callable[[str], bool]


@dataclass(slots=True)
class LabelText:
    """The text that belongs to a label, with a score 0–1."""

    tokens: Sequence[Token]
    score: float
    label: LabelMatch

    @property
    def text(self) -> str:
        return text_of(self.tokens).strip(" :–-|_")


def texts_of_label(label: LabelMatch, label_index: LabelIndex, name: bool = False) -> list[LabelText]:
    """Return the texts that may belong to ``label``, best first: after it, right of it, below it.

    With ``name``, a name is expected: a "Name:" before it is not part of the value.
    """
    segment = label.segment
    rest, colon = label.following, label.has_colon
    found: list[LabelText] = []
    if rest and not colon and _is_label(segment, rest):
        rest = []
    if rest and not colon and (label.start or rest[0].text[:1].islower()) and not _is_both(segment):
        return []
    if rest and _is_numbered_item(text_of(rest)):
        rest = []
    if rest:
        later = [
            o.start for o in label_index.by_segment[segment.index] if o.start >= label.end and o.trust >= 1.0
        ]
        stop = min((s for s in later if segment.tokens[s - 1].text.endswith((",", ";", "|"))), default=None)
        rest = [token for token in rest if stop is None or token.index < stop]
        rest = until_label(rest, label_index)
        if name and rest and _name_label(rest):
            return _after_name_label(rest, label, label_index)
        within_name = name and not segment.row and label.form in word_set("issuing", "meanings")
        if rest and (colon or not (_continues_sentence(rest) or within_name)):
            found.append(LabelText(rest, _COLON if colon else _INLINE, label))
        return found
    right = right_neighbour(segment)
    if right is not None and label_index.page.ocr and right.height > _STAMP_HEIGHT * segment.height:
        right = None
    if right is not None and name and _name_label(right.tokens):
        return _after_name_label(right.tokens, label, label_index)
    if right is not None and not is_label_like(words := until_label(right.tokens, label_index), label_index):
        gap = (right.left - segment.right) / label_index.page.width
        score = _BESIDE + (0.05 if colon else 0.0) - (0.5 if colon else 0.8) * max(gap - _FREE_GAP, 0.0)
        found.append(LabelText(words, score, label))
    below_segment = segment_below(segment, label.left, label.right, label_index.page.line_height)
    if below_segment is not None and not segment.text.startswith("§"):
        if name and _name_label(below_segment.tokens):
            found += _after_name_label(below_segment.tokens, label, label_index)
        elif not label_index.begins_with_label(below_segment) and not _is_numbered_item(below_segment.text):
            found.append(
                LabelText(
                    until_label(below_segment.tokens, label_index),
                    _score_below(segment, below_segment, right, colon),
                    label,
                )
            )
        elif (
            _is_numbered_item(below_segment.text)
            and (in_cell := _text_in_cell(segment, below_segment)) is not None
        ):
            found.append(LabelText(until_label(in_cell.tokens, label_index), _INSIDE, label))
    found = _as_read(label, [s for s in found if s.tokens], reading_of(label_index.page), name)
    if not rest and label.following:
        for one in found:
            one.score *= _LONGER ** sum(bool(token.key) for token in label.following)
    return sorted(found, key=lambda s: -s.score)


def _is_label(segment: Segment, rest: Sequence[Token]) -> bool:
    """Return whether the words after a label are part of it, by the reading of the page."""
    if any(token.text[:1].isdigit() for token in rest):
        return False
    return reading_of(segment.page).kind(segment.index, "label", "head") >= _WHOLE


def _is_both(segment: Segment) -> bool:
    """Return whether a segment can be a label and its value, by the reading of the page."""
    reading = reading_of(segment.page)
    is_read = reading.kinds[segment.index].sum() > 0
    return not is_read or reading.kind(segment.index, "label", "both", "prose", "furniture") >= _LEAST_BOTH


def _as_read(label: LabelMatch, found: list[LabelText], reading: PageReading, name: bool) -> list[LabelText]:
    """Return texts beside and below a label as the page's reading sees them, and the one that it adds."""
    own = label.segment.index
    for one in found:
        index = one.tokens[0].segment.index
        here = reading.caption(index, own)
        others = sum(other.probability for other in reading.captions[index]) - here
        one.score = max(one.score * (1.0 - _ELSEWHERE * others), here * _READ)
    lines = [
        one
        for one in reading.labelled.get(own, ())
        if one.probability >= _LIKELY and reading.kind(one.segment, "label") < _WHOLE
    ]
    is_whole = label.alone or reading.kind(own, "label", "head") >= _WHOLE
    if not lines or not is_whole or label.start > 1:
        return found
    segments = [label.segment.page.segments[one.segment] for one in lines]
    count = 1 if name else _lines_of_value(segments)
    tokens = [token for segment in segments[:count] for token in segment.tokens]
    if name and _name_label(tokens):
        return found
    score = min(one.probability for one in lines[:count]) * _READ
    same = [one for one in found if one.tokens[0] is tokens[0]]
    if same and len(same[0].tokens) >= len(tokens):
        return found
    return [
        *(one for one in found if one not in same),
        LabelText(tokens, max(score, *(s.score for s in same), 0.0), label),
    ]


def _lines_of_value(segments: Sequence[Segment]) -> int:
    """Return how many of the segments are lines of one value: left-aligned and close below each other."""
    count = 1
    for above, line in pairwise(segments[:_MOST_LINES]):
        close = -0.3 * above.height < line.top - above.bottom < above.height
        if not close or abs(line.left - above.left) > 0.5 * above.height:
            break
        count += 1
    return count


def _text_in_cell(segment: Segment, following: Segment) -> Segment | None:
    """Return the text between a numbered item and the next one, right of its label but in its cell."""
    page = segment.page
    bound = min(
        (s.left for s in page.rows[segment.row].segments if s.left >= segment.right), default=page.width
    )
    for row in page.rows[segment.row + 1 : following.row]:
        in_cell = [s for s in row.segments if segment.left <= s.left < bound - page.line_height]
        if len(in_cell) == 1:
            return in_cell[0]
    return None


def _continues_sentence(rest: Sequence[Token]) -> bool:
    """Return whether words after a label only continue its sentence."""
    return rest[0].text[:1].islower() and rest[-1].text.endswith((".", ",")) and len(rest) > 2


def _score_below(segment: Segment, below_segment: Segment, right: Segment | None, colon: bool) -> float:
    """Return the score of text below a label; it is high if close and not part of a column of values."""
    height = segment.page.line_height
    aligned = -0.5 * height < below_segment.left - segment.left < 2.5 * height
    close = below_segment.top - segment.bottom < 0.9 * height
    if colon or not aligned or not close:
        return _BELOW
    if right is not None:
        row = segment.page.rows[below_segment.row]
        if any(abs(s.left - right.left) < 0.4 * height for s in row.segments):
            return _LISTED
    return _TIGHT


def right_neighbour(segment: Segment) -> Segment | None:
    """Return the next segment of the row, right of ``segment``."""
    row = segment.page.rows[segment.row]
    return next((s for s in row.segments[segment.order + 1 :] if s.left >= segment.right), None)


def _name_label(tokens: Sequence[Token]) -> bool:
    return tokens[0].key in word_set("name_labels")


def _after_name_label(tokens: Sequence[Token], label: LabelMatch, label_index: LabelIndex) -> list[LabelText]:
    """Return the value after a "Name" between a label and its value."""
    rest = [t for t in tokens[1:] if t.key]
    if not rest:
        right = right_neighbour(tokens[0].segment)
        if right is None or is_label_like(right.tokens, label_index):
            return []
        rest = list(right.tokens)
    return [LabelText(until_label(rest, label_index), _BESIDE, label)]


def until_label(tokens: Sequence[Token], label_index: LabelIndex) -> list[Token]:
    """Return ``tokens`` up to a label of the next column that is in the same segment.

    Such a label is left-aligned with labels of other lines.
    """
    kept = list(tokens)
    if len(kept) < 2:
        return kept
    segment = kept[0].segment
    for other in label_index.by_segment.get(segment.index, ()):
        if not kept[0].index < other.start <= kept[-1].index:
            continue
        if label_index.is_label_edge(segment.tokens[other.start].left):
            return [t for t in kept if t.index < other.start]
    return kept


def is_label_like(tokens: Sequence[Token], label_index: LabelIndex) -> bool:
    """Return whether the first words of a segment are a label, known or unknown, rather than a value."""
    text = text_of(tokens).rstrip()
    if label_index.begins_with_label(tokens[0].segment) or text.endswith(":") or _is_numbered_item(text):
        return True
    if any(char.isdigit() for char in text) or len(tokens) > _MAX_LABEL_WORDS:
        return False
    if is_role("".join(token.key for token in tokens)):
        return True
    return any(token.key in word_set("label_heads", "asking") for token in tokens)


def _is_numbered_item(text: str) -> bool:
    """Return whether a text is a numbered item of a form: "2. Reference No."."""
    match = _ENUMERATOR.match(text)
    return match is not None and match.end() < len(text) and match[0].rstrip(" .)").isdigit()


def segment_below(
    segment: Segment, left: float, right: float, height: float, reach: float = 2.2
) -> Segment | None:
    """Return the nearest segment below the span ``left`` to ``right``, within ``reach`` line heights."""
    page = segment.page
    for row in page.rows[segment.row + 1 : segment.row + 5]:
        for other in row.segments:
            if other.top - segment.bottom > reach * height:
                return None
            aligned = abs(other.left - left) < 1.5 * height
            if aligned or (other.left < right and left < other.right):
                return other
    return None


def label_texts(
    analysis: DocumentAnalysis, target: FieldQuery, accept: Accept | None = None
) -> list[LabelText]:
    """Return the texts of a target's labels, best first; ``accept`` filters texts that can't be its value."""
    found: list[LabelText] = []
    for page, occurrences in enumerate(analysis.occurrences):
        label_index = analysis.label_indexes[page]
        labels = [(o, weight * o.trust) for o in occurrences if (weight := target.weight(o.form))]
        labels += questions(analysis.question_segments[page], target)
        for label, weight in labels:
            numbered = label.start > 0 and _ENUMERATOR.match(label.segment.text) is not None
            for one in texts_of_label(label, label_index, target.for_name):
                if target.for_name:
                    one.tokens = without_registration(one.tokens)
                if one.text and (accept is None or accept(one.text)):
                    one.score = min(one.score * weight + (0.08 if numbered else 0.0), 1.0)
                    found.append(one)
                    break
    return sorted(found, key=lambda s: -s.score)
