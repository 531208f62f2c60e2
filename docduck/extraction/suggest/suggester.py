"""Proposes fields: values under the labels that a sample prints, named as printed, and tables.

Every proposal is tried: a field that is not found on the sample, where its label is, is not proposed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from operator import itemgetter
from typing import Any

from docduck.documents.document import Document
from docduck.extraction.normal_text import key
from docduck.extraction.options import ExtractOptions, ReadingLocale
from docduck.extraction.page.locale import locale_of
from docduck.extraction.page.page_view import views_of
from docduck.extraction.result import Extraction
from docduck.extraction.run_extractors import extract_document
from docduck.extraction.suggest.known_labels import KnownLabel, find_known_labels
from docduck.extraction.suggest.naming import Names
from docduck.extraction.suggest.pairs import Pair, find_pairs
from docduck.extraction.suggest.tables import as_field, find_tables
from docduck.fields import Field, FieldType

_PAGES = 5
_MOST_FIELDS, _MOST_TABLES = 60, 8
_LEAST_SURE = 0.4
_NEAR = 0.03
"""How far a value may be read above or below the one that was seen, as a part of the page's height."""

_Spot = tuple[int, float, float]
"""A page's number, and the upper and left edge of a value on it."""


def read_suggestions(document: Document) -> Extraction:
    """Return fields and tables for documents like this sample, and what they read from it.

    The ``fields`` are in the order of the page, tables last.
    """
    sample = Document(
        document.content_type,
        document.pages[:_PAGES],
        document.page_count,
        document.attachments,
        mail=document.mail,
    )
    locale = locale_of(sample.text, ReadingLocale())
    names = Names()
    tables: dict[tuple[str, ...], Field] = {}
    seen = _Seen()
    for page, view in zip(sample.pages, views_of(sample).pages, strict=True):
        rows: set[int] = set()
        for table in find_tables(page, view, locale):
            header = tuple(key(text) for text in table.header)
            if header not in tables and len(tables) < _MOST_TABLES:
                tables[header] = as_field(table, names, locale)
            rows |= table.heads
            seen.heads.update(header)
        for pair in find_pairs(view, locale, rows):
            seen.pairs[key(pair.name)].append(pair)
        for label in find_known_labels(view, rows):
            seen.labels[key(label.name)].append(label)
    proposed = [(name, type_) for name, type_ in seen.names() if names.is_free(name)][:_MOST_FIELDS]
    scalars = [Field(name=names.take(name), type=type_) for name, type_ in proposed]
    proposals = [*scalars, *tables.values()]
    extraction = extract_document(sample, proposals, ExtractOptions(tables="enabled", markdown=False))
    suggested = [field for field, _ in sorted(seen.found(scalars, extraction), key=itemgetter(1))]
    suggested += [whole for table in tables.values() if (whole := _with_found_columns(table, extraction))]
    return extraction.complete(_numbered(suggested))


@dataclass(frozen=True, slots=True)
class _Seen:
    """What pages print as labels with values, and labels that are known, by the normal form of their name."""

    pairs: dict[str, list[Pair]] = field(default_factory=lambda: defaultdict(list))
    labels: dict[str, list[KnownLabel]] = field(default_factory=lambda: defaultdict(list))
    heads: set[str] = field(default_factory=set)
    """The names of columns, in their normal form."""

    def names(self) -> Iterator[tuple[str, FieldType]]:
        """Yield each name with the type of its values."""
        for form in dict.fromkeys([*self.pairs, *self.labels]):
            first = (self.pairs.get(form) or self.labels[form])[0]
            yield first.name, first.type

    def found(self, fields: Sequence[Field], extraction: Extraction) -> Iterator[tuple[Field, _Spot]]:
        """Yield the fields whose values were read at their labels, each with its own place."""
        nearest: dict[_Spot, tuple[float, Field]] = {}
        cells = set(_cells(extraction))
        labels = {*self.pairs, *self.heads}
        for each in fields:
            value, entry = extraction.data[each.name], extraction.field_metadata.get(each.name)
            # A label is no value of another.
            if value in (None, []) or key(str(value)) in labels or not entry or not entry["locations"]:
                continue
            spot = _spot(entry["locations"][0])
            apart = inf if spot in cells else self._distance(key(each.name), entry)
            if apart < nearest.get(spot, (inf, each))[0]:
                nearest[spot] = apart, each
        for spot, (_, each) in nearest.items():
            yield each, spot

    def _distance(self, form: str, entry: Mapping[str, Any]) -> float:
        """Return how far a value was read from the labels of this form; -1 if it is paired with one."""
        if any(_is_same(pair, entry) for pair in self.pairs.get(form, ())):
            return -1.0
        if form not in self.labels or (entry["confidence"] or 0) < _LEAST_SURE:
            return inf
        return min(label.distance(entry["locations"][0]) for label in self.labels[form])


def _cells(extraction: Extraction) -> Iterator[_Spot]:
    """Yield the places of the cells of tables, but of rows that are mostly empty, as sums are."""
    for name, rows in extraction.field_metadata.items():
        if not isinstance(rows, list):
            continue
        for row, values in zip(rows, extraction.data[name], strict=True):
            filled = [cell for cell in row.values() if cell["locations"]]
            if 2 * len(filled) > len(values):
                yield from (_spot(cell["locations"][0]) for cell in filled)


def _spot(place: Mapping[str, Any]) -> _Spot:
    # Words of one line may differ in height.
    return place["page"], round(place["bbox"]["top"], 2), place["bbox"]["left"]


def _is_same(pair: Pair, entry: Mapping[str, Any]) -> bool:
    """Return whether a value was read where the pair has it, or the same words elsewhere."""
    return any(
        key(place["text"]) == key(pair.value)
        or (place["page"] == pair.place.page and abs(place["bbox"]["top"] - pair.place.box.top) < _NEAR)
        for place in entry["locations"]
    )


def _with_found_columns(table: Field, extraction: Extraction) -> Field | None:
    """Return a table with the columns that are found, None without any."""
    columns = tuple(
        column
        for column in table.columns
        if any(row.get(column.name) not in (None, []) for row in extraction.data[table.name])
    )
    return table.model_copy(update={"columns": columns}) if columns else None


def _numbered(fields: Sequence[Field]) -> list[Field]:
    return [field.model_copy(update={"position": number}) for number, field in enumerate(fields)]
