"""Suggested fields, as their form shows them and as it is sent.

Values of the suggestion number 2 are named ``fields.2.name`` and so on, those of its column number 3
``fields.2.columns.3.name``. ``printed`` is the name or label that was suggested, which is printed on the
sample.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from docduck.api.schemas.fields import FieldInput
from docduck.documents.document import Box
from docduck.errors import Conflict, InputError
from docduck.extraction.result import Extraction
from docduck.fields import Field, FieldType
from docduck.service.corrections.entered_values import shown_text
from docduck.web.documents.shown_values import place_text
from docduck.web.rest_bodies import checked_body
from docduck.web.visit import Form, form_value, numbered

TYPES = tuple(
    field_type.value for field_type in FieldType if field_type not in (FieldType.CHOICE, FieldType.TABLE)
)
"""The types to choose from: a choice needs options, which a sample doesn't show."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested field or column: what it reads from the sample, and its places there."""

    printed: str
    name: str
    type: str
    is_taken: bool
    value: str
    places: str
    description: str = ""
    columns: tuple[Suggestion, ...] = ()


def suggestions(extraction: Extraction, present: Collection[str], typed: Form) -> list[Suggestion]:
    """Return what was found on a sample, but fields whose name is among those ``present``.

    ``typed`` is the form if it was sent with something wrong.
    """
    names = {name.casefold() for name in present}
    entered = {raw["printed"]: raw for raw in _entered(typed, "")}
    return [
        _suggestion(
            field, extraction.data.get(field.name), extraction.field_metadata.get(field.name), entered
        )
        for field in extraction.fields
        if field.name.casefold() not in names
    ]


def accepted_fields(form: Form, present: Collection[str]) -> list[dict[str, Any]]:
    """Return the accepted fields; raise InputError, and Conflict for a name that is taken."""
    fields = [_field(raw) for raw in _entered(form, "") if raw["is_taken"]]
    taken = {name.casefold() for name in present}
    for field in fields:
        checked_body(FieldInput, field)
        if field["name"].casefold() in taken:
            raise Conflict(f"{field['name']}: Field already exists")
        taken.add(field["name"].casefold())
    return fields


def _field(raw: Mapping[str, Any]) -> dict[str, Any]:
    if not raw["name"]:
        raise InputError(f"'{raw['printed']}' needs a name")
    field = {"name": raw["name"], "type": raw["type"]}
    if raw["name"] != raw["printed"]:
        # Values are found beside the printed words, whatever the field is called.
        field["labels"] = [raw["printed"]]
    if raw["description"]:
        field["description"] = raw["description"]
    if raw["columns"]:
        columns = [_field(column) for column in raw["columns"] if column["is_taken"]]
        if not columns:
            raise InputError(f"'{raw['name']}' needs at least one column")
        field |= {"type": FieldType.TABLE.value, "columns": columns}
    elif raw["type"] not in TYPES:
        raise InputError(f"'{raw['name']}' needs one of the types {', '.join(TYPES)}")
    return field


def _entered(form: Form, prefix: str) -> Iterator[dict[str, Any]]:
    """Yield the fields of the form, or the columns of the field with this prefix."""
    kind = "columns" if prefix else "fields"
    for number in numbered(form, f"{prefix}{kind}.#.printed"):
        at = f"{prefix}{kind}.{number}."
        yield {
            "printed": form_value(form, f"{at}printed"),
            "name": form_value(form, f"{at}name").strip(),
            "type": form_value(form, f"{at}type"),
            "description": form_value(form, f"{at}description"),
            "is_taken": form_value(form, f"{at}take") == "yes",
            "columns": [] if prefix else list(_entered(form, at)),
        }


def _suggestion(
    field: Field, value: Any, evidence: Any, entered: Mapping[str, Mapping[str, Any]]
) -> Suggestion:
    printed = field.labels[0] if field.labels else field.name
    was = entered.get(printed) or {"name": field.name, "type": field.type.value, "is_taken": True}
    columns: tuple[Suggestion, ...] = ()
    if field.type is FieldType.TABLE:
        typed = {raw["printed"]: raw for raw in was.get("columns") or ()}
        columns = tuple(
            _suggestion(column, _first(row.get(column.name) for row in value), None, typed)
            for column in field.columns
        )
        text = f"{len(value)} {'row' if len(value) == 1 else 'rows'}"
        places = _around(cell for row in evidence for cell in row.values())
    else:
        text = shown_text(field, value)
        places = _around([evidence or {}])
    return Suggestion(
        *(printed, was["name"], was["type"], was["is_taken"]), text, places, field.description or "", columns
    )


def _first(values: Iterable[Any]) -> Any:
    return next((value for value in values if value not in (None, [])), None)


def _around(entries: Iterable[Mapping[str, Any]]) -> str:
    """Return one place on each page, around all places of the entries."""
    pages: dict[int, list[Box]] = defaultdict(list)
    for entry in entries:
        for place in entry.get("locations") or ():
            pages[place["page"]].append(Box(**place["bbox"]))
    return " ".join(place_text(page, asdict(Box.around(boxes))) for page, boxes in pages.items())
