"""A model's answer as values of the fields' types; other values are dropped."""

from __future__ import annotations

import datetime as dt
import math
import re
from decimal import Decimal
from typing import Any

from docduck.extraction.extractors.layout.candidates.conversion import from_text
from docduck.extraction.normal_text import squeeze
from docduck.extraction.page.locale import Locale
from docduck.extraction.values.numbers import as_json_number
from docduck.fields import Field, FieldType

_PLAIN_NUMBER = re.compile(r"[-+]?\d{1,18}(?:\.\d{1,12})?")
_LARGEST = 1e15
_LONGEST = 20_000
_MOST_ITEMS = 1000


def normalised(field: Field, raw: Any, locale: Locale) -> Any:
    """Return ``raw`` as a JSON-ready value of the field's type; None if it has another type."""
    if raw is None or isinstance(raw, dict):
        return None
    if field.type is FieldType.LIST:
        return _items(raw, field, locale)
    if isinstance(raw, list):
        return None
    match field.type:
        case FieldType.NUMBER | FieldType.CURRENCY:
            return _number(raw, field, locale)
        case FieldType.BOOLEAN:
            return raw if isinstance(raw, bool) else from_text(field, _text(raw), locale)
        case FieldType.DATE:
            return _date(raw, field, locale)
        case FieldType.CHOICE if isinstance(raw, str) and raw in field.options:
            return raw
        case FieldType.TABLE:
            return None
    return None if isinstance(raw, bool) else from_text(field, _text(raw), locale)


def _text(raw: Any) -> str:
    if isinstance(raw, float) and raw.is_integer() and abs(raw) < _LARGEST:
        raw = int(raw)
    return squeeze(str(raw)[:_LONGEST])


def _number(raw: Any, field: Field, locale: Locale) -> float | int | None:
    if isinstance(raw, bool):
        return None
    if isinstance(raw, str):
        text = squeeze(raw[:_LONGEST])
        raw = Decimal(text) if _PLAIN_NUMBER.fullmatch(text) else from_text(field, text, locale)
        if raw is None:
            return None
    if not math.isfinite(raw) or abs(raw) >= _LARGEST:
        return None
    return as_json_number(Decimal(str(raw)))


def _date(raw: Any, field: Field, locale: Locale) -> str | None:
    if not isinstance(raw, str):
        return None
    text = squeeze(raw[:100])
    try:
        return dt.date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        value = from_text(field, text, locale)
        return value if isinstance(value, str) else None


def _items(raw: Any, field: Field, locale: Locale) -> list[str] | None:
    if not isinstance(raw, list):
        value = from_text(field, _text(raw), locale)
        return value if isinstance(value, list) else None
    plain = (item for item in raw[:_MOST_ITEMS] if isinstance(item, str | int | float))
    items = dict.fromkeys(text for item in plain if not isinstance(item, bool) and (text := _text(item)))
    return list(items) or None
