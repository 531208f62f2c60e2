"""A document's language, nation, decimal separator and date order: day first or month first."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from docduck.extraction.lexicon import entries, words
from docduck.extraction.normal_text import key
from docduck.extraction.options import ReadingLocale
from docduck.extraction.page.page_view import PageViews
from docduck.extraction.values.currencies import currencies_in
from docduck.extraction.values.dates import find_dates

_DECIMAL = re.compile(r"(?<![\d.,])\d{1,3}(?:[.,'’ \u00a0\u202f]?\d{3}){0,6}([.,])\d{2}(?![\d.,])")
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:[.,'’]\d{3}){1,6}[.,]\d\d(?!\d)")
_US_STATE = re.compile(r"\b[A-Z]{2} \d{5}(?:-\d{4})?\b")
_WORTH = {"sure": 2, "likely": 1}
"""What signs of a nation count."""
_READ = 20_000
"""Characters looked at; enough to decide."""


_OTHER_SCRIPT, _TELLING = 0.3, 0.02
"""Share of letters of another script from which a document is in it, and of those that tell its language."""


@dataclass(frozen=True, slots=True)
class Locale:
    """A decided reading locale.

    ``national`` is the currency of the nation that the document is of, None if that is open: registration
    numbers, legal forms, taxes and postal codes tell it. ``year_first`` is about dates whose year has two
    digits. Thousands may be ``spaced``, by a blank, where no other mark groups them.
    """

    language: str
    decimal: str
    day_first: bool
    national: str | None
    year_first: bool = False
    spaced: bool = True


@cache
def _stop_words() -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for language, some in words()["stop_words"].items():
        for word in some:
            table.setdefault(key(word), []).append(language)
    return table


def _language(text: str) -> str:
    letters = "".join(filter(str.isalpha, text))
    others = {language: len(re.findall(form, letters)) for language, form in words()["letters"].items()}
    if sum(others.values()) > _OTHER_SCRIPT * len(letters):
        return next(str(name) for name, count in others.items() if count > _TELLING * len(letters))
    votes: dict[str, float] = defaultdict(float)
    table = _stop_words()
    for word in text.split():
        languages = table.get(key(word))
        if languages:
            for language in languages:
                votes[language] += 1 / len(languages)
    return max(votes, key=lambda language: votes[language]) if votes else "en"


@dataclass(frozen=True, slots=True)
class _Nation:
    """A nation with its ``signs``: words, or expressions, and what each counts."""

    currency: str
    day_first: bool | None
    signs: Sequence[tuple[str, re.Pattern[str], int]]

    def count(self, text: str) -> int:
        """Return what the signs of the nation in a text count."""
        return sum(worth for word, form, worth in self.signs if word in text and form.search(text))


@cache
def _nations() -> Sequence[_Nation]:
    return [
        _Nation(
            entry["currency"],
            entry.get("day_first"),
            [
                *(
                    (word, _whole_word(word), worth)
                    for name, worth in _WORTH.items()
                    for word in entry.get(name, ())
                ),
                *(("", re.compile(form), _WORTH["sure"]) for form in entry.get("forms", ())),
            ],
        )
        for entry in entries("nations").values()
    ]


def _whole_word(word: str) -> re.Pattern[str]:
    """Return a pattern of a word, or of the end of a web address, that is no part of another."""
    before = "" if word.startswith(".") else r"(?<![^\W_])"
    return re.compile(rf"{before}{re.escape(word)}(?![^\W_])")


@lru_cache(maxsize=16)
def _nation(text: str) -> _Nation | None:
    """Return the nation whose signs in a text count most, None if there are none, or for two as much."""
    counts = [(nation.count(text), nation) for nation in _nations()]
    best, second = sorted(counts, key=lambda count: -count[0])[:2]
    return best[1] if best[0] > second[0] else None


def decide(view: PageViews, wish: ReadingLocale) -> Locale:
    """Return the locale of a document; what ``wish`` leaves open is decided from the page."""
    return locale_of("\n".join(segment.text for segment in view.segments), wish)


def locale_of(text: str, wish: ReadingLocale) -> Locale:
    """Return the locale of a document by its text."""
    text = text[:_READ]
    language = wish.language if wish.language != "auto" else _language(text)
    marks = Counter(_DECIMAL.findall(text))
    decimal: str = wish.decimal_separator
    if decimal == "auto":
        decimal = str(words()["decimal_separator"].get(language, "."))
        if marks["."] != marks[","]:
            decimal = "." if marks["."] > marks[","] else ","
    nation = _nation(text)
    national = nation.currency if nation else words()["currencies"].get(language)
    year_first = wish.date_order == "year_first" or (
        wish.date_order == "auto" and language in words()["year_first"]
    )
    if wish.date_order in ("day_first", "month_first"):
        day_first = wish.date_order == "day_first"
    else:
        day_first = _day_first(text, language, nation, year_first)
    spaced = _GROUPED.search(text) is None
    return Locale(language, decimal, day_first, national, year_first, spaced)


def _day_first(text: str, language: str, nation: _Nation | None, year_first: bool) -> bool:
    """By the dates that only one order allows, else by national habit."""
    orders = Counter(match.day_first for match in find_dates(text, year_first) if match.day_first is not None)
    if orders[True] != orders[False]:
        return orders[True] > orders[False]
    habit = words()["day_first"].get(language)
    if habit is not None:
        return bool(habit)
    if nation is not None and nation.day_first is not None:
        return nation.day_first
    national = nation.currency if nation else None
    currencies = Counter(
        currencies_in(text, beside_digits=True, national=national) or currencies_in(text, national=national)
    )
    currency = currencies.most_common(1)[0][0] if currencies else None
    american = len(_US_STATE.findall(text)) > 0 or " USA" in text or "United States" in text
    return not (currency in ("USD", None) and (american or currency == "USD"))
