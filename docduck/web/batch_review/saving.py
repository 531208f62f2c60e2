"""Saving one value of a document from the grid of unsure values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field as Property

from docduck.errors import Conflict, InputError
from docduck.fields import FieldType
from docduck.service.corrections.corrections import confirm_values, set_values, undo_change
from docduck.service.corrections.entered_values import parse_entered, shown_text
from docduck.service.corrections.lesson_reach import lesson_reach
from docduck.service.parsers.parser_settings import date_order_of
from docduck.web.documents.saving import correctable, told_learning
from docduck.web.documents.value_paths import field_of, key_at, value_at
from docduck.web.member import Visit
from docduck.web.visit import Sent

_LONGEST_TEXT = 10_000

Text = Annotated[str, Property(max_length=_LONGEST_TEXT)]


class SavedValue(Sent):
    """What was entered for the value at a path, and the text that the page showed; or that the last change of
    it is undone.
    """

    path: Text
    text: Text
    seen: Text
    undo: bool = False


def save_value(at: Visit, document_id: str, saved: SavedValue) -> dict[str, str]:
    """Save what was entered, or confirm it if it is what was read, or undo that.

    Return the value's ``text``, and what is ``told`` of a correction: for which documents it is learned.

    Raise NotFound, Forbidden, InputError, and Conflict if somebody changed the value since it was shown.
    """
    document, parser = correctable(at, document_id)
    ids, me = (*at.team, parser.id, document.id), at.user.user_id
    key = key_at(parser.fields, saved.path)
    field = field_of(parser.fields, key)
    if saved.undo:
        undone = undo_change(*ids, reviewer_id=me, actor=at.user.actor, seen=document.updated_at)
        return {"text": shown_text(field, value_at(undone.data, key)), "told": ""}
    if field.type is FieldType.TABLE:
        raise InputError("Tables are corrected on the document's page")
    present = shown_text(field, value_at(document.data, key))
    if present != saved.seen:
        raise Conflict(f"Somebody else has set it to '{present}' meanwhile", code="changed_meanwhile")
    entered = parse_entered([field], {str(field.id): saved.text}, date_order_of(parser.settings))[field.name]
    text = shown_text(field, entered)
    if text == present:
        confirm_values(*ids, only=[key], reviewer_id=me, actor=at.user.actor, seen=document.updated_at)
        return {"text": text, "told": ""}
    data = {key[0]: entered if len(key) == 1 else _with_cell(document.data[key[0]], key[1], key[2], entered)}
    set_values(
        *ids,
        data,
        below=document.unsure_below,
        reviewer_id=me,
        actor=at.user.actor,
        seen=document.updated_at,
    )
    return {"text": text, "told": told_learning(parser.name, lesson_reach(*ids))}


def _with_cell(
    rows: Sequence[Mapping[str, Any]], number: int, column: str, value: Any
) -> list[dict[str, Any]]:
    """Return the rows of a table with another value of one cell."""
    return [{**row, column: value} if at == number else dict(row) for at, row in enumerate(rows)]
