"""The fields as the JSON schema that a model's answer must follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docduck.fields import NUMERIC, Field, FieldType
from docduck.ids import each_unique, snake_case

_LONGEST_KEY = 60
_HINTS = {
    FieldType.DATE: "ISO 8601 date, YYYY-MM-DD",
    FieldType.NUMBER: "plain JSON number",
    FieldType.CURRENCY: "amount as a plain JSON number, without the currency",
    FieldType.BOOLEAN: "true or false",
    FieldType.LIST: "one string for each item",
    FieldType.TABLE: "one object for each row, in the order of the document, none left out",
}
_AS_PRINTED = "number as printed, with its separators"
_TYPES: dict[FieldType, list[str]] = {
    FieldType.NUMBER: ["number", "null"],
    FieldType.CURRENCY: ["number", "null"],
    FieldType.BOOLEAN: ["boolean", "null"],
}


@dataclass(frozen=True, slots=True)
class Keyed:
    """A field with its key in the answer; keys are ASCII, as not every endpoint takes other ones."""

    key: str
    field: Field
    columns: tuple[Keyed, ...] = ()


def keyed(fields: Sequence[Field]) -> tuple[Keyed, ...]:
    """Return each field with a unique key."""
    keys = each_unique(snake_case(field.name)[:_LONGEST_KEY] for field in fields)
    return tuple(Keyed(key, field, keyed(field.columns)) for key, field in zip(keys, fields, strict=True))


def schema_of(fields: Sequence[Keyed], numbers_as_text: bool = False) -> dict[str, Any]:
    """Return a schema for OpenAI's strict mode: every key required, no other allowed, null for none.

    With ``numbers_as_text``, numbers are asked for as they are printed: where a JSON number is wanted, models
    end it at the decimal comma of ``5.905,55``.
    """
    return {
        "type": "object",
        "properties": {field.key: _property(field, numbers_as_text) for field in fields},
        "required": [field.key for field in fields],
        "additionalProperties": False,
    }


def _property(target: Keyed, numbers_as_text: bool) -> dict[str, Any]:
    field = target.field
    is_text = numbers_as_text and field.type in NUMERIC
    described = {"description": _description(field, _AS_PRINTED if is_text else _HINTS.get(field.type))}
    if field.type is FieldType.TABLE:
        return {"type": "array", "items": schema_of(target.columns, numbers_as_text), **described}
    if field.type is FieldType.LIST:
        return {"type": "array", "items": {"type": "string"}, **described}
    if field.type is FieldType.CHOICE:
        return {"type": ["string", "null"], "enum": [*field.options, None], **described}
    plain = ["string", "null"]
    return {"type": plain if is_text else _TYPES.get(field.type, plain), **described}


def _description(field: Field, hint: str | None) -> str:
    parts = [field.name, field.description, field.instructions]
    if field.labels:
        parts.append(f"also printed as: {', '.join(field.labels)}")
    parts.append(hint)
    return ". ".join(part.strip().rstrip(".") for part in parts if part and part.strip())
