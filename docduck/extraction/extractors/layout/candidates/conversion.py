"""Conversion of printed text and candidates to the JSON value of a field's type."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.fields.meanings import meanings_of
from docduck.extraction.normal_text import squeeze
from docduck.extraction.page.locale import Locale
from docduck.extraction.values.choices import best_option, parse_boolean
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.numbers import as_json_number, parse_number
from docduck.fields import Field, FieldType

_SEPARATORS = re.compile(r"\s*[;,•·|]\s*")
_NUMBER_START = re.compile(r"^\D{0,4}?([-−–(]?\d[\d.,'’ ]*)")


def from_text(field: Field, text: str, locale: Locale) -> Any:
    """Return ``text`` as a value of the field's type, None if it is not one."""
    text = squeeze(text)
    match field.type:
        case FieldType.TEXT:
            return text or None
        case FieldType.DATE:
            matches = find_dates(text, locale.year_first)
            return matches[0].read(locale.day_first).isoformat() if matches else None
        case FieldType.NUMBER | FieldType.CURRENCY:
            number = parse_number(text.rstrip("%"), locale.decimal)
            if number is None and (match_ := _NUMBER_START.match(text)):
                number = parse_number(match_[1].strip().rstrip(".,"), locale.decimal)
            return as_json_number(number) if number is not None else None
        case FieldType.BOOLEAN:
            return parse_boolean(text)
        case FieldType.CHOICE:
            option = best_option(text, field.options)
            return option[0] if option else None
        case FieldType.LIST:
            return [part for part in _SEPARATORS.split(text) if part] or None
        case _:
            return None


def from_candidate(field: Field, candidate: Candidate) -> Any:
    """Return a candidate's value as JSON; a text field gets it as printed, and a discount has no sign."""
    value = candidate.value
    if isinstance(value, Decimal) and "discount" in meanings_of(field.name):
        value = abs(value)
    if field.type is FieldType.TEXT:
        return candidate.printed or str(value)
    return as_json_number(value) if isinstance(value, Decimal) else value
