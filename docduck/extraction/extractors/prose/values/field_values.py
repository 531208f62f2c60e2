"""Values in running text: durations, amounts, places, case numbers, addressees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from docduck.extraction.extractors.prose import lexicon
from docduck.extraction.extractors.prose.lexicon import any_of
from docduck.extraction.extractors.prose.text.prose import Prose, ProseFinding
from docduck.extraction.extractors.prose.values import names
from docduck.extraction.extractors.prose.values.durations import find_durations
from docduck.extraction.page.locale import Locale
from docduck.extraction.values.choices import best_option
from docduck.extraction.values.currencies import CURRENCY_MARK
from docduck.extraction.values.numbers import BODY, as_json_number, parse_number
from docduck.fields import Field, FieldType

_NUMBER = rf"(?<![\d.,]){BODY}(?![.,]?\d)"
MONEY = re.compile(
    rf"(?:{CURRENCY_MARK}|\bU\.S\.\s?\$)\s?{_NUMBER}|{_NUMBER}\s?(?:{CURRENCY_MARK}|[Dd]ollars|[Ee]uros?)"
)
"""An amount of money: a number with a currency before or after it."""
PERCENT = re.compile(r"\d{1,3}(?:[.,]\d{1,4})?\s?(?:%|percent\b|per cent\b|Prozent\b|pour cent\b)")
_DIGITS = re.compile(_NUMBER)
_NORMALISED = re.compile(r"number and (?:a |the )?unit|[\"“'‘]\d+ \w+[\"”'’]|unit of time", re.IGNORECASE)
_OTHER_COUNTRY = re.compile(
    r"\s+and\s+(?!Wales\b|Tobago\b|Nevis\b|Barbuda\b|Herzegovina\b|Labrador\b|the Grenadines\b)"
)


@cache
def _dear() -> re.Pattern[str]:
    return re.compile(rf"^{any_of('salutation')}\s+(?P<name>[^,:!\n]{{3,60}})[,:!]?$")


def as_field_type(field: Field, value: str, locale: Locale) -> Any:
    """Return the value as the field's type, None if it can't be converted."""
    match field.type:
        case FieldType.NUMBER | FieldType.CURRENCY:
            digits = _DIGITS.search(value)
            number = parse_number(digits[0], locale.decimal) if digits else None
            return None if number is None else as_json_number(number)
        case FieldType.CHOICE:
            option = best_option(value, field.options)
            return option[0] if option else None
        case FieldType.LIST:
            parts = re.split(r",\s+(?:and\s+|und\s+|et\s+|y\s+)?|\s+(?:and|und|et|y)\s+|;\s*", value)
            return [part.strip() for part in parts if part.strip()]
    return value


def duration_at(prose: Prose, start: int, field: Field) -> tuple[str, int, int] | None:
    """Return the duration that begins at ``start``: "2 years" if the field asks for that, else as printed."""
    durations = find_durations(prose.flat, start, min(len(prose), start + 70))
    if not durations or durations[0].start - start > 3:
        return None
    duration = durations[0]
    description = f"{field.description or ''} {field.instructions or ''}"
    normalised = field.type is FieldType.NUMBER or _NORMALISED.search(description)
    printed = " ".join(prose.flat[duration.start : duration.end].split())
    return (duration.text if normalised else printed), duration.start, duration.end


def first_of(pattern: re.Pattern[str], prose: Prose, start: int, end: int) -> tuple[str, int, int] | None:
    """Return the first match of ``pattern`` from ``start`` on, as printed."""
    match = pattern.search(prose.flat, start, end)
    return (" ".join(match[0].split()), match.start(), match.end()) if match else None


def place(prose: Prose, start: int, end: int) -> tuple[str, int, int] | None:
    """Return the name of a state, country or town, without "State of"."""
    text = " ".join(prose.flat[start:end].split())
    text = re.sub(
        r"^(?:the\s+)?(?:state|commonwealth|province|republic|kingdom|canton)\s+of\s+",
        "",
        text,
        flags=re.IGNORECASE,
    )
    text = _OTHER_COUNTRY.split(text)[0].strip(" ,.;:")
    words = text.split()
    if text.isupper() and len(words) > 2:
        ends = lexicon.words("place_ends")
        cut = next(
            (i for i, word in enumerate(words) if i and word.casefold().strip(",") in ends), len(words)
        )
        words = words[:cut]
        text = " ".join(words).rstrip(",")
    if not words or names.is_role(text) or any(word.casefold() in lexicon.words("roles") for word in words):
        return None
    return (
        text,
        start,
        min(end, start + len(text) + (len(prose.flat[start:end]) - len(prose.flat[start:end].lstrip())) + 12),
    )


def identifier(prose: Prose, start: int, end: int) -> tuple[str, int, int] | None:
    """Return a case or file number as printed, without closing punctuation; it has a digit."""
    text = " ".join(prose.flat[start:end].split()).strip(" .,;:()")
    return (text, start, end) if 2 < len(text) < 60 and any(c.isdigit() for c in text) else None


def addressee(prose: Prose) -> Iterator[ProseFinding]:
    """Yield the addressee named by a letter's salutation or the first line of its address."""
    for index in range(min(len(prose.lines), 45)):
        text = prose.line_text(index).strip()
        match = _dear().match(text)
        if match is None:
            continue
        line = prose.lines[index]
        named = re.sub(rf"^(?:{any_of('honorific')}\s+)+", "", match["name"])
        last = named.split()[-1]
        for above in range(index):
            other = prose.line_text(above).strip()
            if last in other.split() and names.is_person(other):
                yield ProseFinding(names.tidy(other), prose.lines[above].start, prose.lines[above].end, 0.8)
                return
        if named and named.casefold() not in ("sir", "madam", "sir or madam", "damen und herren"):
            yield ProseFinding(named, line.start + match.start("name"), line.start + match.end("name"), 0.6)
