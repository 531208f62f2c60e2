"""Documents as cards: the values that matter, those to look at first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docduck.fields import Field
from docduck.service.documents.queries.document_views import DocumentView
from docduck.web.batch_review.crops import Crop, crop_of
from docduck.web.documents.shown_values import ShownField, ShownValue, doubts_of, problems_at, shown_fields

_MOST_VALUES, _MOST_DOUBTS = 6, 10


@dataclass(frozen=True, slots=True)
class CardValue:
    """A value on a card."""

    name: str
    value: ShownValue
    crop: Crop | None


@dataclass(frozen=True, slots=True)
class Card:
    """A document: some of its values, the number of further ones to look at, and its failed checks.

    ``tables`` are the names of tables with their numbers of rows.
    """

    document: DocumentView
    stage: str
    parser: str
    values: Sequence[CardValue]
    more_doubts: int
    problems: Sequence[str]
    tables: Sequence[tuple[str, int]]


def card_of(document: DocumentView, fields: Sequence[Field], parser: str, stage: str) -> Card:
    """Return the card of a document of a parser with these fields."""
    plain, tables = shown_fields(fields, document.data, document.field_metadata, document.unsure_below)
    doubts = doubts_of(plain, tables)
    chosen = [(doubt.name, doubt.value) for doubt in doubts[:_MOST_DOUBTS]]
    known = {value.path for _, value in chosen}
    others = [(one.name, one.value) for one in _by_weight(plain) if one.value.path not in known]
    chosen += others[: max(0, _MOST_VALUES - len(chosen))]
    return Card(
        document,
        stage,
        parser,
        [CardValue(name, value, _crop(document, fields, value.path)) for name, value in chosen],
        len(doubts[_MOST_DOUBTS:]),
        failed_checks(document, fields),
        [(table.name, len(table.rows)) for table in tables],
    )


def failed_checks(document: DocumentView, fields: Sequence[Field]) -> list[str]:
    """Return the messages of all checks that a document's values fail."""
    shown = shown_fields(fields, document.data, document.field_metadata, document.unsure_below)
    return [message for messages in problems_at(*shown).values() for message in messages]


def _by_weight(fields: Sequence[ShownField]) -> Iterator[ShownField]:
    """Yield the fields that have to have a value, then others that have one, in their order."""
    yield from (field for field in fields if field.is_required)
    yield from (field for field in fields if not field.is_required and field.value.text)


def _crop(document: DocumentView, fields: Sequence[Field], path: str) -> Crop | None:
    entry: Any = evidence_at(document.field_metadata, fields, path)
    return crop_of(document.id, entry.get("locations") or ()) if isinstance(entry, Mapping) else None


def evidence_at(evidence: Mapping[str, Any], fields: Sequence[Field], path: str) -> Any:
    """Return what ``field_metadata`` has of a value: of a field's id, or ``table.row.column``."""
    key, _, cell = path.partition(".")
    field = next(one for one in fields if str(one.id) == key)
    entry = evidence.get(field.name)
    if not cell:
        return entry
    row, _, column_key = cell.partition(".")
    column = next(one for one in field.columns if str(one.id) == column_key)
    return entry[int(row)].get(column.name) if entry else None
