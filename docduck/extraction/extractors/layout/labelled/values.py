"""The value of a field's type within the lines that a label points to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Any

from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.candidates.conversion import from_candidate, from_text
from docduck.extraction.extractors.layout.candidates.names import (
    bare_name,
    is_name_like,
    without_label,
)
from docduck.extraction.extractors.layout.labelled.places import DURATIONS, Place
from docduck.extraction.extractors.layout.labelled.salutations import without_salutation
from docduck.extraction.extractors.layout.parties import postal_addresses
from docduck.extraction.extractors.value_forms import is_code
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.issuers import is_addressee
from docduck.extraction.fields.meanings import contact_asked, meanings_of
from docduck.extraction.fields.period_ends import end_of_period
from docduck.extraction.fields.registrations import asked_side
from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key
from docduck.extraction.page.locale import Locale
from docduck.extraction.page.page_view import Token, by_line, starts_of, text_of, tokens_at
from docduck.extraction.reading import reading_of
from docduck.extraction.values.addresses import address_weight, find_town
from docduck.extraction.values.bank import MASKED_IBAN
from docduck.extraction.values.choices import parse_boolean, parse_check_mark
from docduck.extraction.values.currencies import currency_of, is_money
from docduck.extraction.values.dates import find_dates, joins_range
from docduck.extraction.values.times import find_times, parse_time
from docduck.fields import NUMERIC, FieldType

READ_KINDS = frozenset(
    {"date", "amount", "percent", "identifier", "iban", "bic", "vat", "mail", "web", "phone", "text", "party",
     "bank", "address", "list", "boolean", "choice", "currency", "time", "tender"}
)  # fmt: skip
"""Kinds of fields that take their values from labels; others are read by their own finders."""
_LIKELY = 0.5
_LABELS = 0.3
"""Probability from which a segment is the label of another, and no value."""
_TIME = "time"
"""The meaning of fields that ask for a time of day."""
_SENTENCE = re.compile(r"(?:[^\W\d_]{3,}|:\d\d|\d{4}|[%)])(\.)\s+[^\W\d_a-zà-ÿ]")
"""The end of a sentence within a text."""
_WORD = re.compile(r"(?![A-Z]{1,3}$)[^\W\d_]{2,}[.:]?")
_NOTHING = re.compile(r"[\W_]*")
_SENTENCES = frozenset({"remark", "description", "reason", "condition"})
"""Meanings of fields that sentences answer."""
_PERIOD_DIGITS = 4
_MOST_WORDS, _CURRENCY_WORDS = 8, 3
_BARE_NUMBER = 0.8
"""Fit of a whole number to a field of money."""
_SEVERAL = 0.85
"""Fit of the first of several amounts."""
_SECOND = 0.9
"""Fit of a value that isn't the first of its kind after the label."""


@dataclass(frozen=True, slots=True)
class ReadValue:
    """A value in JSON with the tokens that show it; ``fit``, 0–1, is how well it suits the field's type."""

    value: Any
    tokens: Sequence[Token]
    fit: float = 1.0


def read_value(query: FieldQuery, place: Place, analysis: DocumentAnalysis) -> ReadValue | None:
    """Return the value of ``query`` at a place, None if there is none of its type."""
    if query.type is FieldType.BOOLEAN:
        return _boolean(place.tokens)
    tokens = [t for t in place.tokens if t.text.strip("_.…:-–")]
    if query.type is FieldType.TEXT and _is_label(place):
        return None
    if not tokens or _NOTHING.fullmatch(text_of(tokens)) or key(text_of(tokens)) in word_set("no_value"):
        return None
    if query.kind == "date":
        return _date(query, tokens, analysis)
    if query.type in NUMERIC:
        return _number(query, tokens, place, analysis)
    if query.type is FieldType.CHOICE and parse_check_mark(tokens[0].text[:1]) is False:
        return None
    if query.kind == "currency":
        return _currency(tokens, analysis.locale)
    if query.kind in ("iban", "bic", "mail", "web", "phone", "percent", "amount"):
        candidates = _candidates(query.kind, tokens, analysis)
        if candidates:
            return _of_candidate(query, candidates[0])
        if query.kind not in ("phone", "bic"):
            return None
        return _identifier(tokens, place)
    if query.kind in ("identifier", "vat") or asked_side(query):
        return _identifier(tokens, place)
    asks_time = query.kind == "text" and _TIME in meanings_of(query.name)
    if query.kind == "time" or (asks_time and place.kinds != DURATIONS):
        return _time(query, tokens)
    if query.kind == "address":
        return _address(tokens)
    if query.type is FieldType.TEXT and not place.run_on:
        sentence = _first_sentence(query, tokens)
        if place.kinds or len(sentence) < len(tokens):
            value = _named_or_text(query, sentence, place, analysis)
            return replace(value, value=value.value.rstrip(".")) if value else None
    return _named_or_text(query, tokens, place, analysis)


def _named_or_text(
    query: FieldQuery, tokens: Sequence[Token], place: Place, analysis: DocumentAnalysis
) -> ReadValue | None:
    is_name = query.kind in ("party", "bank") or query.for_name or is_addressee(query)
    return _name(query, tokens) if is_name else _text(query, tokens, place, analysis)


def _boolean(tokens: Sequence[Token]) -> ReadValue | None:
    """Return what a mark says, or "yes" and "no"; an answer beside an empty mark is none."""
    text = text_of(tokens)
    mark, words = parse_check_mark(text), "".join(char for char in text if char.isalpha())
    if mark is not None and words.casefold() not in ("", "x"):
        said = parse_boolean(words) if mark else None
    else:
        said = parse_boolean(text.split(",")[0].strip(" ."))
    return None if said is None else ReadValue(said, tokens)


def _is_label(place: Place) -> bool:
    """Return whether the page's reading takes the value of a place for the label of another."""
    if place.tokens[0].index:
        return False
    reading = reading_of(place.page)
    if place.near:
        return reading.is_label(place.segment.index)
    labelled = reading.labelled.get(place.segment.index, ())
    return any(pointer.probability >= _LABELS for pointer in labelled)


def _candidates(kind: str, tokens: Sequence[Token], analysis: DocumentAnalysis) -> list[Candidate]:
    """Return the candidates of a kind within tokens, in their order."""
    inside = {id(token) for token in tokens}
    candidates: list[Candidate] = []
    for segment in dict.fromkeys(token.segment for token in tokens):
        some = analysis.candidates_of(kind, segment)
        candidates += [c for c in some if all(id(token) in inside for token in c.tokens)]
    if kind == "date":
        candidates = _join_lines(candidates or _broken_dates(tokens, analysis.locale), tokens)
    return candidates


def _broken_dates(tokens: Sequence[Token], locale: Locale) -> list[Candidate]:
    """Return the dates that go on in the next line."""
    matches = find_dates(text_of(tokens), locale.year_first) if len(by_line(tokens)) > 1 else []
    return [
        Candidate("date", match.read(locale.day_first).isoformat(), _shown(tokens, match.start, match.end))
        for match in matches
    ]


def _join_lines(dates: Sequence[Candidate], tokens: Sequence[Token]) -> list[Candidate]:
    """Return ``dates`` with the ends of a range marked whose last day is on the next line."""
    order = {id(token): at for at, token in enumerate(tokens)}
    joined = list(dates)
    for at, (candidate, other) in enumerate(pairwise(dates)):
        if (
            candidate.segment is not other.segment
            and joined[at].range is None
            and candidate.value <= other.value
        ):
            between = tokens[order[id(candidate.tokens[-1])] + 1 : order[id(other.tokens[0])]]
            if joins_range(text_of(between)):
                joined[at : at + 2] = replace(candidate, range="start"), replace(other, range="end")
    return joined


def _of_candidate(query: FieldQuery, candidate: Candidate, fit: float = 1.0) -> ReadValue:
    return ReadValue(
        from_candidate(query.field, candidate), candidate.tokens, fit * (0.5 + 0.5 * candidate.form)
    )


def _date(query: FieldQuery, tokens: Sequence[Token], analysis: DocumentAnalysis) -> ReadValue | None:
    candidates = _candidates("date", tokens, analysis)
    if not candidates:
        return None
    end = end_of_period(query)
    ranged = {candidate.range: candidate for candidate in candidates if candidate.range}
    if end and end in ranged:
        return _of_candidate(query, ranged[end])
    if end == "end" and len(candidates) > 1:
        return _of_candidate(query, candidates[1], _SECOND)
    fit = _SECOND if ranged and not end else 1.0
    return _of_candidate(query, candidates[0], fit)


def is_period(place: Place, analysis: DocumentAnalysis) -> bool:
    """Return whether a place shows both ends of a period."""
    if sum(c.isdigit() for t in place.tokens for c in t.text) < _PERIOD_DIGITS:
        return False
    return len({c.range for c in _candidates("date", place.tokens, analysis)} - {None}) == 2


def _number(
    query: FieldQuery, tokens: Sequence[Token], place: Place, analysis: DocumentAnalysis
) -> ReadValue | None:
    candidates = _candidates("amount", tokens, analysis)
    numbers = [c for c in candidates if c.kind == query.kind] or [
        c for c in candidates if query.kind == "percent"
    ]
    if not numbers and query.type is FieldType.NUMBER:
        numbers = candidates
    numbers = [
        c
        for c in numbers
        if not any(
            d.tokens[0].segment is c.segment and d.start <= c.start < d.end
            for d in _candidates("date", tokens, analysis)
        )
    ]
    if not numbers:
        return None
    first = numbers[0]
    fit = 1.0 if len(numbers) == 1 else _SEVERAL
    marked = first.currency or any(is_money(token.text) for token in tokens)
    is_bare = query.type is FieldType.CURRENCY and not (first.decimals or marked)
    if is_bare:
        fit = _BARE_NUMBER
    if (place.run_on or is_bare) and first.tokens[0] is not tokens[0]:
        return None
    if is_bare and _numbers_line(first):
        return None
    return ReadValue(from_candidate(query.field, first), first.tokens, fit)


def _numbers_line(number: Candidate) -> bool:
    """Return whether a number is that of the line that it begins: "6. Amount payable"."""
    behind = number.segment.tokens[number.end : number.end + 1]
    return number.start == 0 and any(char.isalpha() for token in behind for char in token.text)


def _identifier(tokens: Sequence[Token], place: Place) -> ReadValue | None:
    """Return the number, in groups if printed so, up to the first longer word behind it."""
    first = tokens[0].segment
    line = [t for t in tokens if t.segment is first][:_MOST_WORDS]
    if len(line) > 1 and line[0].key in word_set("generic_words") | {"n"} and not line[0].key.isdigit():
        line = line[1:]
    account = MASKED_IBAN.match(text_of(line))
    span: list[Token] = _shown(line, *account.span()) if account else []
    for token in () if account else line:
        if any(c.isdigit() for t in span for c in t.text) and _WORD.fullmatch(token.text):
            break
        span.append(token)
        if token.text.endswith((",", ";")):
            break
    text = text_of(span).strip(" :,;.")
    if "@" in text or (place.run_on and text.startswith("(")):
        return None
    if not is_code(text) or (len(span) > 1 and not any(c.isdigit() for c in text)):
        return None
    if _is_of_date(text, text_of(line)):
        return None
    if place.run_on and not any(c.isdigit() for c in span[0].text):
        prefixed = len(span) > 1 and span[0].text.isupper() and any(c.isdigit() for c in span[1].text)
        if not prefixed:
            return None
    return ReadValue(text, span)


def _is_of_date(text: str, line: str) -> bool:
    """Return whether a text is a date, or cuts one of the line that it begins: "8" of "8 januari 2025"."""
    whole = any(date.end - date.start >= len(text) for date in find_dates(text))
    return whole or any(date.start < len(text) < date.end for date in find_dates(line))


def _currency(tokens: Sequence[Token], locale: Locale) -> ReadValue | None:
    """Return the code of the currency that the first words name."""
    named = ((currency_of(token.text, locale.national), token) for token in tokens[:_CURRENCY_WORDS])
    return next((ReadValue(code, [token]) for code, token in named if code), None)


def _time(query: FieldQuery, tokens: Sequence[Token]) -> ReadValue | None:
    """Return the first time of day as printed, the last one for a field that asks for the end."""
    for line in by_line(tokens):
        text = text_of(line)
        spans = find_times(text)
        if spans:
            start, end = spans[-1 if end_of_period(query) == "end" else 0]
            printed = text[start:end]
            value = parse_time(printed) if query.kind == "time" else None
            return ReadValue(value or printed, _shown(line, start, end))
    return None


def _shown(line: Sequence[Token], start: int, end: int) -> list[Token]:
    """Return the tokens that show a part of a line's text."""
    return list(tokens_at(line, starts_of(line), start, end))


def _address(tokens: Sequence[Token]) -> ReadValue | None:
    lines = by_line(tokens)
    while len(lines) > 1 and not address_weight(text_of(lines[0])):
        lines = lines[1:]
    printed = [token for line in lines for token in line]
    text = postal_addresses.as_text(printed)
    if not any(c.isdigit() for c in text) and find_town(text) is None:
        return None
    return ReadValue(text, printed)


def _name(query: FieldQuery, tokens: Sequence[Token]) -> ReadValue | None:
    lines = by_line(tokens)
    first = bare_name(without_label(_without_own_label(_before_contact(lines[0]))))
    first = list(without_salutation(query, first))
    text = text_of(first).strip(" ,:;|·•-–")
    if not first or not is_name_like(text):
        return None
    return ReadValue(text, first)


def _before_contact(line: list[Token]) -> list[Token]:
    """Return a name without the phone number or e-mail address behind it: "Ann Bell, tel. 516 462"."""
    return list(takewhile(lambda token: not contact_asked(token.text), line)) or line


def _without_own_label(line: list[Token]) -> list[Token]:
    """Return a line without a word for names that it begins with ("Name Alder Partners")."""
    labelled = len(line) > 1 and line[0].key in word_set("name_labels") and line[1].text[:1].isupper()
    return line[1:] if labelled else line


def _text(
    query: FieldQuery, tokens: Sequence[Token], place: Place, analysis: DocumentAnalysis
) -> ReadValue | None:
    lines = by_line(tokens)
    lines[0] = list(without_salutation(query, _without_own_label(lines[0])))
    if query.type is FieldType.TEXT and len(lines) > 1:
        lines = _without_address(lines)
    printed = [token for line in lines for token in line]
    text = text_of(printed).strip(" :–-|_·•*,;")
    if place.run_on and (_SENTENCE.search(text) or printed[0].text in word_set("idle", "meanings")):
        return None
    value = from_text(query.field, text, analysis.locale) if text else None
    if query.type is FieldType.LIST and value and len(value) == 1:
        value = _items(lines)
    return ReadValue(value, printed) if value not in (None, []) else None


def _first_sentence(query: FieldQuery, tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the tokens after a label in its line up to the end of their sentence, all for a remark."""
    end = _SENTENCE.search(text_of(tokens)) if tokens[0].index else None
    if end is None or not meanings_of(query.name).isdisjoint(_SENTENCES):
        return tokens
    return _shown(tokens, 0, end.start(1))


def _items(lines: Sequence[Sequence[Token]]) -> list[str]:
    """Return the items of a list in lines; those that begin in lower case go on."""
    items: list[str] = []
    for line in lines:
        text = text_of(line)
        bare = text.lstrip("-–—•*· ")
        if items and bare == text and text[:1].islower():
            items[-1] += f" {text}"
        else:
            items.append(bare.rstrip(" ,;"))
    return items


def _without_address(lines: list[list[Token]]) -> list[list[Token]]:
    """Return the lines above the address of a party, all if there is none."""
    reading = reading_of(lines[0][0].segment.page)
    first = lines[0][0].segment.index
    if sum(reading.role(first, part) for part in ("sender name", "addressee name", "third name")) >= _LIKELY:
        return lines[:1]
    for count, line in enumerate(lines[1:], 1):
        index = line[0].segment.index
        parts = ("sender address", "addressee address", "third address")
        if max(reading.role(index, part) for part in parts) >= _LIKELY or find_town(text_of(line)):
            return lines[:count]
    return lines
