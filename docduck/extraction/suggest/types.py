"""The type of values by what they look like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from docduck.extraction.normal_text import squeeze
from docduck.extraction.page.locale import Locale
from docduck.extraction.values.choices import parse_boolean, parse_check_mark
from docduck.extraction.values.currencies import currencies_in
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.numbers import decimals, parse_number
from docduck.fields import NUMERIC, FieldType

_MOST = 0.7
"""The share of values that must be of a type for it to be the column's."""
OF_KINDS = {
    "amount": FieldType.CURRENCY,
    "date": FieldType.DATE,
    "percent": FieldType.NUMBER,
    "number": FieldType.NUMBER,
}
"""The types of fields by the kinds of their concepts; text for others."""
_LEADING_ZERO = re.compile(r"0\d")
_LONGEST_PLAIN = 9
_TRUTHS = frozenset(
    {"yes", "no", "true", "false", "ja", "nein", "oui", "non", "sí", "sì", "não", "nee", "tak", "nie"}
)


def type_of(text: str, locale: Locale) -> FieldType:
    """Return the type of one value; long numbers and ones with leading zeros are identifiers, so text."""
    text = squeeze(text)
    matches = find_dates(text)
    if matches and matches[0].start == 0 and matches[0].end >= len(text) - 1:
        return FieldType.DATE
    if parse_check_mark(text) is not None or (text.casefold() in _TRUTHS and parse_boolean(text) is not None):
        return FieldType.BOOLEAN
    number = parse_number(text.rstrip("%").strip(), locale.decimal)
    if number is None:
        return FieldType.TEXT
    if currencies_in(text) or (decimals(text) == 2 and not text.endswith("%")):
        return FieldType.CURRENCY
    bare = text.strip("+-")
    if bare.isdigit() and (_LEADING_ZERO.match(bare) or len(bare) > _LONGEST_PLAIN):
        return FieldType.TEXT
    return FieldType.NUMBER


def type_of_column(values: Sequence[str], locale: Locale) -> FieldType:
    """Return the type of most values of a column; amounts and plain numbers together are amounts."""
    types = Counter(type_of(value, locale) for value in values if value.strip())
    total = sum(types.values())
    if not total:
        return FieldType.TEXT
    best, count = types.most_common(1)[0]
    numeric = types[FieldType.NUMBER] + types[FieldType.CURRENCY]
    if best in NUMERIC and numeric >= _MOST * total:
        return (
            FieldType.CURRENCY if types[FieldType.CURRENCY] >= types[FieldType.NUMBER] else FieldType.NUMBER
        )
    return best if count >= _MOST * total else FieldType.TEXT
