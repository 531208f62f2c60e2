"""Validation of cron lines in the five-field form of crontab(5)."""

from __future__ import annotations

import re

_NICKNAMES = frozenset({"@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually"})
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS: tuple[tuple[str, int, int, dict[str, int]], ...] = (
    ("minute", 0, 59, {}),
    ("hour", 0, 23, {}),
    ("day of month", 1, 31, {}),
    ("month", 1, 12, {name: number for number, name in enumerate(_MONTHS, 1)}),
    ("day of week", 0, 7, {name: number for number, name in enumerate(_DAYS)}),
)
_LONGEST_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_ITEM = re.compile(r"(?:\*|(?P<first>\w+)(?:-(?P<last>\w+))?)(?:/(?P<step>\d+))?", re.ASCII)


def check_cron(line: str) -> str:
    """Return the normalised line; raise ValueError if it is invalid or never due."""
    text = line.strip()
    if text.startswith("@"):
        if text.lower() not in _NICKNAMES:
            raise ValueError(f"'{text}' is none of {', '.join(sorted(_NICKNAMES))}")
        return text.lower()
    parts = text.split()
    if len(parts) != len(_FIELDS):
        raise ValueError(
            f"a cron line has five fields (minute, hour, day of month, month, day of week), not {len(parts)}"
        )
    values = [
        _values(part.lower(), name, low, high, names)
        for part, (name, low, high, names) in zip(parts, _FIELDS, strict=True)
    ]
    days, months = values[2], values[3]
    if parts[4] == "*" and min(days) > max(_LONGEST_MONTH[month - 1] for month in months):
        raise ValueError("there is no such day in the months it names")
    return " ".join(parts)


def _values(part: str, name: str, low: int, high: int, names: dict[str, int]) -> set[int]:
    numbers: set[int] = set()
    for item in part.split(","):
        match = _ITEM.fullmatch(item)
        if match is None:
            raise ValueError(f"{name}: '{item}' is not *, a number, a range or a step")
        step = int(match["step"]) if match["step"] else 1
        first, last = low, high
        if match["first"] is not None:
            first = _number(match["first"], name, low, high, names)
            if match["last"] is not None:
                last = _number(match["last"], name, low, high, names)
            elif match["step"] is None:
                last = first
        if step < 1 or last < first:
            raise ValueError(f"{name}: '{item}' names nothing")
        numbers.update(range(first, last + 1, step))
    return numbers


def _number(text: str, name: str, low: int, high: int, names: dict[str, int]) -> int:
    number = names.get(text, int(text) if text.isascii() and text.isdecimal() else -1)
    if not low <= number <= high:
        raise ValueError(f"{name}: '{text}' is not between {low} and {high}")
    return number
