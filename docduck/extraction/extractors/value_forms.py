"""Whether a text can be the value of a field: what its form rules out, whoever proposes it.

A value that a file states as data is not doubted, nor one of the form that a person taught.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import product

from docduck.documents.detection.file_types import OWN_TYPES
from docduck.extraction.extractor import Findings
from docduck.extraction.extractors.layout.candidates.names import has_legal_form
from docduck.extraction.fields.field_query import FieldQuery
from docduck.extraction.fields.issuers import is_addressee, is_issuer, is_somebody
from docduck.extraction.fields.meanings import asks_for_name, asks_for_number, may_mean, meanings_of
from docduck.extraction.fields.registrations import asked_side
from docduck.extraction.lexicon import entries
from docduck.extraction.normal_text import key
from docduck.extraction.result import Finding
from docduck.extraction.values.addresses import address_weight
from docduck.extraction.values.currencies import currencies_in, currency_of
from docduck.extraction.values.dates import find_dates
from docduck.extraction.values.numbers import parse_number
from docduck.fields import FieldType

_PERSON = "person"
"""The meaning of fields whose value is no company."""
_PLATE = frozenset({"licence_plate"})
_YEARS = frozenset({"year", "fiscal_year", "year_of_manufacture", "construction_year"})
_TAX_RATE = frozenset({"tax", "rate"})
_PARTIES = frozenset({"party", "bank"})
_CODES = frozenset({"identifier", "vat", "iban", "bic"})
"""Kinds of values that identify something."""
_CENTS = re.compile(
    r"(?:[^\W\d_]{1,3}\.?\s)?[^\w\s]?\d{1,3}(?:[.,'’ ]\d{3})*[.,]\d{2}[-−–]?(?:\s[^\W\d_]{1,3}\.?)?"
)
_PERCENTAGE = re.compile(r"\d{1,3}(?:[.,]\d{1,3})? ?%")
_INITIALS = re.compile(r"(?:[^\W\d_]\.\s?){2,6}")
_WORD_CODE = re.compile(r"[^\W\d_a-zß-ÿ]{2,}(?:[-_/.#:][^\W\d_]+)+")
"""A code without digits: "INV-approve"."""
_SENTENCE_END = re.compile(r"\S\s+\S+\s+\S+\s+[a-zß-ÿ]{4,}[.!?]$")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|2[01])\d\d(?!\d)")
_WHOLE = 100
"""Percents."""
_WORDS = re.compile(r"[a-zß-ÿ]{3}|:")
_SHORTEST_NAME, _LONGEST_PLATE, _SHORTEST_REGISTRATION = 3, 12, 2
"""Letters of a name and digits of a tax number at least, letters and digits of a licence plate at most."""
_FILES = (
    *(suffix for type_ in OWN_TYPES for suffix in type_.suffixes),
    ".doc", ".ppt", ".odp", ".rar", ".7z", ".gz", ".ics", ".vcf", ".p7s", ".p7c", ".svg", ".json",
)  # fmt: skip
"""How the names of files end."""


def is_code(text: str) -> bool:
    """Return whether a text can identify something: it has a digit, or is or begins in capitals."""
    in_capitals = (text.isupper() and len(text) > 1) or _WORD_CODE.fullmatch(text)
    return any(map(str.isdigit, text)) or bool(in_capitals)


def has_form(query: FieldQuery, text: str) -> bool:
    """Return whether a text can be the value of a field.

    A name has letters, a person's no legal form; a licence plate has digits, too, an address a number or the
    word for a place. What identifies something is neither money nor a date, a count has no currency, a year
    has four digits, and no tax is more than the whole. Nothing but a text is the name of a file.
    """
    if query.type is FieldType.TEXT:
        return _has_form_of_text(query, text.strip())
    return query.type is not FieldType.NUMBER or _has_form_of_number(query, text.strip())


def _has_form_of_number(query: FieldQuery, text: str) -> bool:
    meanings = meanings_of(query.name)
    if "count" in meanings and any(map(currency_of, text.split())):
        return False
    if may_mean(query.name, _YEARS):
        return _YEAR.search(text) is not None
    if query.kind == "percent" or meanings >= _TAX_RATE:
        rate = parse_number(text.rstrip("% "))
        return rate is None or abs(rate) <= _WHOLE
    return True


@lru_cache(maxsize=16384)
def _has_form_of_text(query: FieldQuery, text: str) -> bool:
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    registered = query.kind == "vat" or asked_side(query) is not None
    is_number = query.kind in _CODES or registered or asks_for_number(query.name)
    named = is_somebody(query) and not registered
    if (is_number or named or query.kind in _PARTIES or query.kind == "address") and is_file_name(text):
        return False
    if registered and digits < _SHORTEST_REGISTRATION:
        return False
    if is_number and (is_money(text) or _is_date(text)):
        return False
    if named and letters <= 2 * digits:
        return False
    if query.kind in _PARTIES and not _may_be_called(text):
        return False
    if query.concept is None and _PERSON in meanings_of(query.name) and has_legal_form(text):
        return False
    if query.kind == "address":
        return digits > 0 or any(map(address_weight, (text, *text.split(","))))
    if query.kind == "text" and may_mean(query.name, _PLATE):
        return digits > 0 and letters + digits <= _LONGEST_PLATE
    if asks_for_number(query.name):
        return is_code(text)
    if query.kind != "text":
        return True
    is_name = letters >= max(_SHORTEST_NAME, 2 * digits) and "@" not in text
    return is_name or bool(_INITIALS.fullmatch(text)) or not asks_for_name(query.name)


def _may_be_called(text: str) -> bool:
    """Return whether a text can be a name: with a capital, in scripts that have any, and no sentence."""
    is_named = any(char.isupper() or not char.isascii() for char in text if char.isalpha())
    is_sentence = key(text) in _closings() or _SENTENCE_END.search(text)
    return is_named and not (is_sentence or is_money(text) or _is_date(text))


@cache
def _closings() -> frozenset[str]:
    """Return the normal forms of the words that letters end with."""
    kinds = entries("kinds")["kinds"].values()
    return frozenset(key(str(words)) for kind in kinds for words in kind.get("closings", ()))


def is_file_name(text: str) -> bool:
    """Return whether a text is what a file is called: "Invoice_4711.pdf"."""
    stem, _, ending = text.rpartition(".")
    return bool(stem) and f".{ending.casefold()}" in _FILES


def is_money(text: str) -> bool:
    """Return whether a text is an amount with cents or a currency, or a percentage."""
    if _CENTS.fullmatch(text) or _PERCENTAGE.fullmatch(text):
        return True
    marks = currencies_in(text)
    apart = any(map(currency_of, text.split())) or not any(mark in text for mark in marks)
    return bool(marks) and apart and parse_number(text) is not None


def _is_date(text: str) -> bool:
    """Return whether a text is a date behind words, or with points or a word: "Dated: 12/06/2026", "12.6.26".

    Other dates may be numbers: "14/05/2024", "20-2-18 Vtec".
    """
    last = next(iter(find_dates(text)[-1:]), None)
    if last is None or key(text[last.end :]) or text.isdigit():
        return False
    before, date = text[: last.start], text[last.start : last.end]
    if key(before):
        return bool(_WORDS.search(before)) and not any(map(str.isdigit, before))
    return "." in date or any(map(str.isalpha, date))


def with_form(found: Findings, queries: Iterable[FieldQuery], known: Mapping[str, Finding]) -> Findings:
    """Return what was found without the values that can't be those of their fields.

    Of a party in both roles, the surer one stays; ``known`` are the values that others have found.
    """
    by_name = {query.name: query for query in queries}
    fitting = {
        name: finding
        for name, finding in found.scalars.items()
        if name not in by_name or _fits(by_name[name], finding)
    }
    twice = _in_both_roles(by_name, fitting, known)
    found.scalars = {name: finding for name, finding in fitting.items() if name not in twice}
    return found


def _fits(query: FieldQuery, finding: Finding) -> bool:
    if _is_stated(finding) or finding.learned_from:
        return True
    text = finding.raw_text if query.type is FieldType.NUMBER else finding.value
    return not isinstance(text, str) or has_form(query, text)


def _is_stated(finding: Finding) -> bool:
    return finding.source == "structured"


def _in_both_roles(
    by_name: Mapping[str, FieldQuery], found: Mapping[str, Finding], known: Mapping[str, Finding]
) -> set[str]:
    """Return the fields of ``found`` whose party has the other role, too, and is less surely in this one."""
    roles: dict[str, dict[str, Finding]] = {"seller": {}, "buyer": {}}
    for name, finding in {**found, **known}.items():
        role = _role(by_name[name]) if name in by_name and isinstance(finding.value, str) else None
        if role is not None:
            roles[role][name] = finding
    twice: set[str] = set()
    for (seller, first), (buyer, second) in product(*(some.items() for some in roles.values())):
        if key(first.value) == key(second.value) and not (_is_stated(first) and _is_stated(second)):
            sure = {seller: first, buyer: second}
            twice.add(min(sure, key=lambda name: (name in known, sure[name].confidence)))
    return twice


@lru_cache(maxsize=4096)
def _role(query: FieldQuery) -> str | None:
    """Return the role of the party whose name a field asks for."""
    if query.concept is not None:
        is_party = query.concept.kind == "party" and query.concept.side in ("seller", "buyer")
        return query.concept.side if is_party else None
    return "seller" if is_issuer(query) else "buyer" if is_addressee(query) else None
