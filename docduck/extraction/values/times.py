"""Times of day."""

from __future__ import annotations

import re

_TIME = re.compile(r"\(?(\d{1,2})[:h.](\d{2})(?::\d{2})?\s?([ap]\.?m\.?)?(?:uhr|h)?\)?,?", re.IGNORECASE)


def parse_time(text: str, following: str = "") -> str | None:
    """Return ``HH:MM`` (24 hours) for ``8:51``, ``08:51:07``, ``8h51`` or ``8:51 PM``, None for other texts.

    ``following`` is the next word, which may be AM or PM.
    """
    match = _TIME.fullmatch(text.strip())
    if match is None or ("." in text and not match[3]):
        return None
    hour, minute = int(match[1]), int(match[2])
    half = (match[3] or following).replace(".", "").casefold()
    if half == "pm" and hour < 12:
        hour += 12
    elif half == "am" and hour == 12:
        hour = 0
    return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None
