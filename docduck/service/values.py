"""Values between the shapes of their keys: by field name for people, by field id in the catalog.

Ids outlive a rename, so the catalog keeps values by id; both shapes are contract A9's and C8's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from docduck.extraction.result import Extraction
from docduck.fields import Field, FieldType


def identified(
    fields: Sequence[Field], data: Mapping[str, Any], evidence: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Values and evidence by id, from those by name."""
    return _keyed(fields, data, _name_to_id), _keyed(fields, evidence, _name_to_id)


def named(
    fields: Sequence[Field], values: Mapping[str, Any], evidence: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Values and evidence by name, from those by id; every field of ``fields`` has a value, or None."""
    data = _keyed(fields, values, _id_to_name)
    for field in fields:
        data.setdefault(field.name, [] if field.type in (FieldType.TABLE, FieldType.LIST) else None)
    ordered = {field.name: data[field.name] for field in fields}
    return ordered, _keyed(fields, evidence, _id_to_name)


def without_confidence(extraction: Extraction) -> Extraction:
    """The same extraction, with null for every confidence."""

    def blank(entry: Any) -> Any:
        if isinstance(entry, list):
            return [{name: blank(cell) for name, cell in row.items()} for row in entry]
        return {**entry, "confidence": None}

    evidence = {name: blank(entry) for name, entry in extraction.field_metadata.items()}
    return replace(extraction, field_metadata=evidence, confidence=None)


def _name_to_id(field: Field) -> tuple[str, str]:
    return field.name, str(field.id)


def _id_to_name(field: Field) -> tuple[str, str]:
    return str(field.id), field.name


def _keyed(
    fields: Sequence[Field], source: Mapping[str, Any], keys: Callable[[Field], tuple[str, str]]
) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for field in fields:
        old, new = keys(field)
        if old not in source:
            continue
        value = source[old]
        if field.type is FieldType.TABLE and isinstance(value, list):
            columns = [keys(column) for column in field.columns]
            value = [{there: row[here] for here, there in columns if here in row} for row in value]
        result[new] = value
    return result
