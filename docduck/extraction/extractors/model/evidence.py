"""The places on the pages that show the values which a model returned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cache
from math import inf
from typing import Any

from docduck.documents.document import Document
from docduck.extraction.extractors.layout.labels.label_finder import LabelFinder, LabelMatch
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.normal_text import key
from docduck.extraction.page.lookup import Lookup
from docduck.extraction.page.page_view import views_of
from docduck.extraction.result import Location
from docduck.extraction.values.numbers import as_json_number
from docduck.fields import NUMERIC, Field, FieldType

Place = tuple[Location, ...]

_PARTS = re.compile(r"[\n,;]")
_SHORTEST_PART = 3
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_UNSEEN = frozenset({FieldType.BOOLEAN, FieldType.CHOICE})


def must_show(field: Field) -> bool:
    """Whether a page must print the values of this field."""
    return field.type not in _UNSEEN


class Evidence:
    """The words of a document, in which values are looked up."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._lookup = Lookup(document)
        self._known: dict[tuple[FieldType, str, frozenset[int]], list[Place]] = {}
        self._labels = cache(self._find_labels)

    def places(self, field: Field, value: Any, pages: frozenset[int]) -> list[Place]:
        """Return every place on ``pages`` that shows ``value``, from top to bottom."""
        kind = FieldType.TEXT if field.type in (FieldType.LIST, FieldType.CHOICE) else field.type
        lookup = (kind, repr(value), pages)
        if lookup not in self._known:
            self._known[lookup] = self._find(kind, value, pages)
        return self._known[lookup]

    def as_printed(self, field: Field, value: Any, pages: frozenset[int]) -> Any:
        """Return what a model rewrote as ``pages`` print it, if they do.

        That is a date or number for a text field, or a number whose separators it took for others.
        """
        if self.places(field, value, pages):
            return value
        if field.type in NUMERIC:
            number = self._lookup.number_with_digits(value, pages)
            return value if number is None else as_json_number(number.copy_sign(Decimal(str(value))))
        if field.type is not FieldType.TEXT:
            return value
        kinds = ((_ISO_DATE, FieldType.DATE), (_PLAIN_NUMBER, FieldType.NUMBER))
        kind = next((kind for form, kind in kinds if form.fullmatch(value)), None)
        places = self._find(kind, value, pages) if kind is not None else []
        return " ".join(place.text for place in places[0]).strip(" .,:;") if places else value

    def _find(self, kind: FieldType, value: Any, pages: frozenset[int]) -> list[Place]:
        places = self._on(pages, self._lookup.places(value, kind))
        if not places and kind is FieldType.TEXT and isinstance(value, str):
            places = self._in_parts(value, pages)
        return places

    def best(self, field: Field, places: Sequence[Place], near: Sequence[Location] = ()) -> Place:
        """Return the likeliest place of the field: that of another reading, else the one beside its label."""
        if len(places) == 1:
            return places[0]
        for place in places:
            if any(_overlap(location, other) for location in place for other in near):
                return place
        return min(places, key=lambda place: self._distance(field, place[0]))

    def _on(self, pages: frozenset[int], places: Iterable[Place]) -> list[Place]:
        """Return those on ``pages``, from top to bottom."""
        here = (place for place in places if place and place[0].page in pages)
        return sorted(here, key=lambda place: (place[0].page, place[0].box.middle))

    def _in_parts(self, value: str, pages: frozenset[int]) -> list[Place]:
        """Return places of a value over several lines or columns; all its parts must be on one page."""
        parts = [part for part in _PARTS.split(value) if len(key(part)) >= _SHORTEST_PART]
        if len(parts) < 2:
            return []
        part_places = [self._on(pages, self._lookup.places(part, FieldType.TEXT)) for part in parts]
        if not all(part_places):
            return []
        for anchor in part_places[0]:
            page, top = anchor[0].page, anchor[0].box.top
            chosen = []
            for places in part_places:
                here = [place for place in places if place[0].page == page]
                if not here:
                    break
                chosen.append(min(here, key=lambda place: abs(place[0].box.top - top)))
            else:
                return [tuple(location for place in chosen for location in place)]
        return []

    def _distance(self, field: Field, location: Location) -> float:
        """Return how far the nearest label of the field is before or above a place; inf without one."""
        distances = (label.distance(location.box) for label in self._labels(location.page, field))
        return min(distances, default=inf)

    def _find_labels(self, number: int, field: Field) -> list[LabelMatch]:
        view = next(page for page in views_of(self._document).pages if page.number == number)
        target = query_of(field)
        return [label for label in LabelFinder([target]).find(view) if target.weight(label.form)]


def _overlap(a: Location, b: Location) -> bool:
    x, y = a.box, b.box
    return (
        a.page == b.page and x.left < y.right and y.left < x.right and x.top < y.bottom and y.top < x.bottom
    )
