"""Durations in running text: "two (2) years", "achtzehn Monate", "the third anniversary"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from docduck.extraction.extractors.prose.lexicon import duration_form, number_words, ordinal_words, units
from docduck.extraction.normal_text import key


@dataclass(frozen=True, slots=True)
class Duration:
    """A duration: its span, its number in digits, and its unit in English."""

    start: int
    end: int
    number: str
    unit: str

    @property
    def text(self) -> str:
        """Number and unit: "1 year", "18 months"."""
        return f"{self.number} {self.unit}" + ("" if self.number == "1" else "s")


@cache
def duration_pattern() -> re.Pattern[str]:
    """Return the compiled pattern of a duration."""
    return re.compile(duration_form(), re.IGNORECASE)


def find_durations(text: str, start: int = 0, end: int | None = None) -> list[Duration]:
    """Return the durations in ``text`` between ``start`` and ``end``, in order."""
    durations = []
    for match in duration_pattern().finditer(text, start, len(text) if end is None else end):
        if match["ordinal"]:
            number = ordinal_words()[match["ordinal"].casefold()]
            durations.append(Duration(match.start(), match.end(), number, "year"))
            continue
        digits = match["both"] or match["digits"]
        number = digits or number_words()[key(match["word"])]
        unit = units()[match["unit"].casefold().rstrip(".'’")]
        durations.append(Duration(match.start(), match.end(), number.replace(",", "."), unit))
    return durations
