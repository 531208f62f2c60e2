"""Conversion of values for comparison: to decimals, dates, moments and texts.

Each function returns None for a value that can't be converted.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from decimal import Decimal
from typing import Any

from docduck import clock
from docduck.extraction.values.dates import DateOrder, find_dates
from docduck.extraction.values.numbers import parse_number

_LONGEST = 100
"""Longest text, in characters, that may be a number or a date."""
_OTHER_DIGITS = re.compile(r"[^\D0-9]")
"""Digits of other scripts, which are not accepted in numbers and dates."""
_PLAIN = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ISO_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:.*")


def decimal_of(value: Any) -> Decimal | None:
    """Return a number, or a text's number without currency sign and thousands separators.

    A text in JSON's notation (``1.234``) is read as JSON; any other as printed (``1.234,00``).
    """
    match value:
        case bool():
            return None
        case int():
            return Decimal(value)
        case float():
            return Decimal(repr(value)) if math.isfinite(value) else None
        case Decimal():
            return value if value.is_finite() else None
        case str() if len(value) <= _LONGEST and not _OTHER_DIGITS.search(value):
            text = value.strip()
            return Decimal(text) if _PLAIN.fullmatch(text) else parse_number(text)
        case _:
            return None


def date_of(value: Any, order: DateOrder = "auto") -> dt.date | None:
    """Return the calendar day of an ISO date, of a moment in UTC, or of a printed date.

    Printed dates are read in ``order``, day first unless it is ``month_first``.
    """
    match value:
        case dt.datetime():
            return _utc(value).date()
        case dt.date():
            return value
        case str() if len(value) <= _LONGEST and not _OTHER_DIGITS.search(value):
            text = value.strip()
            if _ISO_DATE.fullmatch(text):
                return _iso_date(text)
            if _ISO_MOMENT.fullmatch(text):
                moment = moment_of(text)
                return moment.date() if moment else None
            matches = find_dates(text, order == "year_first")
            whole = len(matches) == 1 and (matches[0].start, matches[0].end) == (0, len(text))
            return matches[0].read(day_first=order != "month_first") if whole else None
        case _:
            return None


def with_iso_date(value: Any, order: DateOrder) -> Any:
    """Convert a printed date to an ISO date, read in ``order``; return other values unchanged."""
    if not isinstance(value, str) or moment_of(value) is not None:
        return value
    day = date_of(value, order)
    return value if day is None else day.isoformat()


def moment_of(value: Any) -> dt.datetime | None:
    """Return a moment in UTC, in milliseconds; moments without a zone are in UTC."""
    if isinstance(value, str):
        text = value.strip()
        if len(text) > _LONGEST or not _ISO_MOMENT.fullmatch(text):
            return None
        try:
            value = dt.datetime.fromisoformat(text)
        except ValueError:
            return None
    if not isinstance(value, dt.datetime):
        return None
    return clock.milliseconds(_utc(value))


def boolean_of(value: Any) -> bool | None:
    """Return True or False, also from words."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(folded(value)) if isinstance(value, str) else None


def text_of(value: Any) -> str | None:
    """Return a value's text: numbers without exponent, ``true``, a list's items joined by ``; ``."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            number = decimal_of(value)
            return None if number is None else _number_text(number)
        case dt.datetime():
            return clock.iso(_utc(value))
        case dt.date():
            return value.isoformat()
        case list() | tuple():
            return "; ".join(text for item in value if (text := text_of(item)) is not None)
        case _:
            return None


def folded(text: str) -> str:
    """Return ``text`` trimmed and case-folded, as compared."""
    return text.strip().casefold()


def is_missing(value: Any) -> bool:
    """Return whether there is no value: None, an empty text or an empty list."""
    return value is None or value == "" or value == [] or value == {}


def _number_text(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _iso_date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


def _utc(moment: dt.datetime) -> dt.datetime:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=dt.UTC)
    try:
        return moment.astimezone(dt.UTC)
    except OverflowError:
        # The calendar's first and last hours can't be shifted by a zone.
        return moment.replace(tzinfo=dt.UTC)
