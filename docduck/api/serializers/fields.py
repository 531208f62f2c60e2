"""Fields as JSON (spec.md, Field)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docduck.fields import Field
from docduck.service.parsers.field_editing import FieldsChanged


def field(one: Field) -> dict[str, Any]:
    """A field with its columns."""
    return {**_facts(one), "columns": [{**_facts(column), "columns": []} for column in one.columns]}


def fields(all_: Sequence[Field]) -> list[dict[str, Any]]:
    """Fields, in their order."""
    return [field(one) for one in all_]


def mutated(changed: FieldsChanged) -> dict[str, Any]:
    """The answer to every change of fields."""
    return {"fields": fields(changed.fields), "reprocessRecommended": changed.reprocess_recommended}


def suggested(one: Field) -> dict[str, Any]:
    """Return a field that is not saved yet: it has no ids."""
    facts = {name: value for name, value in _facts(one).items() if name != "id"}
    return {**facts, "columns": [suggested(column) for column in one.columns]}


def _facts(one: Field) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "type": one.type.value,
        "description": one.description,
        "instructions": one.instructions,
        "required": one.required,
        "position": one.position,
        "options": list(one.options),
        "labels": list(one.labels),
        "extract": one.extract,
    }
