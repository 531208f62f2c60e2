"""Labels with their values, as the reading of a page pairs them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from docduck.extraction.extractors.layout.labelled.places import Place, places_of
from docduck.extraction.extractors.layout.labels.neighbours import right_neighbour
from docduck.extraction.fields.meanings import asks_for_number, contact_asked, meanings_of
from docduck.extraction.lexicon import concepts_by_label, scalar_concepts
from docduck.extraction.lexicon.thesaurus import thesaurus
from docduck.extraction.normal_text import fold, key
from docduck.extraction.page.locale import Locale
from docduck.extraction.page.page_view import PageView, location, text_of
from docduck.extraction.reading import reading_of
from docduck.extraction.result import Location
from docduck.extraction.suggest.naming import cleaned, is_known, is_name, without_last
from docduck.extraction.suggest.types import type_of
from docduck.extraction.values.dates import find_dates
from docduck.fields import FieldType

_KNOWN, _OTHER = 0.3, 0.9
"""Probability from which a label whose words are known belongs to its value, and from which another does."""
_PROSE, _LABEL = 0.5, 0.6
"""Probabilities from which a segment is part of a sentence, and a label."""
_MOST_VALUE_WORDS, _MOST_OTHER_WORDS, _MOST_WORDS, _MOST_WORDS_BESIDE = 12, 8, 14, 2
"""Words of a value, of one whose label is not known, of a segment that is label and value in one without a
colon, and of what is printed with dates."""
_PHONE = re.compile(r"\(\d{2,5}\)|\+\d|\(\+\d")
_CLOCK = re.compile(r"\d?\d:\d\d(?::\d\d)?(?: ?[+-]\d{4})?")
_BOX_NUMBER = re.compile(r"\d{1,2}[a-z]?")
_CODE = re.compile(r"[A-Z]{1,2}|[-/]")
_MOST_TIMES = 2
"""How often a label of one page can be followed by different values; another labels rows."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A label as it names a field, and its value at ``place``; ``known`` is whether its words are known."""

    name: str
    value: str
    type: FieldType
    place: Location
    known: bool


def find_pairs(view: PageView, locale: Locale, taken: Collection[int]) -> list[Pair]:
    """Return the pairs of a page, outside the rows ``taken`` by tables, in the order of their values.

    The words of a value have one label: the likeliest that can be a name.
    """
    best: dict[int, tuple[float, Pair]] = {}
    for place in places_of(view):
        if place.segment.row in taken or (pair := _pair(place, locale)) is None:
            continue
        spot = id(place.tokens[-1])
        score = place.probability + pair.known + len(pair.name) / 1000
        if score > best.get(spot, (0.0, pair))[0]:
            best[spot] = score, pair
    pairs = [pair for _, pair in best.values()]
    times = Counter(name for name, _ in {(key(pair.name), key(pair.value)) for pair in pairs})
    return [pair for pair in pairs if times[key(pair.name)] <= _MOST_TIMES]


def _pair(place: Place, locale: Locale) -> Pair | None:
    name, value = cleaned(place.label), text_of(place.tokens)
    if place.run_on and key(name) not in concepts_by_label():
        name = without_last(name)
    known = is_known(name)
    if place.probability < (_KNOWN if known else _OTHER) or not is_name(name) or not _is_value(place, value):
        return None
    type_ = _type(name, value, locale)
    if place.run_on and not (known and _follows(place, type_)):
        return None
    if not known and not (place.label[:1].isupper() and len(place.tokens) <= _MOST_OTHER_WORDS):
        return None
    if _PHONE.match(value) and not asks_for_number(name) and contact_asked(name) is None:
        return None
    if any(match.start < len(name) < match.end for match in find_dates(f"{name} {value}")):
        return None
    return Pair(name, value, type_, location(place.tokens), known)


def _is_value(place: Place, value: str) -> bool:
    """Return whether a text is short, and neither a label itself nor the number of one on a form."""
    reading, segment = reading_of(place.page), place.segment
    if {fold(word) for word in value.split()} <= thesaurus().idle:
        return False
    if not any(map(str.isalnum, value)) or len(place.tokens) > _MOST_VALUE_WORDS:
        return False
    if place.tokens[0].index == 0 and reading.kind(segment.index, "label") >= _LABEL:
        return False
    beside = right_neighbour(segment)
    return not (
        _BOX_NUMBER.fullmatch(value) and beside and reading.kind(beside.index, "label", "heading") >= _LABEL
    )


def _follows(place: Place, type_: FieldType) -> bool:
    """Return whether a number or date follows its label in a short line."""
    prose = reading_of(place.page).kind(place.segment.index, "prose")
    numbers = all(any(map(str.isdigit, t.text)) or _CODE.fullmatch(t.text) for t in place.tokens)
    whole = numbers or type_ not in (FieldType.TEXT, FieldType.BOOLEAN)
    return whole and len(place.segment.tokens) <= _MOST_WORDS and prose < _PROSE


def _type(name: str, value: str, locale: Locale) -> FieldType:
    """Return the type of a value, as far as the lexicon's meaning of its label allows it."""
    seen = type_of(value, locale)
    pool = scalar_concepts()
    kinds = {pool[concept].kind for concept in concepts_by_label().get(key(name), ())}
    if "time" in meanings_of(name) and seen is not FieldType.DATE:
        return FieldType.TEXT
    if seen in (FieldType.NUMBER, FieldType.DATE) and (kinds == {"identifier"} or asks_for_number(name)):
        return FieldType.TEXT
    if kinds == {"amount"} and seen in (FieldType.NUMBER, FieldType.TEXT) and any(map(str.isdigit, value)):
        return FieldType.CURRENCY
    return FieldType.DATE if seen is FieldType.TEXT and _is_period(value) else seen


def _is_period(value: str) -> bool:
    """Return whether a text shows dates and hardly another word: "Tue 30 May 2023", "1 to 31 May"."""
    rest = value
    for match in reversed(matches := find_dates(value)):
        rest = rest[: match.start] + rest[match.end :]
    rest = _CLOCK.sub("", rest)
    return bool(matches) and not any(map(str.isdigit, rest)) and len(rest.split()) <= _MOST_WORDS_BESIDE
