"""Proposes fields: values under the labels that a sample prints, named as printed, and tables.

Every proposal is tried: a field that is not found on the sample is not proposed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from docduck.documents.document import Document
from docduck.extraction.extractors.layout.labels.label_finder import LabelFinder, LabelMatch
from docduck.extraction.lexicon import Concept, entries, scalar_concepts
from docduck.extraction.normal_text import key
from docduck.extraction.options import ExtractOptions, ReadingLocale
from docduck.extraction.page.locale import locale_of
from docduck.extraction.page.page_view import PageView
from docduck.extraction.result import Extraction
from docduck.extraction.run_extractors import extract_document
from docduck.extraction.suggest.naming import Names, cleaned
from docduck.extraction.suggest.pairs import find_pairs
from docduck.extraction.suggest.tables import as_field, find_tables
from docduck.fields import Field, FieldType

_PAGES = 5
_MOST_FIELDS, _MOST_TABLES = 60, 8
_LEAST_SURE = 0.4
_TYPES = {"amount": FieldType.CURRENCY, "date": FieldType.DATE, "percent": FieldType.NUMBER}
_PARTS_OF_ADDRESSES = frozenset({"street", "zip", "city", "country"})
_MOST_LINES = 4
"""Line heights that a label may be above its value."""


@dataclass(frozen=True, slots=True)
class _Proposal:
    field: Field
    place: tuple[int, float]


def suggest_fields(document: Document) -> list[Field]:
    """Return fields and tables for documents like this sample, in the order of the page, tables last."""
    return list(read_suggestions(document).fields)


def read_suggestions(document: Document) -> Extraction:
    """Return what the suggested ``fields`` read from their sample."""
    sample = Document(
        document.content_type,
        document.pages[:_PAGES],
        document.page_count,
        document.attachments,
        mail=document.mail,
    )
    locale = locale_of(sample.text, ReadingLocale())
    views = [PageView(page) for page in sample.pages]
    names = Names()
    tables: dict[tuple[str, ...], Field] = {}
    taken: list[set[int]] = []
    for page, view in zip(sample.pages, views, strict=True):
        rows: set[int] = set()
        for seen in find_tables(page, view, locale):
            header = tuple(key(text) for text in seen.header)
            if header not in tables and len(tables) < _MOST_TABLES:
                tables[header] = as_field(seen, names, locale)
            rows |= seen.rows
        taken.append(rows)
    known, settled = _known(sample, views, list(tables.values()), names)
    proposals = known
    for number, (view, rows) in enumerate(zip(views, taken, strict=True)):
        for pair in find_pairs(view, locale, rows):
            name = cleaned(pair.label)
            if {key(pair.label), key(pair.value)} & settled or not names.is_free(name):
                continue
            if len(proposals) < _MOST_FIELDS:
                field = Field(name=names.take(name), type=pair.type)
                proposals.append(_Proposal(field, (number, pair.top)))
    proposals.sort(key=lambda proposal: proposal.place)
    wanted = [proposal.field for proposal in proposals] + list(tables.values())
    extraction = extract_document(sample, wanted, ExtractOptions(tables="enabled", markdown=False))
    return extraction.complete(_numbered([kept for field in wanted if (kept := _kept(field, extraction))]))


def _known(
    document: Document, views: Sequence[PageView], tables: Sequence[Field], names: Names
) -> tuple[list[_Proposal], set[str]]:
    """Return fields for the printed labels that the lexicon knows; and what needs no further field.

    These are other labels of the same concepts, and the values that were found.
    """
    pool = scalar_concepts()
    finder = LabelFinder([])
    proposed: dict[str, Field] = {}
    labels: dict[str, list[tuple[PageView, LabelMatch]]] = {}
    settled = _words("page") | _words("continued")
    for view in views:
        for label in finder.find(view):
            name = cleaned(" ".join(token.text for token in label.tokens))
            meant = _meant(pool, label)
            if not meant or not names.is_free(name):
                continue
            settled.update(form for concept in meant for form in concept.labels)
            proposed.setdefault(key(name), Field(name=name, type=_type(meant)))
            labels.setdefault(key(name), []).append((view, label))
    extraction = extract_document(
        document, [*proposed.values(), *tables], ExtractOptions(tables="enabled", markdown=False)
    )
    nearest: dict[tuple[object, ...], tuple[float, Field]] = {}
    for form, field in proposed.items():
        entry = extraction.field_metadata.get(field.name)
        if extraction.data[field.name] is None or not entry or entry["confidence"] < _LEAST_SURE:
            continue
        for place in entry["locations"][:1]:
            apart = min(_distance(view, label, place) for view, label in labels[form])
            spot = (place["page"], place["bbox"]["top"], place["bbox"]["left"])
            if apart < nearest.get(spot, (inf, field))[0]:
                nearest[spot] = (apart, field)
    numbers = {page.number: index for index, page in enumerate(document.pages)}
    proposals = []
    for (page, top, _), (_, field) in nearest.items():
        number = numbers[int(str(page))]
        proposals.append(_Proposal(field, (number, float(str(top)) * views[number].height)))
        names.take(field.name)
    return proposals, settled | {key(str(extraction.data[proposal.field.name])) for proposal in proposals}


def _meant(pool: Mapping[str, Concept], label: LabelMatch) -> list[Concept]:
    """Return what a label can announce, but for parts of an address."""
    known = (pool[name] for name in sorted(label.concepts) if name in pool)
    return [concept for concept in known if concept.kind not in _PARTS_OF_ADDRESSES]


def _type(meant: Sequence[Concept]) -> FieldType:
    """Return the type of all these concepts; text if they differ, as with a label that is one word."""
    types = {_TYPES.get(concept.kind, FieldType.TEXT) for concept in meant}
    return types.pop() if len(types) == 1 else FieldType.TEXT


def _distance(view: PageView, label: LabelMatch, place: Mapping[str, Any]) -> float:
    """Return how far, in line heights, a label is before a value or above it; inf if it is neither."""
    box = place["bbox"]
    left, top = box["left"] * view.width, box["top"] * view.height
    right, bottom = left + box["width"] * view.width, top + box["height"] * view.height
    above, below = label.tokens[0].top, label.tokens[0].bottom
    if place["page"] != view.number:
        return inf
    if above < bottom and below > top:
        return max(0.0, left - label.right) / view.line_height / 10 if label.left < right else inf
    lines = (top - below) / view.line_height
    beneath = -0.5 < lines < _MOST_LINES and label.left < right and label.right > left
    return 1 + max(0.0, lines) if beneath else inf


def _kept(field: Field, extraction: Extraction) -> Field | None:
    """Return the field if it is found, a table with the columns that are found."""
    value = extraction.data.get(field.name)
    if field.type is not FieldType.TABLE:
        return field if value not in (None, []) else None
    columns = tuple(
        column
        for column in field.columns
        if any(row.get(column.name) not in (None, []) for row in value or [])
    )
    return field.model_copy(update={"columns": columns}) if columns else None


def _words(group: str) -> set[str]:
    return {key(word) for word in entries("paging")[group]}


def _numbered(fields: Sequence[Field]) -> list[Field]:
    return [field.model_copy(update={"position": number}) for number, field in enumerate(fields)]
