"""Element strings of GS1: codes on goods, cases and pallets, and GS1 Digital Links.

Sources: GS1 General Specifications, 7.8 (processing of data); GS1 Digital Link Standard: URI Syntax.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from urllib.parse import parse_qsl, unquote, urlsplit

from docduck.extraction.extractors.codes.formats.check_digits import gs1_check
from docduck.extraction.extractors.codes.formats.control_characters import GROUP, with_controls
from docduck.extraction.extractors.codes.formats.gs1_identifiers import (
    Identifier,
    identifier_at,
    identifier_of,
)

_MOST_CHARACTERS = 2000
_SYMBOLOGY = re.compile(r"\](?:C1|e0|d2|Q3|J1)")
"""The symbology identifiers of codes with an element string."""
_BRACKETED = re.compile(r"\(([0-9]{2,4})\)")
_PRIMARY_KEYS = frozenset({"00", "01", "402", "401", "414", "8006", "8017", "8018"})
_PADDED = {"01": 14, "02": 14}
"""A Digital Link may leave out leading zeros of a GTIN."""

Values = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ElementString:
    """The values of a code by their application identifier, in their order."""

    values: Values

    def get(self, code: str) -> str | None:
        """Return the value of an identifier; None without one, or with two different ones."""
        found = {value for name, value in self.values if name == code}
        return found.pop() if len(found) == 1 else None


def parse_gs1(text: str) -> ElementString | None:
    """Return the element string of a code's text; None if it is none, or a check digit is wrong.

    The text has its identifiers in brackets, FNC1 or a symbology identifier in it, or is a Digital Link.
    """
    if len(text) > _MOST_CHARACTERS:
        return None
    pairs: list[tuple[str, str]] | None
    if text.startswith("("):
        pairs = _bracketed(text)
    elif text[:8].lower().startswith(("http://", "https://")):
        pairs = _linked(text)
    else:
        plain = with_controls(text)
        symbology = _SYMBOLOGY.match(plain)
        pairs = (
            _separated(plain[symbology.end() :] if symbology else plain)
            if symbology or GROUP in plain
            else None
        )
    if not pairs or not all(_is_right(code, value) for code, value in pairs):
        return None
    return ElementString(tuple(pairs))


def _bracketed(text: str) -> list[tuple[str, str]]:
    parts = _BRACKETED.split(text)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def _separated(text: str) -> list[tuple[str, str]] | None:
    pairs, at = list[tuple[str, str]](), 0
    while at < len(text):
        if text[at] == GROUP:
            at += 1
            continue
        identifier = identifier_at(text, at)
        if identifier is None:
            return None
        start = at + len(identifier.code)
        at = _end(identifier, text, start)
        pairs.append((identifier.code, text[start:at]))
    return pairs


def _end(identifier: Identifier, text: str, start: int) -> int:
    if identifier.predefined:
        return start + identifier.length
    end = text.find(GROUP, start)
    return len(text) if end < 0 else end


def _linked(text: str) -> list[tuple[str, str]] | None:
    try:
        link = urlsplit(text)
        segments = [unquote(part) for part in link.path.split("/")]
        query = parse_qsl(link.query, max_num_fields=50)
    except ValueError:
        return None
    first = next((at for at, part in enumerate(segments[:-1]) if part in _PRIMARY_KEYS), None)
    if first is None:
        return None
    path = segments[first:]
    pairs = list(zip(path[::2], path[1::2], strict=False))
    pairs += [(name, value) for name, value in query if identifier_of(name)]
    return [(name, value.zfill(_PADDED.get(name, 0))) for name, value in pairs]


def _is_right(code: str, value: str) -> bool:
    identifier = identifier_of(code)
    if identifier is None or not identifier.allows(value):
        return False
    return not identifier.checked or gs1_check(value[:-1]) == int(value[-1])


def printed_elements(text: str) -> Iterator[tuple[str, str]]:
    """Yield the elements that a line prints behind their identifiers in brackets.

    A value of fixed length may have blanks; others end at the first.
    """
    for code, value in _bracketed(text[:_MOST_CHARACTERS]):
        identifier = identifier_of(code)
        if identifier is None:
            continue
        words = value.split()
        shown = "".join(words)[: identifier.length] if identifier.fixed else "".join(words[:1])
        if _is_right(code, shown):
            yield code, shown


def gs1_date(text: str, today: date) -> date | None:
    """Return a date of six digits; day 00 is the last of the month. The year is within fifty of today's."""
    if not (text.isascii() and text.isdecimal()) or len(text) != 6:
        return None
    year, month, day = today.year - today.year % 100 + int(text[:2]), int(text[2:4]), int(text[4:])
    year += 100 if year < today.year - 49 else -100 if year > today.year + 50 else 0
    try:
        return date(year, month, day or monthrange(year, month)[1])
    except ValueError:
        return None


def gs1_measure(code: str, value: str) -> float:
    """Return the measure of an identifier whose fourth digit is its number of decimals."""
    decimals = int(code[3])
    return int(value) / float(10**decimals)
