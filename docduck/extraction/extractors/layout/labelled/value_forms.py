"""Whether a value has the form that the meaning of a field's name asks for."""

from __future__ import annotations

import re

from docduck.extraction.extractors.layout.candidates.names import has_legal_form
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.issuers import is_somebody
from docduck.extraction.fields.meanings import asks_for_name, asks_for_number, may_mean, meanings_of
from docduck.extraction.fields.registrations import asked_side
from docduck.extraction.values.currencies import currency_of
from docduck.fields import FieldType

_PERSON = "person"
"""The meaning of fields whose value is no company."""
_PLATE = frozenset({"licence_plate"})
_AMOUNT = re.compile(r"\d{1,3}(?:[.,' ]\d{3})+[.,]\d{2}")
_SHORTEST_NAME, _LONGEST_PLATE = 3, 12
"""Letters of a name at least, letters and digits of a licence plate at most."""


def _is_code(text: str) -> bool:
    """Return whether a text can identify something: it has digits or is in capitals, and is no amount."""
    return (any(map(str.isdigit, text)) or text.isupper()) and not _AMOUNT.fullmatch(text)


def has_form(query: FieldQuery, text: str) -> bool:
    """Return whether a text can be the value of a field.

    A name has letters, a person's no legal form, a licence plate digits too, a number that identifies
    something no cents, and a count no currency.
    """
    if query.type is FieldType.NUMBER and "count" in meanings_of(query.name):
        return not any(map(currency_of, text.split()))
    if query.type is not FieldType.TEXT:
        return True
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    if is_somebody(query) and not asked_side(query) and letters <= 2 * digits:
        return False
    if _PERSON in meanings_of(query.name) and has_legal_form(text):
        return False
    if query.kind == "text" and may_mean(query.name, _PLATE):
        return digits > 0 and letters + digits <= _LONGEST_PLATE
    if asks_for_number(query.name):
        return _is_code(text)
    if query.kind != "text":
        return True
    is_name = letters >= max(_SHORTEST_NAME, 2 * digits) and "@" not in text
    return is_name or not asks_for_name(query.name)
