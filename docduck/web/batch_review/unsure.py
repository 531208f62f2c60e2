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
        found = unsure_values(inst, user.team_id, parser_id, limit=_MOST_VALUES, cursor=cursor)
        cursor = found.cursor
        for one in found.cells:
            if one.document_id not in allowed:
                document = show_document(inst, user.team_id, None, one.document_id)
                allowed[one.document_id] = may_correct(user, document)
            if not allowed[one.document_id]:
                continue
            if one.parser_id not in parsers:
                parsers[one.parser_id] = get_parser(inst, user.team_id, one.parser_id)
            parser = parsers[one.parser_id]
            group = groups.setdefault((parser.id, one.field), Group(parser.name, one.field))
            group.values.append(_grid_value(parser, one))
            count += 1
        if cursor is None or count:
            break
    return list(groups.values()), cursor


def _grid_value(parser: ParserView, one: UnsureValue) -> GridValue:
    path, of = _place(parser, one)
    text = shown_text(of, one.value) if of.type is not FieldType.TABLE else ""
    return GridValue(one, path, of, text, crop_of(one.document_id, one.places))


def _place(parser: ParserView, one: UnsureValue) -> tuple[str, Field]:
    """Return the path of a value, and its field or column."""
    for of in parser.fields:
        if one.row is None and of.name == one.field:
            return str(of.id), of
        for column in of.columns:
            if one.row is not None and f"{of.name}.{column.name}" == one.field:
                return f"{of.id}.{one.row - 1}.{column.id}", column
    raise InputError(f"There is no field '{one.field}' any more; load the page again")
