"""Answers from lessons: values are read where earlier documents of the same look have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.layout.candidates import recognizers
from docduck.extraction.extractors.layout.candidates.conversion import from_candidate
from docduck.extraction.extractors.learned import spans
from docduck.extraction.extractors.learned.field_identity import field_identity
from docduck.extraction.extractors.learned.fitting import ACCEPTED, PlaceFit
from docduck.extraction.extractors.learned.layout_fingerprint import ALIKE, fingerprint_of
from docduck.extraction.learned_layout import LearnedLayout, PrintedPlace
from docduck.extraction.normal_text import key
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import Locale, decide
from docduck.extraction.page.page_view import PageView, PageViews, Token, locations
from docduck.extraction.result import Finding
from docduck.fields import Field, FieldType

_NUMERIC = (FieldType.NUMBER, FieldType.CURRENCY)
_MOST_PLACES = 5


@dataclass(frozen=True, slots=True)
class _Reading:
    """A value read from a place that a lesson points to, with how well it fits (0–1)."""

    fit: float
    value: Any
    tokens: Sequence[Token]
    text: str


class LearnedExtractor:
    """Answers the fields whose places documents of the same look have taught.

    Where a value was ``corrected``, the other engines are known to be wrong about the look; where it was
    only approved, they are right, and a lesson helps when they find nothing. The lessons of the options
    are those that ``layouts_like`` returns.
    """

    name = "learned"

    def __init__(self, *, corrected: bool) -> None:
        self._corrected = corrected

    def find(self, document: Document, fields: Sequence[Field], options: ExtractOptions) -> Findings:
        """Return findings for the fields whose place is known and has a value that fits."""
        found = Findings()
        if not options.lessons:
            return found
        view = PageViews(document)
        locale = decide(view, options.locale)
        for field in fields:
            if field.type is FieldType.TABLE:
                continue
            finding = _read(view, locale, field, options.lessons, self._corrected)
            if finding is not None:
                found.scalars[field.name] = finding
        return found


def layouts_like(document: Document, lessons: Sequence[LearnedLayout]) -> tuple[LearnedLayout, ...]:
    """Return the lessons of the document's look, the most alike first."""
    if not lessons:
        return ()
    look = fingerprint_of(PageViews(document))
    rated = [(lesson.look.likeness(look), lesson) for lesson in lessons]
    near = sorted((one for one in rated if one[0] >= ALIKE), key=lambda one: -one[0])
    return tuple(lesson for _, lesson in near)


def with_learned_headers(fields: Sequence[Field], lessons: Sequence[LearnedLayout]) -> list[Field]:
    """Return the fields, with the headers that ``lessons`` have for columns as labels of theirs."""
    return [_with_headers(field, lessons) for field in fields]


def _with_headers(table: Field, lessons: Sequence[LearnedLayout]) -> Field:
    known = [
        lesson.headers[field_identity(table)] for lesson in lessons if field_identity(table) in lesson.headers
    ]
    if not known:
        return table
    columns = tuple(_with_labels(column, known[:_MOST_PLACES]) for column in table.columns)
    return table.model_copy(update={"columns": columns})


def _with_labels(column: Field, known: Sequence[Mapping[str, str]]) -> Field:
    texts = [headers[field_identity(column)] for headers in known if field_identity(column) in headers]
    return column.model_copy(update={"labels": tuple(dict.fromkeys([*column.labels, *texts]))})


def _read(
    view: PageViews, locale: Locale, field: Field, lessons: Sequence[LearnedLayout], corrected: bool
) -> Finding | None:
    name = field_identity(field)
    known = [lesson.places[name] for lesson in lessons if name in lesson.places]
    best: _Reading | None = None
    for place in [place for place in known if place.corrected is corrected][:_MOST_PLACES]:
        page = spans.page_of(place, view.pages)
        if page is None:
            continue
        for reading in _readings(page, place, field, locale):
            # An earlier lesson is more alike, or newer: a later one must fit better.
            if reading.fit >= ACCEPTED and (best is None or reading.fit > best.fit + 1e-9):
                best = reading
    if best is None:
        return None
    ocr = min((token.score for token in best.tokens), default=1.0)
    confidence = min(0.99, (0.5 + 0.5 * best.fit) * ocr)
    return Finding(best.value, confidence, locations(best.tokens), best.text)


def _readings(page: PageView, place: PrintedPlace, field: Field, locale: Locale) -> Iterator[_Reading]:
    fitting = PlaceFit(page, place)
    for tokens, value, text in _values(page, place, field, locale):
        if value is not None:
            yield _Reading(fitting.fit(tokens, text), value, tokens, text)


def _values(
    page: PageView, place: PrintedPlace, field: Field, locale: Locale
) -> Iterator[tuple[Sequence[Token], Any, str]]:
    """Yield every value of the field's type on the page: its tokens, itself, and the words."""
    for segment in page.segments:
        if field.type is FieldType.DATE or field.type in _NUMERIC:
            kind = "date" if field.type is FieldType.DATE else "amount"
            for one in recognizers.find_candidates(kind, segment, locale):
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
            yield tokens, text, text
