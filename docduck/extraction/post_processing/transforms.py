"""Transforms of texts, and formats of dates and numbers."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Any

from docduck.extraction.normal_text import squeeze
from docduck.extraction.post_processing.steps import Transform

LONGEST_FORMAT = 50
MOST_DECIMALS = 10
DECIMAL_SEPARATORS = (".", ",")
GROUP_SEPARATORS = ("", ",", ".", " ", "'")
_DATE_PART = re.compile("YYYY|YY|MM|M|DD|D")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LARGEST_EXPONENT = 100


def _titlecase(text: str) -> str:
    return _WORD.sub(lambda word: word[0][0].upper() + word[0][1:].lower(), text)


TEXT_TRANSFORMS: Mapping[Transform, Callable[[str], str]] = {
    Transform.TRIM: str.strip,
    Transform.UPPERCASE: str.upper,
    Transform.LOWERCASE: str.lower,
    Transform.TITLECASE: _titlecase,
    Transform.COLLAPSE_WHITESPACE: squeeze,
}
"""The transforms of texts that have no options."""


def is_date_format(text: str) -> bool:
    """Return whether ``text`` has a part of a date and no other letters."""
    rest, count = _DATE_PART.subn("", text)
    return bool(count) and len(text) <= LONGEST_FORMAT and not any(text.isalnum() for text in rest)


def format_date(day: dt.date, pattern: str) -> str:
    """Return a date in a format such as ``DD.MM.YYYY``; ``D`` and ``M`` have no leading zero."""
    parts = {
        "YYYY": f"{day.year:04}",
        "YY": f"{day.year % 100:02}",
        "MM": f"{day.month:02}",
        "M": f"{day.month}",
        "DD": f"{day.day:02}",
        "D": f"{day.day}",
    }
    return _DATE_PART.sub(lambda part: parts[part[0]], pattern)


def format_number(number: Decimal, options: Mapping[str, Any]) -> str | None:
    """Return a number with ``decimals`` digits, rounded half up, and separators; None if it is too large."""
    if abs(number.adjusted()) > _LARGEST_EXPONENT:
        return None
    with localcontext() as context:
        context.prec = 3 * _LARGEST_EXPONENT
        rounded = number.quantize(Decimal(1).scaleb(-options["decimals"]), ROUND_HALF_UP)
    whole, _, fraction = f"{rounded:,f}".partition(".")
    whole = whole.replace(",", options["groupSeparator"])
    return f"{whole}{options['decimalSeparator']}{fraction}" if fraction else whole
