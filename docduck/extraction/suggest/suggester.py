"""Proposes fields: what the lexicon knows under clean names, other labelled values, and tables.

Every proposal is tried: a field that the engines do not then find on the sample is not proposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docduck.documents.model import Document
from docduck.extraction.engine import extract_document
from docduck.extraction.layout.labels import LabelFinder
from docduck.extraction.lexicon import Concept, entries, scalar_concepts
from docduck.extraction.locale import locale_of
from docduck.extraction.options import ExtractOptions, ReadingLocale
from docduck.extraction.result import Extraction
from docduck.extraction.suggest.naming import Names, cleaned, spelled
from docduck.extraction.suggest.pairs import pairs_of
from docduck.extraction.suggest.tables import as_field, tables_of
from docduck.extraction.values.text import key
from docduck.extraction.view import PageView
from docduck.fields import Field, FieldType

_PAGES = 5
_MOST_FIELDS, _MOST_TABLES = 60, 8
_LEAST_SURE = 0.4
_TYPES = {"amount": FieldType.CURRENCY, "date": FieldType.DATE, "percent": FieldType.NUMBER}
_PARTS_OF_ADDRESSES = frozenset({"street", "zip", "city", "country"})
_UNLABELLED = ("seller_name", "seller_address", "buyer_name", "buyer_address", "currency")
"""What documents about money show without a label."""
_MONEY = frozenset({"grand_total", "amount_due", "invoice_number"})


@dataclass(frozen=True, slots=True)
class _Proposal:
    field: Field
    place: tuple[int, float]


def suggest_fields(document: Document) -> list[Field]:
    """Fields and tables for documents like this sample, in the order of the page, tables last."""
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
        for seen in tables_of(page, view, locale):
            header = tuple(key(one) for one in seen.header)
            if header not in tables and len(tables) < _MOST_TABLES:
                tables[header] = as_field(seen, names, locale)
            rows |= seen.rows
        taken.append(rows)
    known, settled = _known(sample, views, list(tables.values()), names)
    proposals = known
    for number, (view, rows) in enumerate(zip(views, taken, strict=True)):
        for pair in pairs_of(view, locale, rows):
            name = cleaned(pair.label)
            if {key(pair.label), key(pair.value)} & settled or not names.is_free(name):
                continue
            if len(proposals) < _MOST_FIELDS:
                field = Field(name=names.take(name), type=pair.type)
                proposals.append(_Proposal(field, (number, pair.top)))
    proposals.sort(key=lambda one: one.place)
    wanted = [one.field for one in proposals] + list(tables.values())
    found = extract_document(sample, wanted, ExtractOptions(tables="enabled"))
    return _numbered([kept for field in wanted if (kept := _kept(field, found))])


def _known(
    document: Document, views: Sequence[PageView], tables: Sequence[Field], names: Names
) -> tuple[list[_Proposal], set[str]]:
    """Fields for the concepts that the document shows; and what else needs no field: labels and values."""
    finder = LabelFinder([])
    seen = dict.fromkeys(name for view in views for label in finder.find(view) for name in label.concepts)
    if _MONEY & seen.keys():
        seen.update(dict.fromkeys(_UNLABELLED))
    pool = scalar_concepts()
    asked = {
        name: _field(pool[name])
        for name in seen
        if name in pool and pool[name].kind not in _PARTS_OF_ADDRESSES
    }
    found = extract_document(document, [*asked.values(), *tables], ExtractOptions(tables="enabled"))
    proposals: list[_Proposal] = []
    places: dict[tuple[object, ...], float] = {}
    sure = {
        name: found.field_metadata.get(field.name, {}).get("confidence", 0.0) for name, field in asked.items()
    }
    for name in sorted(asked, key=lambda one: -sure[one]):
        field = asked[name]
        entry = found.field_metadata.get(field.name)
        if (
            entry is None
            or found.data[field.name] is None
            or sure[name] < _LEAST_SURE
            or not entry["locations"]
        ):
            continue
        place = entry["locations"][0]
        spot = (place["page"], place["bbox"]["top"], place["bbox"]["left"])
        if spot in places or not names.is_free(field.name):
            continue
        places[spot] = sure[name]
        names.take(field.name)
        top = place["bbox"]["top"] * views[0].height
        number = next(i for i, page in enumerate(document.pages) if page.number == place["page"])
        proposals.append(_Proposal(field, (number, top)))
    told = {form for name in asked for form in pool[name].labels} | _words("page") | _words("continued")
    return proposals, told | {key(str(found.data[one.field.name])) for one in proposals}


def _field(concept: Concept) -> Field:
    name = spelled(concept.spelled[0] if concept.spelled else concept.name.replace("_", " "))
    return Field(name=name, type=_TYPES.get(concept.kind, FieldType.TEXT))


def _kept(field: Field, found: Extraction) -> Field | None:
    """The field if the engines find it, a table with the columns that they find."""
    value = found.data.get(field.name)
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
    return [field.model_copy(update={"position": number}) for number, field in enumerate(fields, start=1)]
