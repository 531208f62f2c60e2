"""Saving one value of a document from the grid of unsure values."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field as Property

from docduck.errors import Conflict, Forbidden, InputError
from docduck.fields import FieldType
from docduck.service.accounts.caller import TeamUser
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.corrections.entered_values import parse_entered, shown_text
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parser_settings import date_order_of
from docduck.service.parsers.parsers import get_parser
from docduck.service.reviews.user_rights import may_correct
from docduck.web.sent_json import Sent

_LONGEST_TEXT = 10_000

Text = Annotated[str, Property(max_length=_LONGEST_TEXT)]


class SavedValue(Sent):
    """What was entered for a field, by its id, and the text that the page showed."""

    field: Text
    text: Text
    seen: Text


def save_value(inst: Installation, user: TeamUser, document_id: str, saved: SavedValue) -> str:
    """Save what was entered, or confirm it if it is what was read; return the text of the value.

    Raise NotFound, Forbidden, InputError, and Conflict if somebody changed the value since it was shown.
    """
    document = get_document(inst, user.team_id, document_id)
    if document.parser_id is None or not may_correct(user, document):
        raise Forbidden("You can't change this document now")
    parser = get_parser(inst, user.team_id, document.parser_id)
    field = next((one for one in parser.fields if str(one.id) == saved.field), None)
    if field is None or field.type is FieldType.TABLE:
        raise InputError("There is no such field any more; load the page again")
    present = shown_text(field, document.data.get(field.name))
    if present != saved.seen:
        raise Conflict(f"Somebody else has set it to '{present}' meanwhile")
    data = parse_entered(parser.fields, {saved.field: saved.text}, date_order_of(parser.settings))
    set_values(
        inst,
        user.team_id,
        parser.id,
        document.id,
        data,
        reviewer_id=user.user_id,
        actor=user.actor,
    )
    return shown_text(field, data[field.name])
