"""Unsure values of many documents, grouped by field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from docduck.errors import InputError
from docduck.fields import Field, FieldType
from docduck.service.accounts.caller import TeamUser
from docduck.service.core.installation import Installation
from docduck.service.corrections.entered_values import shown_text
from docduck.service.documents.queries.document_views import show_document
from docduck.service.documents.queries.unsure_values import UnsureValue, unsure_values
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.reviews.user_rights import may_correct
from docduck.web.batch_review.crops import Crop, crop_of

_MOST_VALUES, _MOST_LOOKS = 50, 5


@dataclass(frozen=True, slots=True)
class GridValue:
    """A value in the grid, of a field or column; a whole table is corrected on the document's page."""

    value: UnsureValue
    path: str
    field: Field
    text: str
    crop: Crop | None


@dataclass(slots=True)
class Group:
    """The values of one field of a parser."""

    parser: str
    name: str
    values: list[GridValue] = field(default_factory=list)


def unsure_groups(
    inst: Installation, user: TeamUser, parser_id: str | None, cursor: str | None
) -> tuple[Sequence[Group], str | None]:
    """Return unsure values that the user may correct, by field, and where to go on; None at the end.

    Raise InputError for an unknown cursor.
    """
    groups: dict[tuple[str, str], Group] = {}
    parsers: dict[str, ParserView] = {}
    allowed: dict[str, bool] = {}
    count = 0
    # Others' documents are passed over, for a limited time: each look takes some seconds at most.
    for _ in range(_MOST_LOOKS):
        batch = unsure_values(
            inst, user.team_id, parser_id, limit=_MOST_VALUES, cursor=cursor, reviewer_id=user.user_id
        )
        cursor = batch.cursor
        for value in batch.cells:
            if value.document_id not in allowed:
                document = show_document(inst, user.team_id, None, value.document_id)
                allowed[value.document_id] = may_correct(user, document)
            if not allowed[value.document_id]:
                continue
            if value.parser_id not in parsers:
                parsers[value.parser_id] = get_parser(inst, user.team_id, value.parser_id)
            parser = parsers[value.parser_id]
            group = groups.setdefault((parser.id, value.field), Group(parser.name, value.field))
            group.values.append(_grid_value(parser, value))
            count += 1
        if cursor is None or count:
            break
    return list(groups.values()), cursor


def _grid_value(parser: ParserView, unsure: UnsureValue) -> GridValue:
    path, of = _place(parser, unsure)
    text = shown_text(of, unsure.value) if of.type is not FieldType.TABLE else ""
    return GridValue(unsure, path, of, text, crop_of(unsure.document_id, unsure.places))


def _place(parser: ParserView, unsure: UnsureValue) -> tuple[str, Field]:
    """Return the path of a value, and its field or column."""
    for of in parser.fields:
        if unsure.row is None and of.name == unsure.field:
            return str(of.id), of
        for column in of.columns:
            if unsure.row is not None and f"{of.name}.{column.name}" == unsure.field:
                return f"{of.id}.{unsure.row - 1}.{column.id}", column
    raise InputError(f"There is no field '{unsure.field}' any more; load the page again")
