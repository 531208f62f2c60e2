"""The paths of values on pages: the id of a field, or ``table.row.column``, where rows count from 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docduck.errors import InputError
from docduck.extraction.result import ValueKey
from docduck.fields import Field


def key_at(fields: Sequence[Field], path: str) -> ValueKey:
    """Return the value at a path, by name; raise InputError for an unknown one."""
    field_id, *cell = path.split(".")
    field = next((field for field in fields if str(field.id) == field_id), None)
    if field is not None and not cell:
        return (field.name,)
    if field is not None and len(cell) == 2 and cell[0].isdecimal():
        column = next((column.name for column in field.columns if str(column.id) == cell[1]), "")
        return (field.name, int(cell[0]), column)
    raise InputError("This value is not there any more. Load the page again")


def keys_at(fields: Sequence[Field], paths: Sequence[str]) -> list[ValueKey]:
    """Return the values at paths, by name; raise InputError for unknown ones."""
    return [key_at(fields, path) for path in paths]


def field_of(fields: Sequence[Field], key: ValueKey) -> Field:
    """Return the field or column of a value; raise InputError if it has none."""
    field = next(field for field in fields if field.name == key[0])
    if len(key) == 1:
        return field
    column = next((column for column in field.columns if column.name == key[2]), None)
    if column is None:
        raise InputError("This value is not there any more. Load the page again")
    return column


def value_at(values: Mapping[str, Any], key: ValueKey) -> Any:
    """Return what values or evidence by name have of a value; None for nothing."""
    value = values.get(key[0])
    if len(key) == 1:
        return value
    return value[key[1]].get(key[2]) if value and key[1] < len(value) else None
