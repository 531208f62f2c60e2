"""Answers from lessons: where a look's values stood, the next document's are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import ratio

from docduck.documents.model import Box, Document
from docduck.extraction.engines import Findings
from docduck.extraction.layout import candidates
from docduck.extraction.layout.typed import from_candidate
from docduck.extraction.learned import spans
from docduck.extraction.learned.lesson import Lesson, Place
from docduck.extraction.learned.look import ALIKE, look_of
from docduck.extraction.learned.teach import identity
from docduck.extraction.locale import Locale, decide
from docduck.extraction.options import ExtractOptions
from docduck.extraction.result import Finding
from docduck.extraction.values.text import key
from docduck.extraction.view import DocumentView, PageView, Segment, Token, locations
from docduck.fields import Field, FieldType

_NUMERIC = (FieldType.NUMBER, FieldType.CURRENCY)
_ACCEPTED = 0.55
_MOST_LESSONS = 5
_SAME_WORDS = 85
_SAME_SENDER = 0.55
"""The likeness from which a value that no words show is taken over."""
_CONSTANT_CONFIDENCE = 0.7


@dataclass(frozen=True, slots=True)
class _Reading:
    """A value read from a place that a lesson points to, with how well it fits (0–1)."""

    fit: float
    value: Any
    tokens: Sequence[Token]
    text: str


class LearnedEngine:
    """Answers the fields that documents of the same look have taught.

    Where a value was ``corrected``, the other engines are known to be wrong about the look; where it was
    only approved, they are right, and a lesson helps when they find nothing. The lessons of the options
    are those that ``alike`` gives.
    """

    name = "learned"

    def __init__(self, *, corrected: bool) -> None:
        self._corrected = corrected

    def find(self, document: Document, fields: Sequence[Field], options: ExtractOptions) -> Findings:
        """Findings for the fields whose place is known and has a value that fits."""
        found = Findings()
        if not options.lessons:
            return found
        view = DocumentView(document)
        locale = decide(view, options.locale)
        for field in fields:
            if field.type is FieldType.TABLE:
                continue
            finding = _read(view, locale, field, options.lessons, self._corrected)
            if finding is not None:
                found.scalars[field.name] = finding
        return found


def alike(document: Document, lessons: Sequence[Lesson]) -> tuple[Lesson, ...]:
    """The lessons of the document's look, the most alike first."""
    if not lessons:
        return ()
    look = look_of(DocumentView(document))
    rated = [(lesson.look.likeness(look), lesson) for lesson in lessons]
    near = sorted((one for one in rated if one[0] >= ALIKE), key=lambda one: -one[0])
    return tuple(lesson for _, lesson in near[:_MOST_LESSONS])


def refine(document: Document, fields: Sequence[Field], found: Findings, lessons: Sequence[Lesson]) -> None:
    """Put right what the other engines found, where ``lessons`` of the document's look have taught better.

    Texts that OCR misread are spelled as a person approved them, and what is known to be a value of its
    own is no row of a table.
    """
    by_ocr = bool(lessons) and _read_by_ocr(document)
    taught: set[tuple[int, Box]] = set()
    for field in fields:
        finding = found.scalars.get(field.name)
        places = [one.places[identity(field)] for one in lessons if identity(field) in one.places]
        if finding is None or not places:
            continue
        taught.update((place.page, place.box) for place in finding.locations)
        for place in places if by_ocr and field.type is FieldType.TEXT else ():
            if isinstance(finding.value, str):
                finding.value = spans.remembered(finding.value, place.text)
    for name, rows in found.tables.items():
        found.tables[name] = [row for row in rows if not taught & _boxes(row)]


def _boxes(row: Mapping[str, Finding]) -> set[tuple[int, Box]]:
    return {(place.page, place.box) for cell in row.values() for place in cell.locations}


def labelled(fields: Sequence[Field], lessons: Sequence[Lesson]) -> list[Field]:
    """The fields, with the headers that ``lessons`` have for columns as labels of theirs."""
    return [_with_headers(field, lessons) for field in fields]


def _with_headers(table: Field, lessons: Sequence[Lesson]) -> Field:
    known = [lesson.headers[identity(table)] for lesson in lessons if identity(table) in lesson.headers]
    if not known:
        return table
    columns = tuple(_with_labels(column, known) for column in table.columns)
    return table.model_copy(update={"columns": columns})


def _with_labels(column: Field, known: Sequence[Mapping[str, str]]) -> Field:
    texts = [headers[identity(column)] for headers in known if identity(column) in headers]
    return column.model_copy(update={"labels": tuple(dict.fromkeys([*column.labels, *texts]))})


def _read(
    view: DocumentView, locale: Locale, field: Field, lessons: Sequence[Lesson], corrected: bool
) -> Finding | None:
    name = identity(field)
    best: _Reading | None = None
    for lesson in lessons:
        place = lesson.places.get(name)
        page = spans.page_of(place, view.pages) if place is not None else None
        if place is None or page is None or place.corrected is not corrected:
            continue
        for reading in _readings(page, place, field, locale):
            # An earlier lesson is more alike, or newer: a later one must fit better.
            if reading.fit >= _ACCEPTED and (best is None or reading.fit > best.fit + 1e-9):
                best = reading
    if best is not None:
        ocr = min((token.score for token in best.tokens), default=1.0)
        confidence = min(0.99, (0.5 + 0.5 * best.fit) * ocr)
        return Finding(best.value, confidence, locations(best.tokens), best.text)
    for lesson in lessons if corrected else ():
        if name in lesson.constants and lesson.look.likeness(look_of(view)) >= _SAME_SENDER:
            return Finding(lesson.constants[name], _CONSTANT_CONFIDENCE)
    return None


def _readings(page: PageView, place: Place, field: Field, locale: Locale) -> Iterator[_Reading]:
    anchors = _Anchors(page, place)
    for tokens, value, text in _values(page, place, field, locale):
        if value is not None:
            yield _Reading(_fit(page, place, tokens, text, anchors), value, tokens, text)


def _values(
    page: PageView, place: Place, field: Field, locale: Locale
) -> Iterator[tuple[Sequence[Token], Any, str]]:
    """Every value of the field's type on the page: its tokens, itself, and the words."""
    for segment in page.segments:
        if field.type is FieldType.DATE or field.type in _NUMERIC:
            kind = "date" if field.type is FieldType.DATE else "amount"
            for one in candidates.find(kind, segment, locale):
                yield one.tokens, from_candidate(field, one), one.text
            continue
        first = spans.after_words(segment, place)
        if first is None:
            continue
        lines = spans.block(first, place)
        texts = [" ".join(token.text for token in line) for line in lines]
        tokens = [token for line in lines for token in line]
        text = place.joint.join(texts)
        if field.type is FieldType.CHOICE:
            yield tokens, next((o for o in field.options if key(o) == key(text)), None), text
        else:
            yield tokens, spans.remembered(text, place.text) if _by_ocr(tokens) else text, text


def _by_ocr(tokens: Sequence[Token]) -> bool:
    return any(token.score < 1.0 for token in tokens)


def _read_by_ocr(document: Document) -> bool:
    return any(line.words[0].source == "ocr" for page in document.pages for line in page.lines[:1])


class _Anchors:
    """Which of a place's neighbouring texts this page has at all: the others were not part of the look."""

    def __init__(self, page: PageView, place: Place) -> None:
        here = [segment.key for segment in page.segments]
        self.before = place.before
        self.beside = place.beside if _among(place.beside, here) else ""
        self.above = place.above if _among(place.above, here) else ""

    def fit(self, tokens: Sequence[Token]) -> float | None:
        """How well the texts around fit, None when there is nothing to go by."""
        parts: list[float] = []
        segment = tokens[0].segment
        if self.before:
            parts.append(_same(spans.keys(segment.tokens[: tokens[0].index]), self.before))
        if self.beside:
            parts.append(_same(_key(spans.beside(tokens)), self.beside))
        if self.above:
            parts.append(0.9 * _same(_key(spans.above(tokens)), self.above))
        return max(parts, default=None)


def _fit(page: PageView, place: Place, tokens: Sequence[Token], text: str, anchors: _Anchors) -> float:
    left, right = tokens[0].left / page.width, max(token.right for token in tokens) / page.width
    across = exp(-min(abs(left - place.left), abs(right - place.right)) / 0.03)
    down = exp(-abs(tokens[0].top / page.height - place.top) / 0.08)
    form = Levenshtein.normalized_similarity(spans.shape(text), place.shape)
    around = anchors.fit(tokens)
    if around is None:
        return 0.75 * across * down + 0.25 * form
    return 0.55 * around + 0.2 * across + 0.1 * down + 0.15 * form


def _among(text: str, keys: Sequence[str]) -> bool:
    return bool(text) and any(_same(one, text) for one in keys)


def _same(one: str, other: str) -> float:
    """1 for the same words, a little less for a misread, 0 for others."""
    if one == other:
        return 1.0
    likeness = ratio(one, other)
    return likeness / 100 if likeness >= _SAME_WORDS else 0.0


def _key(segment: Segment | None) -> str:
    return segment.key if segment is not None else ""
