"""Conversion of printed text and candidates to the JSON value of a field's type."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.fields.meanings import meanings_of
from docduck.extraction.normal_text import plain, squeeze
from docduck.extraction.page.locale import Locale
from docduck.extraction.values.choices import best_option, parse_boolean
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.numbers import Side, as_json_number, find_numbers, parse_number
from docduck.fields import Field, FieldType

_SEPARATORS = re.compile(r"\s*[;,•·|]\s*")
_PREFIX = 4
"""Characters before a number that is a value with its unit at most."""
_WITH_UNIT = re.compile(r"\D{0,4}?([-−–]?\d[\d.,'’]*)(?=[^\W\d_])")


def from_text(field: Field, text: str, locale: Locale, in_column: bool = False) -> Any:
    """Return ``text`` as a value of the field's type, None if it is not one.

    The sides of an account that are marked in a column are read together, see ``column_signs``.
    """
    text = squeeze(text)
    match field.type:
        case FieldType.TEXT:
            return text or None
        case FieldType.DATE:
            matches = find_dates(text, locale.year_first)
            return matches[0].read(locale.day_first).isoformat() if matches else None
        case FieldType.NUMBER | FieldType.CURRENCY:
            number = _number(field, text, locale, in_column)
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


def _number(field: Field, text: str, locale: Locale, in_column: bool) -> Decimal | None:
    """Return the number that a text is or begins with; a unit may follow."""
    match = next(find_numbers(text, locale.decimal), None)
    if match is not None and match.start <= _PREFIX and not any(map(str.isdigit, text[: match.start])):
        return _signed(field, match.value, None if in_column else match.side)
    glued = _WITH_UNIT.match(plain(text))
    return parse_number(glued[1].rstrip(".,"), locale.decimal) if glued else None


def _signed(field: Field, value: Decimal, side: Side | None) -> Decimal:
    """Return an amount as a field means it: a discount has no sign.

    A debit makes the balance of an account negative, and a credit what a bill asks for.
    """
    meanings = meanings_of(field.name)
    if "discount" in meanings:
        return abs(value)
    return -abs(value) if side == ("debit" if "balance" in meanings else "credit") else value


def from_candidate(field: Field, candidate: Candidate) -> Any:
    """Return a candidate's value as JSON; a text field gets it as printed."""
    if field.type is FieldType.TEXT:
        return candidate.printed or str(candidate.value)
    if isinstance(candidate.value, Decimal):
        return as_json_number(_signed(field, candidate.value, candidate.side))
    return candidate.value
