"""The places at which a document prints values that people gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docduck.documents.document import Box, Document, Line, Page, Word
from docduck.extraction.extractors.learned.spans import block_of, describe, tokens_at
from docduck.extraction.fields.field_query import FieldQuery, query_of
from docduck.extraction.learned_layout import PrintedPlace
from docduck.extraction.page.lookup import Lookup
from docduck.extraction.page.page_view import PageViews, location, views_of
from docduck.extraction.result import Location, ValueKey
from docduck.fields import Field, FieldType

_SAME_ROW = 0.008
"""How far the middles of two values of one row may be apart, as a part of the page's height."""
_MOST_PLACED = 500


@dataclass(frozen=True, slots=True)
class PrintedValue:
    """Where a value is printed: a location for each line, and the position among other words."""

    locations: tuple[Location, ...]
    place: PrintedPlace


class PrintedValues:
    """A document, in which values are looked up."""

    def __init__(self, document: Document) -> None:
        self.view = views_of(document)
        self.lookup = Lookup(_by_tokens(self.view))

    def find(self, target: FieldQuery, value: Any, shown: Location | None = None) -> PrintedValue | None:
        """Return where a field's value is most likely read from, None if it is not printed.

        Positions at which a person ``shown`` it come before all others.
        """
        kind = FieldType.TEXT if target.field.type is FieldType.CHOICE else target.field.type
        places = self.lookup.places(value, kind)
        if shown is not None:
            places = [locations for locations in places if _touches(locations, shown)] or places
        positions = [tokens_at(self.view, locations) for locations in places]
        if not positions and target.field.type is FieldType.TEXT:
            positions = [block_of(self.view, str(value))]
        text = str(value) if target.field.type is FieldType.TEXT else ""
        best: tuple[float, PrintedValue] | None = None
        for index, lines in enumerate(positions):
            place = describe(self.view, lines, text) if lines else None
            if place is None:
                continue
            label = max(target.weight(form) for form in (place.before, place.beside, place.above))
            labelled = 0.1 if place.before or place.beside else 0.0
            score = label + labelled - 0.01 * index
            if best is None or score > best[0]:
                best = (score, PrintedValue(tuple(map(location, lines)), place))
        return best[1] if best else None

    def locate(
        self, fields: Sequence[Field], data: Mapping[str, Any], unplaced: Mapping[ValueKey, Location | None]
    ) -> list[tuple[Location, ...]]:
        """Return where each of the ``unplaced`` values of ``data`` is printed; nowhere if it is not.

        Each comes with the place of another value in its row of a table, if there is one. A value of a row
        without any must be printed once only. At most ``_MOST_PLACED`` are looked up.
        """
        known = {field.name: field for field in fields}
        located = [
            self._place(known[key[0]], data[key[0]], key, row_place)
            for key, row_place in list(unplaced.items())[:_MOST_PLACED]
        ]
        return located + [()] * (len(unplaced) - len(located))

    def _place(
        self, field: Field, value: Any, key: ValueKey, row_place: Location | None
    ) -> tuple[Location, ...]:
        if len(key) == 3:
            column = next(column for column in field.columns if column.name == key[2])
            return self._in_row(column, value[key[1]].get(column.name), row_place)
        if field.type is FieldType.LIST:
            items = [self.lookup.places(item, FieldType.TEXT) for item in value]
            return tuple(place for item in items if item for place in item[0])
        printed = self.find(query_of(field), value)
        return printed.locations if printed else ()

    def _in_row(self, column: Field, value: Any, row_place: Location | None) -> tuple[Location, ...]:
        kind = FieldType.TEXT if column.type is FieldType.CHOICE else column.type
        places = self.lookup.places(value, kind)
        if row_place is None:
            return places[0] if len(places) == 1 else ()
        for place in places:
            if place[0].page == row_place.page and (
                abs(place[0].box.middle - row_place.box.middle) < _SAME_ROW
            ):
                return place
        return ()


def _by_tokens(view: PageViews) -> Document:
    """Return the document with the view's tokens as words, row by row."""
    pages = []
    for page in view.pages:
        words = (tuple(Word(t.text, location([t]).box) for t in s.tokens) for s in page.segments)
        lines = [Line(some, Box.around(word.box for word in some)) for some in words]
        pages.append(Page(page.number, page.width, page.height, lines))
    return Document("", pages, len(pages))


def _touches(locations: Sequence[Location], shown: Location) -> bool:
    box = shown.box
    return any(
        place.page == shown.page
        and box.left < place.box.right
        and place.box.left < box.right
        and box.top < place.box.middle < box.bottom
        for place in locations
    )
