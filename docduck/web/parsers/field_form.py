"""The form of a field: every setting of a field and of its columns.

Only what was changed in the form is sent on, so that all else stays as it is. Settings of the column number 2
are named ``columns.2.name`` and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from docduck.api.schemas.fields import ColumnInput, FieldInput
from docduck.errors import InputError
from docduck.fields import Field, FieldType
from docduck.web.controls import SHOWN, shown_before
from docduck.web.rest_bodies import checked_body
from docduck.web.visit import Form, as_sent, form_value, lines_of, numbered

_TEXTS = ("name", "type")
_LONG_TEXTS = ("description", "instructions")
_LINES = ("labels", "options")
_SWITCHES = ("required", "extract")
_PLACE_DIGITS = 9
"""Digits of a place that are read: enough to be after all columns."""


def changed_field(form: Form, old: Field | None) -> dict[str, Any]:
    """Return what the form changes of a field, or a new one for None; raise InputError."""
    changes = typed_field(form, old)
    for column in changes.get("columns", ()):
        checked_body(ColumnInput, column)
    checked_body(FieldInput, changes)
    return changes


def shown_field(form: Form, old: Field | None) -> Field:
    """Return the field as it was typed, to be shown again with what is wrong; it may be invalid."""
    typed = typed_field(form, old)
    columns = typed.pop("columns", None)
    raw: dict[str, Any] = {name: getattr(old, name) for name in Field.model_fields} if old else {"name": ""}
    if columns is not None:
        raw["columns"] = tuple(Field.model_construct(**{"name": "", **column}) for column in columns)
    return Field.model_construct(**{**raw, **{key: value or "" for key, value in typed.items()}})


def typed_field(form: Form, old: Field | None) -> dict[str, Any]:
    """Return what the form changes of a field, unchecked."""
    shown = None if old is None else _shown(form)
    changes = _changes(form, "", shown)
    if old is None:
        changes.setdefault("name", "")
    if form_value(form, "type") == FieldType.TABLE:
        before = [_stored(column) for column in old.columns] if old else []
        columns = _columns(form, old.columns if old else (), shown.columns if shown else ())
        if columns != before:
            changes["columns"] = columns
    return changes


def _shown(form: Form) -> Field:
    """Return the field as the form showed it; raise InputError."""
    try:
        return Field.model_validate(shown_before(form_value(form, SHOWN)))
    except ValidationError as error:
        raise InputError("The form can't be read. Load the page again") from error


def _columns(form: Form, old: Sequence[Field], shown: Sequence[Field]) -> list[dict[str, Any]]:
    """Return all columns: one without a name is left out, one that the form doesn't know stays.

    What was changed elsewhere since they were ``shown`` stays: deletions, and unless columns are moved in the
    form, their order.
    """
    by_id = {str(column.id): column for column in old}
    seen = {str(column.id): column for column in shown}
    numbers = numbered(form, "columns.#.name")
    if (ordered := _in_order(form, numbers)) == numbers:
        places = {column_id: place for place, column_id in enumerate(by_id)}
        ordered = sorted(numbers, key=lambda n: places.get(form_value(form, f"columns.{n}.id"), len(places)))
    columns: list[dict[str, Any]] = []
    known: set[str] = set()
    for number in ordered:
        prefix = f"columns.{number}."
        column_id = form_value(form, f"{prefix}id")
        known.add(column_id)
        present = by_id.get(column_id)
        if form_value(form, f"{prefix}name").strip() and (present or not column_id):
            stored = _stored(present) if present else {}
            columns.append({**stored, **_changes(form, prefix, seen.get(column_id))})
    return [*columns, *(_stored(column) for column in old if str(column.id) not in known)]


def _in_order(form: Form, numbers: Sequence[int]) -> Sequence[int]:
    """Return the columns with those that were moved at their places, which count from 1."""
    typed = {number: form_value(form, f"columns.{number}.place").strip() for number in numbers}
    places = {number: int(text[:_PLACE_DIGITS]) for number, text in typed.items() if text.isdecimal()}
    moved = sorted((place, number) for number, place in places.items() if place != number)
    ordered = [number for number in numbers if places.get(number, number) == number]
    for place, number in moved:
        ordered.insert(max(0, place - 1), number)
    return ordered


def _changes(form: Form, prefix: str, old: Field | None) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for key in (*_TEXTS, *_LONG_TEXTS, *_LINES):
        if prefix + key not in form:
            continue
        text = form_value(form, prefix + key)
        if old is not None and text == as_sent(_text(old, key)):
            continue
        if key in _LINES:
            changes[key] = lines_of(text)
        else:
            changes[key] = text.strip() or (None if key in _LONG_TEXTS else "")
    for key in _SWITCHES:
        is_on = form_value(form, prefix + key) == "yes"
        if old is None or is_on != getattr(old, key):
            changes[key] = is_on
    return changes


def _stored(column: Field) -> dict[str, Any]:
    return column.model_dump(mode="json", exclude={"position", "columns"})


def _text(field: Field, key: str) -> str:
    value = getattr(field, key)
    return "\n".join(value) if key in _LINES else str(value or "")
