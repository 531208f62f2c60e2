"""Calendar dates in any order, numeric, with the month's name in twenty languages, or in East Asian form."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal

from docduck.extraction.lexicon import words
from docduck.extraction.normal_text import key, plain

DateOrder = Literal["auto", "day_first", "month_first", "year_first"]
"""The order of numeric dates; ``year_first`` applies to two-digit years (``25-04-03``)."""

_YEAR = r"(?:(?:19|20)\d\d|['’]?\d\d)"
_WORD = r"[^\W\d_]{3,12}"
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, "民國": 1911, "民国": 1911}
"""The years before the first of Japanese eras and of the Republic of China."""
_END = r"(?!\d(?!\d?:\d\d)|[-/.,]\d)"
"""No digit after a year, unless a time of day is glued to it (``19-03-201811:12``)."""
_PATTERNS = (
    (
        "east asian",
        re.compile(
            rf"(?<!\d)(?:({'|'.join(_ERAS)})\s?(\d{{1,3}}|元)|((?:19|20)\d\d))\s?[年년]"
            r"\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]?(?!\d)"
        ),
    ),
    (
        "ymd",
        re.compile(r"(?<![\d.,/-])((?:19|20)\d\d)\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?![\d]|[-/.]\d)"),
    ),
    ("num", re.compile(rf"(?<![\d.,/-])(\d{{1,2}})\s?([-/.])\s?(\d{{1,2}})\s?\2\s?({_YEAR}){_END}")),
    (
        "dmy",
        re.compile(
            rf"(?<![\d.,/-])(\d{{1,2}})(?:st|nd|rd|th|er|[ºª°»”\"])?\.?(?:\s+day)?(?:\s+(?:de|of)(?=\s))?[\s\-/.]*"
            rf"({_WORD})\.?,?(?:\s+(?:de|del)(?=\s))?[\s\-/.']*({_YEAR})(?!\d|[.,]\d)",
            re.IGNORECASE,
        ),
    ),
    (
        "mdy",
        re.compile(
            rf"(?<![^\W\d_])({_WORD})\.?[\s\-/]*(\d{{1,2}})(?:(?:st|nd|rd|th)?\s?[,.\-/]\s*|(?:st|nd|rd|th)?\s+)({_YEAR})(?!\d|[.,]\d)",
            re.IGNORECASE,
        ),
    ),
    (
        "ymd name",
        re.compile(
            rf"(?<![\d.,/-])((?:19|20)\d\d)\.?\s+({_WORD})\.?\s+(\d{{1,2}})(?!\d|[.,]\d|:\d\d)", re.IGNORECASE
        ),
    ),
    ("compact", re.compile(r"(?<![\w.,/-])((?:19|20)\d\d)(\d\d)(\d\d)(?!\w|[-.,]\d|/\d(?!\d{5}\b))")),
)
_GROUPS = {
    "ymd": (4, 3, 1), "short ymd": (4, 3, 1), "compact": (3, 2, 1),
    "dmy": (1, 2, 3), "mdy": (2, 1, 3), "ymd name": (3, 2, 1),
}  # fmt: skip
"""The groups of day, month and year where these are in one order alone."""
_SHORT_YEAR_FIRST = (
    "short ymd",
    re.compile(rf"(?<![\d.,/-])(\d\d)\s?([-/.])\s?(\d{{1,2}})\s?\2\s?(\d{{1,2}}){_END}"),
)


@cache
def month_names() -> dict[str, int]:
    """Return the numbers of months by the normal forms of their names."""
    return {key(name): number for number, names in words()["months"].items() for name in names}


@dataclass(frozen=True, slots=True)
class DateMatch:
    """A date in a text: its span and its readings; of two readings the day-first one comes first.

    ``day_first`` is the order that a numeric date proves, None if it proves none.
    """

    start: int
    end: int
    readings: tuple[date, ...]
    day_first: bool | None = None

    def read(self, day_first: bool) -> date:
        return self.readings[0 if day_first else -1]


def _year(text: str) -> int:
    digits = text.lstrip("'’")
    if len(digits) == 4:
        return int(digits)
    return 2000 + int(digits) if int(digits) < 70 else 1900 + int(digits)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _readings(form: str, match: re.Match[str]) -> tuple[date, ...]:
    if form == "num":
        first, second, year = int(match[1]), int(match[3]), _year(match[4])
        both = (_date(year, second, first), _date(year, first, second))
        return tuple(dict.fromkeys(day for day in both if day))
    if form == "east asian":
        in_era = 1 if match[2] == "元" else int(match[2] or match[3])
        reading = _date(_ERAS.get(match[1], 0) + in_era, int(match[4]), int(match[5]))
        return (reading,) if reading else ()
    day, name, of_year = (match[at] for at in _GROUPS[form])
    month = int(name) if name.isdigit() else month_names().get(key(name))
    reading = _date(_year(of_year), month, int(day)) if month else None
    return (reading,) if reading else ()


_GLUED_RANGE = re.compile(
    r"(?:(?<=[-/.]\d\d)|(?<=[-/.\s]\d{4}))(\s?)[-–]"
    rf"(?=\d{{1,2}}(?:([-/.])\d{{1,2}}\2{_YEAR}(?!\d)|\.?\s?{_WORD}\.?\s)|(?:19|20)\d\d-\d\d-\d\d)"
)
_MISREAD = re.compile(r"(?<![\w/.-])(?=(?:\D*\d){3})[\dOoDQIlSBZt|/.-]{6,10}(?![\w/.-])")
_DIGITS = str.maketrans("OoDQIl|SBZ", "0000111582")


def repair_date(text: str) -> str:
    """Return ``text`` with OCR errors in words like a date corrected.

    ``O5/l2/2O18`` becomes ``05/12/2018`` and ``06t07t20`` ``06/07/20``; the length is unchanged.
    """
    return _MISREAD.sub(lambda match: match[0].replace("t", "/").translate(_DIGITS), text)


_DIGITS_OF_A_DATE = re.compile(r"(?:\D*\d){3}|.*元年", re.DOTALL)


def find_dates(text: str, year_first: bool = False) -> list[DateMatch]:
    """Return all non-overlapping dates in ``text``, left to right.

    With ``year_first``, three numbers of at most two digits begin with the year if that makes a date.
    """
    if not _DIGITS_OF_A_DATE.match(text):
        return []
    text = _GLUED_RANGE.sub(r"\1~", plain(text))
    matches: list[DateMatch] = []
    taken: list[tuple[int, int]] = []  # sorted, not overlapping
    for form, pattern in (_SHORT_YEAR_FIRST, *_PATTERNS) if year_first else _PATTERNS:
        for match, readings in _read_by(form, pattern, text):
            place = bisect_left(taken, match.span())
            if any(
                match.start() < end and start < match.end()
                for start, end in taken[max(place - 1, 0) : place + 1]
            ):
                continue
            order = None
            if form == "num" and len(readings) == 1 and match[1] != match[3]:
                order = int(match[1]) == readings[0].day
            matches.append(DateMatch(match.start(), match.end(), readings, order))
            taken.insert(place, match.span())
    return sorted(matches, key=lambda match: match.start)


def _read_by(
    form: str, pattern: re.Pattern[str], text: str
) -> Iterator[tuple[re.Match[str], tuple[date, ...]]]:
    """Yield the matches that are dates; the words of others may belong to one: "3 till 5 May 2024"."""
    match = pattern.search(text)
    while match is not None:
        readings = _readings(form, match)
        if readings:
            yield match, readings
        match = pattern.search(text, match.end() if readings else match.start() + 1)


_RANGE_WORDS = frozenset(
    {
        "-", "–", "—", "to", "bis", "bis zum", "au", "a", "al", "hasta", "hasta el", "tot", "t/m",
        "tot en met", "até", "do", "til", "til og med", "till", "till och med", "through", "thru",
        "until", "ile", "по", "до", "έως", "μέχρι", "~", "〜", "至", "から", "부터",
    }
)  # fmt: skip
_JOINT = "|".join(sorted((word for word in _RANGE_WORDS if word[0].isalpha()), key=len, reverse=True))
_BEGUN = re.compile(
    rf"(?<![\w.,/-])(?:(?P<before>{_WORD})\.?\s)?(?P<day>\d{{1,2}})(?P<dot>\.)?(?:st|nd|rd|th|er|[ºª°])?"
    rf"(?:[-/.](?P<number>\d{{1,2}})\.?|\s?(?:de\s|of\s)?(?P<after>{_WORD})\.?)?"
    rf"(?P<joint>\s?[-–—]\s?|\s(?:{_JOINT})\s)(?:[^\W\d_]{{2,10}}[.,]?\s+)?$",
    re.IGNORECASE,
)
_LONGEST_BEGINNING = 40
"""Characters of a range before its last day at most."""


def joins_range(between: str) -> bool:
    """Return whether the text between two dates makes them a range: "–", "until", "t/m Sun"."""
    words = between.strip(" .,:()").casefold().split()
    return " ".join(words) in _RANGE_WORDS or (len(words) > 1 and " ".join(words[:-1]) in _RANGE_WORDS)


def first_of_range(text: str, last: DateMatch) -> DateMatch | None:
    """Return the first day of a range that leaves out its year or month, None if there is none.

    It is 20 March in "20.–21. March 2025". Before a numeric date, a day alone needs its full stop.
    """
    begun = _BEGUN.search(text, max(last.start - _LONGEST_BEGINNING, 0), last.start)
    if begun is None:
        return None
    name = next(
        (form for group in ("after", "before") if (form := key(begun[group] or "")) in month_names()), ""
    )
    spelled = any(char.isalpha() for char in text[last.start : last.end])
    if not (name or begun["number"] or begun["dot"] or spelled):
        return None
    days = [
        _begun_on(begun, name, end, index == 0 if len(last.readings) > 1 else last.day_first is not False)
        for index, end in enumerate(last.readings)
    ]
    readings = tuple(day for day in days if day is not None)
    start = begun.start("before" if name and key(begun["before"] or "") == name else "day")
    return DateMatch(start, begun.start("joint"), readings) if readings else None


def _begun_on(begun: re.Match[str], name: str, end: date, day_first: bool) -> date | None:
    """Return the last day before ``end`` that the beginning of a range can mean."""
    day, month = int(begun["day"]), month_names()[name] if name else end.month
    if begun["number"]:
        day, month = (day, int(begun["number"])) if day_first else (int(begun["number"]), day)
    years = (end.year, end.year - 1) if name or begun["number"] else (end.year,)
    return next((first for year in years if (first := _date(year, month, day)) and first < end), None)


_PARTIAL = re.compile(r"(?<![\d.,/-])(\d{1,2})\s?[-/.]\s?(\d{1,2})\.?(?![\d]|[-/.,]\d)")
_PARTIAL_DMY = re.compile(rf"(?<![\d.,])(\d{{1,2}})\.?\s?[-/]?\s?({_WORD})\.?(?!\w)", re.IGNORECASE)
_PARTIAL_EAST_ASIAN = re.compile(r"(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_PARTIAL_MDY = re.compile(rf"(?<![^\W\d_])({_WORD})\.?\s?[-/]?\s?(\d{{1,2}})(?![\w]|[.,]\d)", re.IGNORECASE)


def parse_partial(text: str, day_first: bool, start: date | None, end: date | None) -> date | None:
    """Return the date between ``start`` and ``end`` of a day and month without a year (``Jan 3``).

    Return None if ``text`` is anything else, or if both bounds are None.
    """
    bound = end or start
    if bound is None:
        return None
    stripped = plain(text).strip()
    pairs: list[tuple[int, int]] = []
    if match := _PARTIAL.fullmatch(stripped):
        pair = (int(match[1]), int(match[2]))
        pairs = [pair, pair[::-1]] if day_first else [pair[::-1], pair]
    elif match := _PARTIAL_EAST_ASIAN.fullmatch(stripped):
        pairs = [(int(match[2]), int(match[1]))]
    elif (match := _PARTIAL_DMY.fullmatch(stripped)) and key(match[2]) in month_names():
        pairs = [(int(match[1]), month_names()[key(match[2])])]
    elif (match := _PARTIAL_MDY.fullmatch(stripped)) and key(match[1]) in month_names():
        pairs = [(int(match[2]), month_names()[key(match[1])])]
    for day, month in pairs:
        for year in (bound.year, bound.year - 1):
            candidate = _date(year, month, day)
            if candidate and (end is None or candidate <= end) and (start is None or candidate >= start):
                return candidate
        candidate = _date(bound.year, month, day)
        if candidate:
            return candidate
    return None
