"""Values of a field's type within some words, with the words that show them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from docduck.extraction.extractors.prose.values.field_values import MONEY
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.terms import covered, query_terms, terms
from docduck.extraction.page.locale import Locale
from docduck.extraction.values.dates import DateMatch, find_dates
from docduck.extraction.values.numbers import as_json_number, parse_number
from docduck.fields import FieldType

NUMBER = re.compile(r"(?<![\w.,/-])[-−]?\d+(?:[.,'’]\d+|[ \u00a0]\d{3}(?!\d))*(?![\w/-]|[.,]\d)")
"""A number as texts print it, no part of a date, an identifier or a range."""
_CITED = re.compile(r"(?:§|\bArt(?:icle|ikel|\.)?|\bSection|\bClause|\bPage)\s*$", re.IGNORECASE)
_ITEM = re.compile(r"[.)]\s+[A-ZÀ-Þ]")
_RANGE = 8
"""Characters between the two dates of a range at most."""
_DURATION_WORDS = frozenset(
    {"period", "term", "duration", "notice", "warranty", "life", "probezeit", "frist", "laufzeit", "dauer"}
)


def numbers(text: str, locale: Locale) -> list[tuple[Any, int, int]]:
    """Return the numbers of ``text`` outside of dates, with their spans."""
    dates = find_dates(text, locale.year_first)
    found = []
    for match in NUMBER.finditer(text):
        if any(d.start < match.end() and match.start() < d.end for d in dates):
            continue
        if _CITED.search(text[max(match.start() - 10, 0) : match.start()]) or _listed(text, match):
            continue
        number = parse_number(match[0], locale.decimal)
        if number is not None:
            found.append((as_json_number(number), match.start(), match.end()))
    return found


def _listed(text: str, match: re.Match[str]) -> bool:
    """Whether a number only numbers a paragraph: "4. Maturity"."""
    after = _ITEM.match(text, match.end())
    return after is not None and (not match.start() or text[: match.start()].rstrip()[-1:] in (".", ""))


def amounts(text: str, locale: Locale) -> list[tuple[Any, int, int]]:
    """Return the amounts of money of ``text``: numbers with a currency, else those with cents."""
    found = []
    for match in MONEY.finditer(text):
        digits = NUMBER.search(re.sub(r"[^\d.,'’ \u00a0-]", " ", match[0]).strip())
        number = parse_number(digits[0], locale.decimal) if digits else None
        if number is not None:
            found.append((as_json_number(number), match.start(), match.end()))
    if found:
        return found
    return [one for one in numbers(text, locale) if re.search(r"[.,]\d\d$", text[one[1] : one[2]])]


def in_ranges(query: FieldQuery, text: str, dates: Sequence[DateMatch]) -> list[DateMatch]:
    """Return the dates but those of ranges ("1 to 31 May") that are not the end that the field asks for."""
    expected = terms(query.name)
    first, last = covered(terms("start"), expected) > 0, covered(terms("end"), expected) > 0
    kept = list(dates)
    for one, other in pairwise(dates):
        if other.start - one.end <= _RANGE and "\n" not in text[one.end : other.start]:
            kept = [d for d in kept if (d is not one or first) and (d is not other or (last and not first))]
    return kept


def wants_duration(query: FieldQuery) -> bool:
    """Whether a text field asks how long something lasts."""
    words = {term.stem for term in query_terms(query).terms}
    described = query.description.text.casefold()
    names = query.name.casefold()
    return query.type is FieldType.TEXT and (
        bool(words & _DURATION_WORDS)
        or any(
            w in names or w in described
            for w in ("dauer", "frist", "durée", "duración", "durata", "opzegtermijn")
        )
        or any(names.endswith(w) for w in ("_period", "probation", "notice"))
    )
