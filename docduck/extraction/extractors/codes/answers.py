"""The value of a field by what a code states: as data, or as the page prints it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache

from docduck.extraction.extractors.codes.printed import PrintedText
from docduck.extraction.extractors.codes.statement import Statement
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.lexicon import concepts, entries
from docduck.extraction.normal_text import key
from docduck.extraction.result import Finding, Location
from docduck.extraction.values.choices import best_option
from docduck.fields import NUMERIC, FieldType

_SHORTEST_LABEL = 3
"""Letters of a name that is looked for among other words."""
_SHORTEST_PRINTED = 4
"""Letters and digits of a text that is no other value by chance."""
_UNPRINTED_COUNTRY = 0.75


def answer(
    query: FieldQuery, elements: Sequence[str], stated: Mapping[str, Statement], printed: PrintedText
) -> Finding | None:
    """Return the value of the first of some elements that is stated, in the form that the field asks for."""
    for element in elements:
        statement = stated.get(element)
        finding = _value(query, statement, printed) if statement else None
        if finding is not None:
            return finding
    return None


def _value(query: FieldQuery, statement: Statement, printed: PrintedText) -> Finding | None:
    value, kind = statement.value, concepts("elements")[statement.element].kind
    match query.type:
        case FieldType.DATE:
            return _date(statement, value, printed) if isinstance(value, date) else None
        case FieldType.CHOICE:
            option = _option(str(value), query.field.options) if kind in ("choice", "country") else None
            place = printed.find_labelled(str(value), _labels(statement)) if option else None
            return _stated(statement, option, place=place) if option else None
        case _ if query.type in NUMERIC:
            number = _number(value)
            return _stated(statement, number) if number is not None else None
    if not isinstance(value, str):
        return None  # The page may print a date or an amount in another form.
    if kind == "country":
        return _country(statement, value, printed)
    return _text(statement, value, kind, printed)


def _stated(
    statement: Statement,
    value: str | float,
    confidence: float | None = None,
    place: Location | None = None,
) -> Finding:
    place = place or statement.place
    sure = statement.confidence if confidence is None else confidence
    return Finding(value, sure, (place,), place.text, "structured")


def _date(statement: Statement, value: date, printed: PrintedText) -> Finding:
    return _stated(statement, value.isoformat(), place=printed.find_date(value))


def _text(statement: Statement, value: str, kind: str, printed: PrintedText) -> Finding | None:
    is_name = kind == "name"
    place = statement.place if statement.is_printed else None
    for spelling in statement.spellings or (value,):
        if place is None and kind in ("choice", "short"):
            place = printed.find_labelled(spelling, _labels(statement))
        elif place is None and kind == "measure":
            place = printed.find_exact(spelling)
        elif place is None and kind != "text":
            place = printed.find(spelling, name=is_name, may_go_on=statement.may_go_on)
    if place is not None:
        is_sure = kind in ("choice", "short") or len(key(place.text)) >= _SHORTEST_PRINTED
        return _stated(statement, place.text, place=place if is_sure else None)
    if not statement.unprinted:
        return None
    return _stated(statement, value.title() if is_name else value, statement.unprinted)


def _country(statement: Statement, code: str, printed: PrintedText) -> Finding | None:
    """Return the code of a state if the page prints it at its label, or has no label that asks for it."""
    labels = _labels(statement)
    place = printed.find_labelled(code, labels)
    if place is not None:
        return _stated(statement, place.text, place=place)
    return None if printed.has_label(labels) else _stated(statement, code, _UNPRINTED_COUNTRY)


def _labels(statement: Statement) -> frozenset[str]:
    names = concepts("elements")[statement.element].names
    return frozenset(name for name in names if len(name) >= _SHORTEST_LABEL)


def _option(value: str, options: Sequence[str]) -> str | None:
    names = _sexes().get(value, frozenset([key(value)]))
    exact = next((option for option in options if key(option) in names), None)
    found = best_option(value, options) if exact is None and len(value) > 1 else None
    return exact or (found[0] if found else None)


@cache
def _sexes() -> dict[str, frozenset[str]]:
    return {letter: frozenset(map(key, names)) for letter, names in entries("codes")["sexes"].items()}


def _number(value: str | float | date) -> float | None:
    if isinstance(value, str):
        is_plain = value.isascii() and value.isdecimal() and (value[:1] != "0" or value == "0")
        return int(value) if is_plain and len(value) <= 15 else None
    return None if isinstance(value, date) else value
