"""Dates in running text: at a position, on a line near the top, beside signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docduck.extraction.extractors.prose.text.prose import Prose, ProseFinding
from docduck.extraction.page.locale import Locale
from docduck.extraction.values.dates import find_dates

_NEAR = 16
"""Maximum number of characters between a pattern's end and its date ("the", a weekday)."""
_HEADING_LINES = 45
_SECOND = re.compile(r"\s*\(\s*")


def date_at(
    prose: Prose, start: int, end: int, locale: Locale, last: bool = False
) -> tuple[str, int, int] | None:
    """Return the ISO date at or shortly after ``start``, with its span.

    With ``last``, return the second of two if it follows in parentheses: "June 25, 2026 (June 18, 2026)".
    """
    dates = find_dates(prose.flat[start:end], locale.year_first)
    if not dates or dates[0].start > _NEAR:
        return None
    match = dates[0]
    if last:
        more = find_dates(prose.flat[start : start + match.end + 40], locale.year_first)
        if len(more) > 1 and _SECOND.fullmatch(prose.flat[start + match.end : start + more[1].start]):
            match = more[1]
    return match.read(locale.day_first).isoformat(), start + match.start, start + match.end


def heading_dates(prose: Prose, locale: Locale, weight: float) -> Iterator[ProseFinding]:
    """Yield dates on a line of their own near the top, as in letters."""
    for index in range(min(len(prose.lines), _HEADING_LINES)):
        line = prose.lines[index]
        text = prose.text[line.start : line.end]
        if len(text) > 60 or not any(char.isdigit() for char in text):
            continue
        for match in find_dates(text, locale.year_first):
            rest = (text[: match.start] + text[match.end :]).strip(" .,:-–—()")
            if not rest or (
                len(rest.split()) <= 2
                and text.rstrip(" .").endswith(text[match.start : match.end].rstrip(" ."))
            ):
                value = match.read(locale.day_first).isoformat()
                line_weight = weight if not rest else weight - 0.08
                yield ProseFinding(value, line.start + match.start, line.start + match.end, line_weight)


def signature_dates(prose: Prose, start: int, locale: Locale, weight: float) -> Iterator[ProseFinding]:
    """Yield dates among the signatures, later ones with less weight."""
    count = 0
    first = prose.line_index(start)
    for index in range(first, min(len(prose.lines), first + 120)):
        line = prose.lines[index]
        for match in find_dates(prose.text[line.start : line.end], locale.year_first):
            before = prose.text[line.start : line.start + match.start].strip()
            after = prose.text[line.start + match.end : line.end]
            if len(before.split()) > 9 or len(after.split()) > 5:
                continue
            value = match.read(locale.day_first).isoformat()
            yield ProseFinding(value, line.start + match.start, line.start + match.end, weight - 0.01 * count)
            count += 1
