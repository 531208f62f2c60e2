"""Free text beside or below a label: what is left of its line, or the next line in its column.

Forms print the question over the answer, or left of it, and number it ("1. Name of tenant"); which of
the two a page does is told by what stands there: another label is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.names import without_registration
from docduck.extraction.extractors.layout.labels.label_finder import LabelMatch
from docduck.extraction.extractors.layout.labels.questions import questions
from docduck.extraction.extractors.layout.labels.relations import LabelIndex
from docduck.extraction.fields.field_targets import FieldTarget
from docduck.extraction.fields.field_words import asked, asking, is_role
from docduck.extraction.lexicon import entries, word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import Segment, Token

_BESIDE, _INLINE, _COLON = 0.9, 0.7, 0.95
_BELOW, _TIGHT, _LISTED, _INSIDE = 0.78, 0.86, 0.55, 0.7
"""The score of a value below its label, of one set close under it with the same left edge, and of what
stands so where labels are listed left of their values, or anywhere in the cell of a form."""
_NEAR = 0.06
"""The part of a page's width that a value may stand from its label without loss."""
_STAMP = 1.8
"""From this multiple of a label's height on, what OCR reads beside it is a stamp or a signature."""
_ENUMERATOR = re.compile(r"\(?(?:\d{1,2}|[a-zA-Z])\s?[.)](?=\s|$)")
_MOST_OF_A_LABEL = 5
Accept = Callable[[str], bool]


@dataclass(slots=True)
class LabelText:
    """Words that a label announces, with a score 0–1."""

    tokens: Sequence[Token]
    score: float
    label: LabelMatch

    @property
    def text(self) -> str:
        return " ".join(token.text for token in self.tokens).strip(" :–-|_")


def texts_of_label(label: LabelMatch, around: LabelIndex, name: bool = False) -> list[LabelText]:
    """The texts that ``label`` may announce, best first: after it, right of it, below it.

    ``name`` tells that a name is looked for, so that "Name:" before it is no value.
    """
    segment = label.segment
    rest = list(segment.tokens[label.end :])
    while rest and not rest[0].key:
        rest.pop(0)
    colon = segment.tokens[label.end - 1].text.endswith(":") or (
        label.end < len(segment.tokens) and segment.tokens[label.end].text == ":"
    )
    found: list[LabelText] = []
    if rest and _heads_a_form(" ".join(token.text for token in rest)):
        rest = []
    if rest:
        later = [o.start for o in around.by_segment[segment.index] if o.start >= label.end and o.trust >= 1.0]
        stop = min((s for s in later if segment.tokens[s - 1].text.endswith((",", ";", "|"))), default=None)
        rest = [token for token in rest if stop is None or token.index < stop]
        rest = until_label(rest, around)
        if name and rest and _name_label(rest):
            return _stepped(rest, label, around)
        heads = name and not segment.row and label.form in _within_names()
        if rest and (colon or not (_runs_on(rest) or heads)):
            found.append(LabelText(rest, _COLON if colon else _INLINE, label))
        return found
    right = _right(segment, around)
    if right is not None and around.page.ocr and right.height > _STAMP * segment.height:
        right = None
    if right is not None and name and _name_label(right.tokens):
        return _stepped(right.tokens, label, around)
    if right is not None and not label_like(words := until_label(right.tokens, around), around):
        gap = (right.left - segment.right) / around.page.width
        score = _BESIDE + (0.05 if colon else 0.0) - (0.5 if colon else 0.8) * max(gap - _NEAR, 0.0)
        found.append(LabelText(words, score, label))
    under = segment_below(segment, label.left, label.right, around.page.line_height)
    if under is not None and not segment.text.startswith("§"):
        if name and _name_label(under.tokens):
            found += _stepped(under.tokens, label, around)
        elif not around.begins_with_label(under) and not _heads_a_form(under.text):
            found.append(
                LabelText(until_label(under.tokens, around), _below(segment, under, right, colon), label)
            )
        elif _heads_a_form(under.text) and (inside := _in_cell(segment, under)) is not None:
            found.append(LabelText(until_label(inside.tokens, around), _INSIDE, label))
    return sorted((s for s in found if s.tokens), key=lambda s: -s.score)


def _in_cell(segment: Segment, following: Segment) -> Segment | None:
    """What stands between a numbered item and the one below it, right of its label but in its cell."""
    page = segment.page
    bound = min(
        (s.left for s in page.rows[segment.row].segments if s.left >= segment.right), default=page.width
    )
    for row in page.rows[segment.row + 1 : following.row]:
        inside = [s for s in row.segments if segment.left <= s.left < bound - page.line_height]
        if len(inside) == 1:
            return inside[0]
    return None


@cache
def _within_names() -> frozenset[str]:
    """Words that are part of the names of organisations, as "Hotel" is."""
    return frozenset(key(str(word)) for some in entries("meanings")["issuers"].values() for word in some)


def _runs_on(rest: Sequence[Token]) -> bool:
    """Whether words after a label only carry on its sentence."""
    return rest[0].text[:1].islower() and rest[-1].text.endswith((".", ",")) and len(rest) > 2


def _below(segment: Segment, under: Segment, right: Segment | None, colon: bool) -> float:
    """The score of what stands below: the answer, if close beneath and no part of a column of values."""
    height = segment.page.line_height
    aligned = -0.5 * height < under.left - segment.left < 2.5 * height
    close = under.top - segment.bottom < 0.9 * height
    if colon or not aligned or not close:
        return _BELOW
    if right is not None:
        row = segment.page.rows[under.row]
        if any(abs(s.left - right.left) < 0.4 * height for s in row.segments):
            return _LISTED
    return _TIGHT


def _right(segment: Segment, around: LabelIndex) -> Segment | None:
    row = around.page.rows[segment.row]
    return next((s for s in row.segments[segment.order + 1 :] if s.left >= segment.right), None)


def _name_label(tokens: Sequence[Token]) -> bool:
    return tokens[0].key in word_set("name_labels")


def _stepped(tokens: Sequence[Token], label: LabelMatch, around: LabelIndex) -> list[LabelText]:
    """The value after a "Name" that stands between a label and its value."""
    rest = [t for t in tokens[1:] if t.key]
    if not rest:
        right = _right(tokens[0].segment, around)
        if right is None or label_like(right.tokens, around):
            return []
        rest = list(right.tokens)
    return [LabelText(until_label(rest, around), _BESIDE, label)]


def until_label(tokens: Sequence[Token], around: LabelIndex) -> list[Token]:
    """``tokens`` up to a label of the next column that the reader glued to them.

    Such a label begins where labels of other lines begin.
    """
    kept = list(tokens)
    if len(kept) < 2:
        return kept
    segment = kept[0].segment
    for other in around.by_segment.get(segment.index, ()):
        if not kept[0].index < other.start <= kept[-1].index:
            continue
        if around.begins_labels(segment.tokens[other.start].left):
            return [t for t in kept if t.index < other.start]
    return kept


def label_like(tokens: Sequence[Token], around: LabelIndex) -> bool:
    """Whether the words that begin a segment are a label rather than a value, be it known or not."""
    text = " ".join(token.text for token in tokens).rstrip()
    if around.begins_with_label(tokens[0].segment) or text.endswith(":") or _heads_a_form(text):
        return True
    if any(char.isdigit() for char in text) or len(tokens) > _MOST_OF_A_LABEL:
        return False
    if is_role("".join(token.key for token in tokens)):
        return True
    return any(token.key in asking("label_heads") for token in tokens)


def _heads_a_form(text: str) -> bool:
    """Whether a text is the next numbered item of a form: "2. Reference No."."""
    match = _ENUMERATOR.match(text)
    return match is not None and match.end() < len(text) and match[0].rstrip(" .)").isdigit()


def segment_below(
    segment: Segment, left: float, right: float, height: float, reach: float = 2.2
) -> Segment | None:
    """The nearest segment under the span ``left`` to ``right``, within ``reach`` line heights."""
    page = segment.page
    for row in page.rows[segment.row + 1 : segment.row + 5]:
        for other in row.segments:
            if other.top - segment.bottom > reach * height:
                return None
            aligned = abs(other.left - left) < 1.5 * height
            if aligned or (other.left < right and left < other.right):
                return other
    return None


def label_texts(scan: DocumentAnalysis, target: FieldTarget, accept: Accept | None = None) -> list[LabelText]:
    """All slots of a target's labels, best first; ``accept`` tells which texts can be its value."""
    wanted = asked(target.field)
    found: list[LabelText] = []
    for page, occurrences in enumerate(scan.occurrences):
        around = scan.around[page]
        labels = [(o, weight * o.trust) for o in occurrences if (weight := target.weight(o.form))]
        labels += questions(scan.asking[page], wanted)
        for label, weight in labels:
            numbered = label.start > 0 and _ENUMERATOR.match(label.segment.text) is not None
            for one in texts_of_label(label, around, wanted.name):
                if wanted.name:
                    one.tokens = without_registration(one.tokens)
                if one.text and (accept is None or accept(one.text)):
                    one.score = min(one.score * weight + (0.08 if numbered else 0.0), 1.0)
                    found.append(one)
                    break
    return sorted(found, key=lambda s: -s.score)
