"""The printed labels of fields on a document: what they say of a value at a learned position.

A learned position gives way to a value that stands at its field's own label, and is none whose words are the
label of another field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from docduck.extraction.extractors.layout.candidates import recognizers
from docduck.extraction.extractors.layout.labelled.name_match import NameMatch
from docduck.extraction.extractors.layout.labelled.places import Place, label_text, places_of
from docduck.extraction.extractors.layout.labels.neighbours import right_neighbour, segment_below
from docduck.extraction.extractors.learned import spans
from docduck.extraction.extractors.learned.agreement import TaughtPlace
from docduck.extraction.extractors.learned.doubts import is_label_of
from docduck.extraction.extractors.value_forms import has_form
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.learned_layout import PrintedPlace
from docduck.extraction.lexicon import concepts_by_label
from docduck.extraction.normal_text import key
from docduck.extraction.page.locale import Locale
from docduck.extraction.page.page_view import PageViews, Segment, Token, text_of
from docduck.extraction.reading import reading_of
from docduck.fields import NUMERIC, FieldType

_OWN = 0.8
"""Match from which a label names a field."""
_LIKELY = 0.5
"""Probability from which a value is a label's, and a segment a label."""
_LABEL_WORDS = 6
_BELOW = 2.5
"""Line heights that a value may be below its label."""


class PrintedLabels:
    """The labels of ``queries``, all of a document's fields that are asked for."""

    def __init__(self, view: PageViews, queries: Sequence[FieldQuery], locale: Locale) -> None:
        self._view, self._locale = view, locale
        self._queries = [query for query in queries if query.type is not FieldType.TABLE]
        self._match = NameMatch(self._queries)

    def misleading(self, query: FieldQuery, lines: Sequence[Sequence[Token]]) -> tuple[str, ...]:
        """Return the labels, in normal form, that name a field and don't announce its value in ``lines``."""
        value = {id(token) for line in lines for token in line}
        announcing = {
            place.label for place in self._places if any(id(token) in value for token in place.tokens)
        }
        others = (place for label, place in self._labels.items() if label not in announcing)
        return tuple(sorted({key(place.label) for place in others if self._names(query, place)}))

    def is_elsewhere(self, query: FieldQuery, tokens: Sequence[Token], place: PrintedPlace) -> bool:
        """Return whether the field's own label announces another value than ``tokens``.

        Labels that the document of the learned ``place`` had, too, for another value, say nothing.
        """
        value = {id(token) for token in tokens}
        places = (*self._places, *self._near(query))
        own = [each for each in places if self._names(query, each) and self._has_value(query, each)]
        if any(id(token) in value for each in own for token in each.tokens):
            return False
        return any(key(each.label) not in place.misleading for each in own)

    def are_of_other(self, query: FieldQuery, tokens: Sequence[Token], taught: TaughtPlace) -> bool:
        """Return whether ``tokens`` are a label or begin with that of another field, or are announced by one.

        That is a field's label that is known or learned; a value that no words announced has none at all. The
        words that announced the value itself don't count.
        """
        if self._begin_with_label(query, tokens) or _has_other_label(tokens, taught):
            return True
        if is_label_of(query, spans.keys(tokens)):
            return True
        if query.type is FieldType.TEXT and not self._has_form(query, tokens, taught.place):
            return True
        described = spans.describe(self._view, [tokens])
        if described is None or described.words == taught.place.words:
            return False
        if described.words in taught.words_of_others:
            return True
        if not taught.place.words and any(tokens[0] in place.tokens for place in self._places):
            return True
        first = tokens[0]
        before = first.segment.tokens[: first.index]
        if not before:
            return self._is_of_other(query, described.words)
        for start in range(max(0, len(before) - _LABEL_WORDS), len(before)):
            form = spans.keys(before[start:])
            if query.weight(form):
                return False
            if self._is_of_other(query, form):
                return True
        return False

    def _near(self, query: FieldQuery) -> Iterator[Place]:
        """Yield what stands beside or below the known labels of a field, whatever the page's reading says."""
        for segment in (segment for page in self._view.pages if page.is_outer for segment in page.segments):
            if is_label_of(query, segment.key):
                height = max(segment.page.line_height, segment.height)
                below = segment_below(segment, segment.left, segment.right, height, _BELOW)
                near = right_neighbour(segment) or below
                if near is not None:
                    yield Place(label_text(segment.text), near.tokens, 1.0)

    @cached_property
    def _labels(self) -> dict[str, Place]:
        """What the outer pages print as labels, each with what it announces, or itself if that is nothing."""
        alone = {
            label_text(segment.text): Place(label_text(segment.text), segment.tokens, 1.0)
            for page in self._view.pages
            if page.is_outer
            for segment in page.segments
            if len(segment.tokens) <= _LABEL_WORDS and _is_label(segment)
        }
        return alone | {place.label: place for place in self._places}

    @cached_property
    def _places(self) -> Sequence[Place]:
        places = [place for page in self._view.pages if page.is_outer for place in places_of(page)]
        return [place for place in places if place.probability >= _LIKELY]

    def _names(self, query: FieldQuery, place: Place) -> bool:
        return self._match.score(query, place) >= _OWN

    def _has_value(self, query: FieldQuery, place: Place) -> bool:
        """Return whether a place shows a value of the field's type."""
        if query.type is FieldType.DATE or query.type in NUMERIC:
            kind = "date" if query.type is FieldType.DATE else "amount"
            value = {id(token) for token in place.tokens}
            segments: dict[int, Segment] = {id(token.segment): token.segment for token in place.tokens}
            return any(
                id(token) in value
                for segment in segments.values()
                for candidate in recognizers.find_candidates(kind, segment, self._locale)
                for token in candidate.tokens
            )
        if _is_label(place.segment):
            return False
        return has_form(query, text_of(place.tokens)) and not self._begin_with_label(query, place.tokens)

    @staticmethod
    def _has_form(query: FieldQuery, tokens: Sequence[Token], place: PrintedPlace) -> bool:
        """Return whether words can be the value: where it had digits, words without any are no label.

        They have the form of the field's values, or of the one that was taught.
        """
        text = text_of(tokens)
        if "9" in place.shape and not any(map(str.isdigit, text)):
            return not _is_label(tokens[0].segment)
        return has_form(query, text) or spans.shape(text) == place.shape

    def _begin_with_label(self, query: FieldQuery, tokens: Sequence[Token]) -> bool:
        """Return whether words are the label of another field, or begin with one."""
        reading = reading_of(tokens[0].segment.page)
        is_label = reading.kind(tokens[0].segment.index, "label", "both", "head") >= _LIKELY
        for end in range(1, min(_LABEL_WORDS, len(tokens)) + 1):
            if self._is_of_other(query, spans.keys(tokens[:end])):
                following = tokens[end : end + 1]
                colon = tokens[end - 1].text.endswith(":")
                numbered = any(char.isdigit() for token in following for char in token.text)
                if is_label or colon or numbered or not following:
                    return True
        return False

    def _is_of_other(self, query: FieldQuery, form: str) -> bool:
        """Return whether words in normal form are the label of another field, asked for or not."""
        if not form or query.weight(form):
            return False
        return form in concepts_by_label() or any(
            is_label_of(other, form) for other in self._queries if other is not query
        )


def _is_label(segment: Segment) -> bool:
    return reading_of(segment.page).kind(segment.index, "label", "head") >= _LIKELY


def _has_other_label(tokens: Sequence[Token], taught: TaughtPlace) -> bool:
    """Return whether words begin with a learned label of another field, or have a colon where none was."""
    last = len(tokens) - 1
    if ":" not in taught.place.shape and any(token.text.endswith(":") for token in tokens[:last]):
        return True
    return any(spans.keys(tokens[:end]) in taught.words_of_others for end in range(1, _LABEL_WORDS))
