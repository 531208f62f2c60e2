"""Documents as cards: the values that matter, those to look at first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docduck.fields import Field
from docduck.service.documents.queries.document_views import DocumentView
from docduck.service.reviews.concerns import Concerns, concerns_of, earlier_reviewers
from docduck.web.batch_review.crops import Crop, crop_of
from docduck.web.documents.shown_values import ShownField, ShownValue, doubts_of, shown_fields
from docduck.web.documents.value_paths import key_at, value_at

_MOST_VALUES, _MOST_DOUBTS = 6, 10


@dataclass(frozen=True, slots=True)
class CardValue:
    """A value on a card."""

    name: str
    value: ShownValue
    crop: Crop | None


@dataclass(frozen=True, slots=True)
class Card:
    """A document: some of its values, how many are to be looked at, how many of these are not among them, and
    what looks wrong.

    ``tables`` are the names of tables with their numbers of rows.
    """

    document: DocumentView
    parser: str
    values: Sequence[CardValue]
    doubts: int
    more_doubts: int
    concerns: Concerns
    tables: Sequence[tuple[str, int]]


def card_of(document: DocumentView, fields: Sequence[Field], parser: str, user_id: str) -> Card:
    """Return the card of a document of a parser with these fields, as the user is to look at it."""
    earlier = earlier_reviewers(document, user_id)
    plain, tables = shown_fields(
        fields, document.data, document.field_metadata, document.unsure_below, earlier=earlier
    )
    doubts = doubts_of(plain, tables)
    chosen = [(doubt.name, doubt.value) for doubt in doubts[:_MOST_DOUBTS]]
    known = {value.path for _, value in chosen}
    others = [(shown.field.name, shown.value) for shown in _by_weight(plain) if shown.value.path not in known]
    chosen += others[: max(0, _MOST_VALUES - len(chosen))]
    return Card(
        document,
        parser,
        [CardValue(name, value, _crop(document, fields, value.path)) for name, value in chosen],
        len(doubts),
        len(doubts[_MOST_DOUBTS:]),
        concerns_of(fields, document),
        [(table.field.name, len(table.rows)) for table in tables],
    )


def _by_weight(fields: Sequence[ShownField]) -> Iterator[ShownField]:
    """Yield the fields that have to have a value, then others that have one, in their order."""
    yield from (shown for shown in fields if shown.field.required)
    yield from (shown for shown in fields if not shown.field.required and shown.value.text)


def _crop(document: DocumentView, fields: Sequence[Field], path: str) -> Crop | None:
    entry = value_at(document.field_metadata, key_at(fields, path))
    return crop_of(document.id, (entry or {}).get("locations") or ())
