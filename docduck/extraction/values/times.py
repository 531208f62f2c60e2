"""Times of day."""

from __future__ import annotations

import re

from docduck.extraction.normal_text import plain
from docduck.extraction.values.dates import find_dates

_TIME = re.compile(r"\(?(\d{1,2})[:h.](\d{2})(:\d{2})?\s?([ap]\.?m\.?)?(?:uhr|h)?\)?,?", re.IGNORECASE)

_PRINTED = re.compile(
    r"(?<![\d.,:/])(?:[01]?\d|2[0-4])\s?[:.h]\s?[0-5]\d(?::[0-5]\d)?(?:\s?[ap]\.?m\b\.?)?(?![\d,/]|[.:]\d)",
    re.IGNORECASE,
)


def find_times(text: str) -> list[tuple[int, int]]:
    """Return the spans of the times of day in ``text``, but for those that may be parts of its dates."""
    dates = find_dates(text)
    spans = [match.span() for match in _PRINTED.finditer(plain(text))]
    return [(a, b) for a, b in spans if not any(date.start < b and a < date.end for date in dates)]


def parse_time(text: str) -> str | None:
    """Return ``HH:MM`` (24 hours) for ``8:51``, ``8h51`` or ``8:51 PM``, with its seconds, else None."""
    match = _TIME.fullmatch(plain(text).strip())
    if match is None or ("." in text and not match[4]):
        return None
    hour, minute = int(match[1]), int(match[2])
    half = (match[4] or "").replace(".", "").casefold()
    if half == "pm" and hour < 12:
        hour += 12
    elif half == "am" and hour == 12:
        hour = 0
    return f"{hour:02d}:{minute:02d}{match[3] or ''}" if hour < 24 and minute < 60 else None
