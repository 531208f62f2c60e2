"""The learned extractor: reads values where learned layouts of similar documents have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from docduck.documents.document import Document
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.layout.candidates import recognizers
from docduck.extraction.extractors.layout.candidates.conversion import from_candidate
from docduck.extraction.extractors.learned import spans
from docduck.extraction.extractors.learned.agreement import (
    LayoutCluster,
    TaughtPlace,
    clusters_of,
    taught_places,
)
from docduck.extraction.extractors.learned.confirmation import is_announced
from docduck.extraction.extractors.learned.fitting import ACCEPTED, PlaceFit
from docduck.extraction.extractors.learned.layout_learning import fingerprint_of
from docduck.extraction.extractors.learned.printed_labels import PrintedLabels
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.meanings import asks_for_number
from docduck.extraction.learned_layout import LearnedLayout, PrintedPlace, field_identity
from docduck.extraction.normal_text import key
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import Locale, decide
from docduck.extraction.page.page_view import (
    PageView,
    PageViews,
    Token,
    locations,
    ocr_score,
    text_of,
    views_of,
)
from docduck.extraction.result import Finding
from docduck.fields import NUMERIC, Field, FieldType

_MAX_PLACES = 5


@dataclass(frozen=True, slots=True)
class _FittingValue:
    """A value read at a learned position, with how well it fits (0–1)."""

    fit: float
    value: Any
    tokens: Sequence[Token]
    text: str


class LearnedExtractor:
    """Finds fields at the positions that similar documents have taught.

    Where a value was ``corrected``, the other extractors are wrong about the layout, so this one runs first.
    Where it was only approved, or the correction is doubtful, this one helps if they find nothing.
    ``options.learned_layouts`` are those that ``layouts_like`` returned.
    """

    def __init__(self, *, corrected: bool) -> None:
        self._corrected = corrected

    def find(self, document: Document, queries: Sequence[FieldQuery], options: ExtractOptions) -> Findings:
        """Return findings for the fields with a learned position and a value that fits."""
        findings = Findings()
        if not options.learned_layouts:
            return findings
        view = views_of(document)
        locale = decide(view, options.locale)
        clusters = clusters_of(options.learned_layouts)
        labels = PrintedLabels(view, queries, locale)
        for query in queries:
            if query.type is not FieldType.TABLE:
                finding = _read(view, locale, query, labels, clusters, self._corrected)
                if finding is not None:
                    findings.scalars[query.name] = finding
        return findings


def layouts_like(document: Document, layouts: Sequence[LearnedLayout]) -> tuple[LearnedLayout, ...]:
    """Return the learned layouts similar to the document, the most similar first."""
    if not layouts:
        return ()
    own = fingerprint_of(views_of(document))
    similar = (layout for layout in layouts if layout.fingerprint.is_like(own))
    return tuple(sorted(similar, key=lambda layout: -layout.fingerprint.similarity(own)))


def _read(
    view: PageViews,
    locale: Locale,
    query: FieldQuery,
    labels: PrintedLabels,
    clusters: Sequence[LayoutCluster],
    corrected: bool,
) -> Finding | None:
    field = query.field
    name = field_identity(field)
    known = (
        place
        for place in taught_places(name, clusters)
        if place.layout.teaches and (place.place.corrected and not place.is_doubtful) is corrected
    )
    best: tuple[_FittingValue, TaughtPlace] | None = None
    for taught in islice(known, _MAX_PLACES):
        page = spans.page_of(taught.place, view.pages)
        if page is None or any(is_announced(view, rival) for rival in taught.rivals()):
            continue
        fitting = max(
            _fitting_values(page, taught.place, field, locale), key=lambda each: each.fit, default=None
        )
        if fitting is None or fitting.fit < ACCEPTED or labels.are_of_other(query, fitting.tokens, taught):
            continue
        # Earlier positions are of more similar clusters or newer; a later one must fit better.
        if best is None or fitting.fit > best[0].fit + 1e-9:
            best = fitting, taught
    if best is None or labels.is_elsewhere(query, best[0].tokens, best[1].place):
        return None
    return _finding(*best)


def _finding(best: _FittingValue, taught: TaughtPlace) -> Finding:
    confidence = min((1.0 + best.fit) / 2 * ocr_score(best.tokens), taught.most_confidence)
    return Finding(
        best.value,
        confidence,
        locations(best.tokens),
        best.text,
        learned_from=taught.layout.document_id,
    )


def _number_of(tokens: Sequence[Token], place: PrintedPlace) -> Sequence[Token]:
    """Return the tokens that have the pattern of a learned number: "17 of 1 May"; all if none have it."""
    parts = (tokens[:end] for end in range(1, len(tokens)))
    return next((part for part in parts if spans.shape(text_of(part)) == place.shape), tokens)


def _fitting_values(
    page: PageView, place: PrintedPlace, field: Field, locale: Locale
) -> Iterator[_FittingValue]:
    """Yield every value of the field's type on the page."""
    fit = PlaceFit(page, place).fit
    for segment in page.segments:
        if field.type is FieldType.DATE or field.type in NUMERIC:
            kind = "date" if field.type is FieldType.DATE else "amount"
            for candidate in recognizers.find_candidates(kind, segment, locale):
                tokens, text = candidate.tokens, candidate.text
                yield _FittingValue(fit(tokens, text), from_candidate(field, candidate), tokens, text)
            continue
        first = spans.after_words(segment, place)
        if first is None:
            continue
        if asks_for_number(field.name):
            first = _number_of(first, place)
        lines = spans.block(first, place)
        tokens = [token for line in lines for token in line]
        text = place.joint.join(map(text_of, lines))
        value = text
        if field.type is FieldType.CHOICE:
            value = next((o for o in field.options if key(o) == key(text)), "")
        if value or field.type is not FieldType.CHOICE:
            yield _FittingValue(fit(tokens, text), value, tokens, text)
