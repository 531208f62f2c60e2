"""The fields as the JSON schema that a model's answer must follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docduck.fields import Field, FieldType
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


def schema_of(fields: Sequence[Keyed]) -> dict[str, Any]:
    """Return a schema for OpenAI's strict mode: every key required, no other allowed, null for none."""
    return {
        "type": "object",
        "properties": {field.key: _property(field) for field in fields},
        "required": [field.key for field in fields],
        "additionalProperties": False,
    }


def _property(target: Keyed) -> dict[str, Any]:
    field = target.field
    described = {"description": _description(field)}
    if field.type is FieldType.TABLE:
        return {"type": "array", "items": schema_of(target.columns), **described}
    if field.type is FieldType.LIST:
        return {"type": "array", "items": {"type": "string"}, **described}
    if field.type is FieldType.CHOICE:
        return {"type": ["string", "null"], "enum": [*field.options, None], **described}
    return {"type": _TYPES.get(field.type, ["string", "null"]), **described}


def _description(field: Field) -> str:
    parts = [field.name, field.description, field.instructions]
    if field.labels:
        parts.append(f"also printed as: {', '.join(field.labels)}")
    parts.append(_HINTS.get(field.type))
    return ". ".join(part.strip().rstrip(".") for part in parts if part and part.strip())
