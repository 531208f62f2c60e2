"""Values that fit a field, and the form in which values are compared."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from docduck.extraction.normal_text import squeeze
from docduck.extraction.values.choices import parse_boolean
from docduck.extraction.values.dates import DateOrder
from docduck.extraction.values.typed_values import date_of, decimal_of, folded, text_of
from docduck.fields import Field, FieldType

Key = str | Decimal


def fitted(field: Field | Keying, value: Any, order: DateOrder = "auto") -> Any:
    """Return a text or value as a value of the field's type; None if it is none.

    Printed dates are read in ``order``.
    """
    match field.type:
        case FieldType.TEXT:
            return text_of(value) or None
        case FieldType.CHOICE:
            text = folded(text_of(value) or "")
            return next((option for option in field.options if folded(option) == text), None)
        case FieldType.NUMBER | FieldType.CURRENCY:
            return _number(decimal_of(value))
        case FieldType.DATE:
            day = date_of(value, order)
            return day.isoformat() if day else None
        case FieldType.BOOLEAN:
            return value if isinstance(value, bool) else parse_boolean(text_of(value) or "")
        case FieldType.LIST:
            return _items(value)
        case FieldType.TABLE:
            return None


@dataclass(frozen=True, slots=True)
class Keying:
    """How a field's values and the cells of a column of a lookup table are compared.

    Numbers and dates are equal whatever their notation, texts whatever their case and white space.
    """

    column: str
    type: FieldType
    options: tuple[str, ...] = ()
    order: DateOrder = "auto"

    def key(self, value: Any) -> Key:
        """Return the form in which equal values are equal; empty without value."""
        typed = None
        if self.type not in (FieldType.TEXT, FieldType.LIST):
            typed = fitted(self, value, self.order)
        if isinstance(typed, int | float) and not isinstance(typed, bool):
            return decimal_of(typed) or Decimal(0)
        text = text_of(value if typed is None else typed) or ""
        return squeeze(unicodedata.normalize("NFKC", text).casefold())


def _number(value: Decimal | None) -> float | None:
    number = None if value is None else float(value)
    return number if number is not None and math.isfinite(number) else None


def _items(value: Any) -> list[str] | None:
    items = value.split(";") if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        return None
    return [item.strip() for item in items if item.strip()] or None
