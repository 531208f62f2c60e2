"""How much the labels at a place name the field that a value there is for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from docduck.documents.document import Box, Document
from docduck.extraction.extractors.layout.labelled.name_match import NameMatch
from docduck.extraction.extractors.layout.labelled.places import Place, places_of
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.normal_text import key, words_of
from docduck.extraction.page.page_view import location, views_of
from docduck.extraction.result import Location
from docduck.fields import Field, FieldType


class LabelMatch(NamedTuple):
    """How much the labels of a place name a field, and the other field that they name best, 0–1."""

    own: float
    other: float


class PrintedLabels:
    """The labels that the pages of a document show beside their values, matched with its ``fields``."""

    def __init__(self, document: Document, fields: Sequence[Field]) -> None:
        self._queries = [query_of(field) for field in fields if field.type is not FieldType.TABLE]
        self._match = NameMatch(self._queries)
        self._views = {view.number: view for view in views_of(document).pages}
        self._places = cache(self._find_places)
        self._words = {key(word) for word in words_of(document.text)}

    def at(self, field: Field, locations: Sequence[Location]) -> LabelMatch:
        """Return what the labels of a value at ``locations`` name; zeros if it has none."""
        own, other = 0.0, 0.0
        for found in locations:
            for place, box in self._places(found.page):
                if not _overlap(box, found.box):
                    continue
                for query in self._queries:
                    score = place.probability * self._match.score(query, place)
                    if query.name == field.name:
                        own = max(own, score)
                    else:
                        other = max(other, score)
        return LabelMatch(own, other)

    def named(self, field: Field) -> float:
        """Return the share of the words of a field's name, or of one of its labels, that the document has."""
        query = query_of(field)
        phrases = [phrase.words for phrase in (query.title, *query.labels) if phrase.words]
        return max(
            (sum(word in self._words for word in words) / len(words) for words in phrases), default=0.0
        )

    def _find_places(self, number: int) -> list[tuple[Place, Box]]:
        view = self._views.get(number)
        return [(place, location(place.tokens).box) for place in places_of(view)] if view else []


def _overlap(a: Box, b: Box) -> bool:
    return a.left < b.right and b.left < a.right and a.top < b.middle < a.bottom
