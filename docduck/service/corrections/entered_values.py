"""Values as people enter and see them: texts, in the notation of the parser's documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docduck.errors import InputError
from docduck.extraction.values.dates import DateOrder
from docduck.extraction.values.numbers import as_json_number
from docduck.extraction.values.typed_values import boolean_of, date_of, decimal_of, text_of
from docduck.fields import Field, FieldType

Entered = str | Sequence[Mapping[str, str]]
"""A field's text, or for a table its rows, with the texts by column."""

_WRONG = {
    FieldType.DATE: "is no date; enter it as 2024-01-31 or as it is printed",
    FieldType.NUMBER: "is no number; enter it as 1234.5 or as it is printed",
    FieldType.CURRENCY: "is no amount; enter it as 1234.5 or as it is printed",
    FieldType.BOOLEAN: "must be true or false",
}


def parse_entered(
    fields: Sequence[Field], entered: Mapping[str, Entered], order: DateOrder = "auto"
) -> dict[str, Any]:
    """Return values by field name from what was entered, by field id; an empty text clears a value.

    A list has an item on each line. Raise InputError, listing all texts that fit no value of their field.
    """
    problems: list[tuple[str, str]] = []
    known = {str(field.id): field for field in fields}
    data: dict[str, Any] = {}
    for key, value in entered.items():
        field = known.get(key)
        if field is None:
            problems.append((key, "There is no such field any more; load the page again"))
        elif field.type is FieldType.TABLE:
            rows = value if not isinstance(value, str) else ()
            data[field.name] = [
                _row(field, row, f"{key}.{number}", order, problems) for number, row in enumerate(rows)
            ]
        else:
            data[field.name] = _value(field, value, key, order, problems)
    if problems:
        raise InputError(problems[0][1], problems[0][0], problems)
    return data


def shown_text(field: Field, value: Any) -> str:
    """Return the text of a value, as ``parse_entered`` reads it."""
    if field.type is FieldType.LIST and isinstance(value, list):
        return "\n".join(str(item) for item in value)
    return text_of(value) or ""


def _row(
    table: Field, row: Mapping[str, str], path: str, order: DateOrder, problems: list[tuple[str, str]]
) -> dict[str, Any]:
    columns = {str(column.id): column for column in table.columns}
    unknown = [key for key in row if key not in columns]
    if unknown:
        problems.append((f"{path}.{unknown[0]}", "There is no such column any more; load the page again"))
    return {
        column.name: _value(column, row.get(key, ""), f"{path}.{key}", order, problems)
        for key, column in columns.items()
    }


def _value(field: Field, entered: Any, path: str, order: DateOrder, problems: list[tuple[str, str]]) -> Any:
    text = entered.strip() if isinstance(entered, str) else ""
    if field.type is FieldType.LIST:
        return [line.strip() for line in text.splitlines() if line.strip()]
    if not text:
        return None
    value: Any = text
    match field.type:
        case FieldType.DATE:
            day = date_of(text, order)
            value = day.isoformat() if day else None
        case FieldType.NUMBER | FieldType.CURRENCY:
            number = decimal_of(text)
            value = None if number is None else as_json_number(number)
        case FieldType.BOOLEAN:
            value = boolean_of(text)
        case FieldType.CHOICE if text not in field.options:
            problems.append((path, f"{field.name}: '{text}' is none of the options"))
    if value is None:
        problems.append((path, f"{field.name}: '{text}' {_WRONG[field.type]}"))
    return value
