"""Numbers and amounts of money as they are printed: one grammar for tables, labels, sentences and data files.

``1.234,56``, ``1,234.56``, ``1 234,56``, ``1 234.56`` and ``1'234.56`` are the same number, in the digits of
any script. Currencies, signs, brackets, percent signs, footnote marks and what replaces the cents
(``12 500:-``, ``500,-``, ``1,23,456/-``) belong to it. A number is taken whole or not at all: ``12.05.2024``
has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Literal

from docduck.extraction.lexicon import word_set
from docduck.extraction.normal_text import key, plain
from docduck.extraction.values.currencies import CODES, CURRENCY_MARK, currency_of

WIDE = "\t"
"""What stands in a text for a gap that is wider than a blank: it divides numbers, but not their marks."""
_SPACES = str.maketrans("\u00a0\u202f\u2009\u2007", "    ")
BODY = (
    r"(?:\d{1,3}(?:(?:\.\d{3})+|(?:,\d{3})+|(?:['’]\d{3})+|(?: \d{3})+)(?:[.,]\d{1,6})?"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?"
    r"|\d+(?:[.,]\d{1,6})?|[.,]\d{1,4})"
)
"""The digits of a number with their separators: groups of three, Indian groups, or none."""
_SIGN, _GAP = "[-−–+△]", rf"[ {WIDE}]?"
_CENTS = r"[.,:][-–—=]{1,2}|/[-=]"
"""What is printed in place of the cents where there are none."""
_NOTE = r"[*†‡§¹²³⁴⁵⁶⁷⁸⁹]{1,3}|\[\d{1,2}\]"
_FORM = (
    rf"(?P<open>\()?(?:\*{{1,3}}(?=[^\d\s]|[\d.,]*[.,]\d\d\b)|金)?(?:(?P<sign>{_SIGN})(?P<apart>{_GAP}))?"
    rf"(?:(?P<before>{CURRENCY_MARK}){_GAP})?(?P<within>\()?(?:(?P<inner>{_SIGN}){_GAP})?"
    rf"(?:(?P<crowns>\d{{1,3}}(?: ?\d{{3}})*:\d\d)(?=\)? ?(?:kr|kronor|SEK)\b)|(?P<body>{BODY}))"
    rf"(?P<cents>{_CENTS})?(?:{_GAP}(?P<percent>%))?(?P<after>{_SIGN})?"
    rf"(?:{_GAP}(?P<behind>{CURRENCY_MARK}))?(?P<trail>{_SIGN})?(?P<side>[CDcd][Rr])?(?P<close>\))?(?:{_NOTE})?"
    r"(?: (?P<hundredths>\d\d) ?коп(?:\.|ійок|ійки|еек|ейки)?)?"
    rf"(?:[ {WIDE}](?P<last>{_SIGN})(?=\s*(?:{CURRENCY_MARK})?\s*$))?"
)
"""A number with all its marks; the digits are ``body``, or ``crowns``: "495:50 kr"."""
_WHOLE = re.compile(rf"{_FORM}(?: {CURRENCY_MARK})?", re.IGNORECASE)
_FOUND = re.compile(rf"(?<!\S){_FORM}(?=[)\]}}.,:;!?\"'”’»]*(?:\s|$))")
_BEFORE, _BEHIND = re.compile(rf"(\S{{1,14}})[ {WIDE}]$"), re.compile(rf"[ {WIDE}](\S{{1,14}})")
_MINUS = frozenset("-−–△")
_WITHOUT_CENTS = frozenset("¥₩円원")
"""Signs of currencies without cents: a dash behind their amounts ends them, and is no sign."""

Side = Literal["credit", "debit"]
"""The side of an account that a mark behind an amount names: "24.99 CR"."""


@dataclass(frozen=True, slots=True)
class NumberMatch:
    """A number in a text: its span with all its marks, its value, and its ``digits`` as printed.

    ``decimals`` counts the digits after the last separator; it is two where a mark replaces the cents.
    """

    start: int
    end: int
    value: Decimal
    digits: str
    decimals: int
    percent: bool = False
    currency: str | None = None
    side: Side | None = None


def parse_digits(body: str, decimal: str | None = None) -> Decimal | None:
    """Return the value of digits with separators; ``decimal`` is the document's decimal separator, if known.

    One separator before exactly three digits (``1.234``) is a decimal separator only if it is ``decimal``.
    All other forms are unambiguous.
    """
    digits = re.sub("['’ ]", "", body)
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        last = "." if digits.rfind(".") > digits.rfind(",") else ","
        digits = digits.replace("," if last == "." else ".", "")
        if digits.count(last) > 1:
            return None
        digits = digits.replace(last, ".")
    elif points > 1 or commas > 1:
        *groups, last = re.split("[.,]", digits)
        digits = "".join(groups) + (last if len(last) == 3 else f".{last}")
    elif points or commas:
        mark = "." if points else ","
        whole, _, fraction = digits.partition(mark)
        grouped = len(fraction) == 3 and whole not in ("", "0") and len(whole) <= 3 and " " not in body
        digits = whole + fraction if grouped and decimal != mark else f"{whole or '0'}.{fraction}"
    try:
        return Decimal(digits)
    except InvalidOperation:
        return None


def parse_number(text: str, decimal: str | None = None) -> Decimal | None:
    """Return the number that ``text`` as a whole is, None if it is anything else, or a percentage."""
    match = _WHOLE.fullmatch(_plain(text).strip())
    return None if match is None or match["percent"] else _value(match, decimal)


def find_numbers(text: str, decimal: str | None = None, national: str | None = None) -> Iterator[NumberMatch]:
    """Yield the numbers of ``text`` that are words of their own, left to right.

    Groups of digits are joined over a blank, not over a ``WIDE`` gap. A sign that several currencies share
    means the ``national`` one.
    """
    text = _plain(text)
    end = 0
    for match in _FOUND.finditer(text):
        value = _value(match, decimal)
        if value is not None:
            found = _with_neighbours(text, match, value, end, national)
            yield found
            end = found.end


def _plain(text: str) -> str:
    return plain(text).translate(_SPACES)


def _value(match: re.Match[str], decimal: str | None) -> Decimal | None:
    """Return the value of a number with its sign."""
    whole = match["cents"] or not _WITHOUT_CENTS.isdisjoint((match["before"], match["behind"]))
    value = parse_digits(_digits(match), None if whole else decimal)
    if value is None:
        return None
    if match["hundredths"]:
        value += Decimal(match["hundredths"]) / 100
    signs = sum((match[name] or "") in _MINUS for name in ("sign", "inner", "after", "trail", "last"))
    if match["after"] and match["before"] in _WITHOUT_CENTS:
        signs -= 1
    return -value if signs % 2 or _is_bracketed(match) else value


def _is_bracketed(match: re.Match[str]) -> bool:
    """Return whether brackets make a number negative: within a sentence, "(EUR 12.00)" adds it in figures."""
    if not match["close"] or not (match["open"] or match["within"]):
        return False
    digits = "crowns" if match["crowns"] else "body"
    around = match.string[match.start() : match.start(digits)] + match.string[match.end(digits) : match.end()]
    return bool(match["within"]) or match[0] == match.string or not {" ", WIDE} & set(around)


def _digits(match: re.Match[str]) -> str:
    crowns: str | None = match["crowns"]
    return crowns.replace(":", ",") if crowns else str(match["body"])


def _with_neighbours(
    text: str, match: re.Match[str], value: Decimal, last: int, national: str | None
) -> NumberMatch:
    """Return a number with the currency before or behind it, and the side of an account behind it.

    A code of a currency tells more than a sign: "CAD $5". A dash between two numbers is no sign.
    """
    start, end = match.span()
    if match["apart"] and text[:start].rstrip()[-1:].isdigit():
        value, start = (-value if match["sign"] in _MINUS else value), match.end("apart")
    marks = [match["before"], match["behind"]]
    before, behind = _BEFORE.search(text, max(start - 16, 0), start), _BEHIND.match(text, end)
    if before is not None and currency_of(before[1].lstrip("-(−–"), national):
        marks.append(before[1].lstrip("-(−–"))
        start = max(before.start(1), last)
        value = -abs(value) if before[1][0] in _MINUS else value
    side = _side(match["side"] or "")
    if before is not None and before[1].isupper() and decimals(_digits(match)) == 2 and _side(before[1]):
        side, start = _side(before[1]), max(before.start(1), last)
    if behind is not None and currency_of(behind[1], national):
        marks.append(behind[1])
        end = behind.end(1)
    elif behind is not None and text[behind.end() :].strip(" .,;)") == "" and _side(behind[1]):
        side, end = _side(behind[1]), behind.end(1)
    codes = {mark: code for mark in marks if mark and (code := currency_of(mark, national))}
    currency = next((code for mark, code in codes.items() if mark in CODES), next(iter(codes.values()), None))
    digits = _digits(match)
    return NumberMatch(
        start,
        end,
        value,
        digits,
        2 if match["cents"] or match["hundredths"] else decimals(digits),
        bool(match["percent"]),
        currency,
        side,
    )


@cache
def _side(mark: str) -> Side | None:
    """Return the side of an account that a mark of two letters or more names."""
    form = key(mark)
    if len(form) > 1 and form in word_set("credit_marks"):
        return "credit"
    return "debit" if len(form) > 1 and form in word_set("debit_marks") else None


def side_of_cell(text: str, decimal: str | None = None) -> Side | None:
    """Return the side that a cell names behind its number; in a column, a single letter does."""
    number = next(find_numbers(text, decimal), None)
    if number is None:
        return None
    words = {key(word) for word in text[number.end :].split()}
    if number.side == "credit" or words & word_set("credit_marks"):
        return "credit"
    return "debit" if number.side == "debit" or words & word_set("debit_marks") else None


def column_signs(sides: Sequence[Side | None]) -> list[int]:
    """Return 1 or -1 for each amount of a column, by the sides named behind them.

    Debits are negative. Where only credits are marked, the others are charges, and credits are negative.
    """
    negative = "debit" if "debit" in sides or None not in sides else "credit"
    return [-1 if side == negative else 1 for side in sides]


def decimals(text: str) -> int:
    """Return the number of digits after the last possible decimal separator, 0 if there is none."""
    match = re.search(r"[.,](\d{1,6})\D*$", text)
    return len(match[1]) if match else 0


def as_json_number(value: Decimal) -> float | int:
    """Return an int if the value is whole, else a float."""
    return int(value) if value == value.to_integral_value() else float(value)
