"""Fields for values that people know: named as these are, typed by what they look like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docduck.errors import InputError
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.fields.meanings import asks_for_number
from docduck.extraction.page.locale import Locale
from docduck.extraction.suggest.types import type_of
from docduck.extraction.values.dates import DateOrder
from docduck.extraction.values.typed_values import boolean_of, date_of, decimal_of
from docduck.fields import Field, FieldType, parse_fields

Truth = Mapping[str, Any]
"""A document's right values by field name; a table's are rows, by column name."""

_CODE = 1000
"""From here on, a number that a name asks for identifies something and counts nothing."""
_LOCALE = Locale("en", ".", True, None)


def fields_of_truth(truths: Sequence[Truth]) -> list[Field]:
    """Return the fields whose values some ``truths`` have, in the order of their first appearance.

    Raise InputError for values that no field can have, and for names that no field can have.
    """
    return [_field(name, values, f"truth.{name}") for name, values in _by_name(truths).items()]


def typed_truth(fields: Sequence[Field], truth: Truth, order: DateOrder = "auto") -> dict[str, Any]:
    """Return the values of the fields in JSON's notation: dates in ISO, numbers as numbers."""
    return {field.name: _typed(field, truth.get(field.name), order) for field in fields}


def _by_name(values: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return all values of each name; raise InputError for names that fields can't have."""
    by_name: dict[str, list[Any]] = {}
    for some in values:
        for name, value in some.items():
            by_name.setdefault(name, []).append(value)
    parse_fields([{"name": name} for name in by_name])
    return by_name


def _field(name: str, values: Sequence[Any], place: str, *, is_column: bool = False) -> Field:
    lists = [value for value in values if isinstance(value, list)]
    others = [value for value in values if value not in (None, "") and not isinstance(value, list)]
    if any(isinstance(value, dict) for value in others) or (lists and others):
        raise InputError(f"{place} must be a value, or an array in all samples", place)
    items = [item for value in lists for item in value]
    rows = [item for item in items if isinstance(item, dict)]
    if rows and (is_column or len(rows) < len(items)):
        raise InputError(f"{place} must be an array of rows, or of texts", place)
    if rows:
        columns = [
            _field(key, cells, f"{place}.{key}", is_column=True) for key, cells in _by_name(rows).items()
        ]
        return Field(name=name, type=FieldType.TABLE, columns=tuple(columns))
    if any(isinstance(item, list) for item in items):
        raise InputError(f"{place} must be an array of rows, or of texts", place)
    return Field(name=name, type=FieldType.LIST if lists else _type(name, others, is_column=is_column))


def _type(name: str, values: Sequence[Any], *, is_column: bool) -> FieldType:
    if values and all(isinstance(value, bool) for value in values):
        return FieldType.BOOLEAN
    group = "columns" if is_column else "scalar"
    concept = query_of(Field(name=name, type=FieldType.CURRENCY), group).concept
    amounts = FieldType.CURRENCY if concept is not None and concept.kind == "amount" else FieldType.NUMBER
    numbers = [value for value in values if isinstance(value, int | float)]
    if asks_for_number(name) and (len(numbers) < len(values) or any(value >= _CODE for value in numbers)):
        return FieldType.TEXT
    if numbers and len(numbers) == len(values):
        return amounts
    types = {type_of(str(value), _LOCALE) for value in values}
    if len(types) == 1 and (only := types.pop()) in (FieldType.DATE, FieldType.CURRENCY):
        return only
    return FieldType.TEXT


def _typed(field: Field, value: Any, order: DateOrder) -> Any:
    if field.type is FieldType.TABLE:
        return [{c.name: _typed(c, row.get(c.name), order) for c in field.columns} for row in value or ()]
    if field.type is FieldType.LIST:
        return [str(item) for item in value or ()]
    if value in (None, ""):
        return None
    match field.type:
        case FieldType.DATE:
            day = date_of(value, order)
            return value if day is None else day.isoformat()
        case FieldType.NUMBER | FieldType.CURRENCY:
            number = decimal_of(value)
            return value if number is None else float(number)
        case FieldType.BOOLEAN:
            return boolean_of(value)
        case _:
            return value if isinstance(value, str) else str(value)
