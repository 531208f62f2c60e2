"""Validation of values and custom data entered by users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import msgspec

from docduck.errors import InputError
from docduck.extraction.values.storable import is_storable
from docduck.fields import Field, FieldType

_JSON_TYPES: dict[FieldType, tuple[type, ...]] = {
    FieldType.TEXT: (str,),
    FieldType.DATE: (str,),
    FieldType.CHOICE: (str,),
    FieldType.NUMBER: (int, float),
    FieldType.CURRENCY: (int, float),
    FieldType.BOOLEAN: (bool,),
    FieldType.LIST: (list,),
    FieldType.TABLE: (list,),
}
_EXAMPLES = {
    FieldType.TEXT: 'give a text such as "A-17"',
    FieldType.DATE: 'give a date as "YYYY-MM-DD"',
    FieldType.CHOICE: "give one of its options",
    FieldType.NUMBER: "give a number such as 12.5",
    FieldType.CURRENCY: "give a number such as 12.5",
    FieldType.BOOLEAN: "give true or false",
    FieldType.LIST: 'give an array of texts such as ["A", "B"]',
    FieldType.TABLE: 'give an array of rows such as [{"Amount": 12.5}]',
}
_ISO_DATE_LENGTH = 10


def check_values(fields: Sequence[Field], values: Mapping[str, Any], at: str = "data") -> dict[str, Any]:
    """Return values by field name, from values by name or id; rows of tables get all columns.

    ``at`` is the path of the values. Raise InputError, listing all errors in ``details``, for unknown fields
    and wrong types.
    """
    problems: list[tuple[str, str]] = []
    known = _by_key(fields)
    checked: dict[str, Any] = {}
    for key, value in values.items():
        field = known.get(key)
        if field is None:
            problems.append((f"{at}.{key}", f"There is no field '{key}'"))
        elif field.name in checked:
            problems.append((f"{at}.{key}", f"'{field.name}' is given twice, by name and by id"))
        else:
            checked[field.name] = _checked(field, value, f"{at}.{key}", problems)
    if problems:
        path, message = problems[0]
        if any(key not in known for key in values):
            names = [field.name for field in fields]
            raise InputError(message, path, problems, names, code="unknown_field")
        raise InputError(message, path, problems)
    return checked


def no_value(field: Field) -> list[Any] | None:
    """Return the empty value: ``[]`` for lists and tables, None for all others."""
    return [] if field.type in (FieldType.LIST, FieldType.TABLE) else None


def _by_key(fields: Sequence[Field]) -> dict[str, Field]:
    return {**{str(field.id): field for field in fields}, **{field.name: field for field in fields}}


def _checked(field: Field, value: Any, path: str, problems: list[tuple[str, str]]) -> Any:
    if value is None:
        return no_value(field)
    if not _fits(field.type, value):
        problems.append((path, f"'{field.name}' is a {field.type.value}; {_EXAMPLES[field.type]}"))
    elif field.type is FieldType.DATE and not _is_date(value):
        problems.append((path, f"'{field.name}' is a date; {_EXAMPLES[field.type]}"))
    elif not is_storable(field.type, value):
        problems.append((path, f"'{field.name}' is beyond what can be stored; {_EXAMPLES[field.type]}"))
    elif field.type is FieldType.CHOICE and value not in field.options:
        problems.append((path, f"'{field.name}' must be one of: {', '.join(field.options)}"))
    elif field.type is FieldType.LIST and not all(isinstance(item, str) for item in value):
        problems.append((path, f"'{field.name}' is a list; {_EXAMPLES[field.type]}"))
    elif field.type is FieldType.TABLE:
        return [_row(field, row, f"{path}.{index}", problems) for index, row in enumerate(value)]
    return value


def _fits(kind: FieldType, value: Any) -> bool:
    expected = _JSON_TYPES[kind]
    return isinstance(value, expected) and (bool in expected or not isinstance(value, bool))


def _row(table: Field, row: Any, path: str, problems: list[tuple[str, str]]) -> dict[str, Any]:
    if not isinstance(row, dict):
        problems.append((path, f"'{table.name}' is a table; {_EXAMPLES[table.type]}"))
        return {}
    columns = _by_key(table.columns)
    checked: dict[str, Any] = {column.name: no_value(column) for column in table.columns}
    for key, cell in row.items():
        if key in columns:
            checked[columns[key].name] = _checked(columns[key], cell, f"{path}.{key}", problems)
        else:
            words = f"'{table.name}' has no column '{key}'"
            if not problems:
                words += f"; it has: {', '.join(column.name for column in table.columns)}"
            problems.append((f"{path}.{key}", words))
    return checked


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    # ``fromisoformat`` also accepts ``20240131``.
    return len(text) == _ISO_DATE_LENGTH and text[4] == "-" and text[7] == "-"


MOST_BYTES = 16 * 1024
MOST_NESTED = 5


def check_custom(value: Any, path: str = "custom") -> None:
    """Raise InputError unless ``value`` is None, or an object of at most 16 KiB and five levels."""
    if value is None:
        return
    if not isinstance(value, dict):
        raise InputError(f"{path} must be an object or null", path)
    if len(msgspec.json.encode(value)) > MOST_BYTES:
        raise InputError(f"{path} must have at most {MOST_BYTES} bytes as JSON", path)
    if _depth(value) > MOST_NESTED:
        raise InputError(f"{path} must not be nested deeper than {MOST_NESTED} levels", path)


def _depth(value: Any) -> int:
    if not isinstance(value, dict | list):
        return 0
    items = value.values() if isinstance(value, dict) else value
    return 1 + max((_depth(item) for item in items), default=0)
