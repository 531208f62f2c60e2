"""The date that says when a document was made, where no label announces it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from docduck.extraction.extractors.layout.labelled.places import Place
from docduck.extraction.fields.meanings import meanings_of, says_made
from docduck.extraction.normal_text import key
from docduck.extraction.page.page_view import PageView, Segment
from docduck.extraction.reading import reading_of
from docduck.extraction.values.dates import DateMatch, find_dates

_MADE = 0.8
"""Probability that a date without a label says when a document was made."""
_POINTED = 0.3
"""Probability from which a date has a label or a head."""
_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d(?:[:.]\d\d)?\b")
_SIGNED = re.compile(r"[^\W\d_][^\d,]{1,40},\s+(?:[^\W\d_]+\s+){0,2}")
"""A town and the words before the date of a letter: "Lyon, le", "Wismar, den"."""


def own_dates(page: PageView) -> Iterator[Place]:
    """Yield the dates that say when a document was made.

    They are those of lines such as "Lyon, 3 May 2024", and the only one of the page, or of its upper third,
    that has no label anywhere: "Sent 3 May 2024, 9:14".
    """
    alone: list[tuple[Segment, DateMatch]] = []
    labelled: set[tuple[date, ...]] = set()
    for segment in filter(lambda segment: segment.has_digit, page.segments):
        dates = find_dates(segment.text)
        begun = _SIGNED.match(segment.text)
        signed = [
            date
            for date in dates
            if begun and date.start == begun.end() and not key(segment.text[date.end :])
        ]
        if signed and segment.text[0].isupper():
            yield Place("Date", segment.slice(signed[0].start, signed[0].end), _MADE)
        elif _is_labelled(segment, dates):
            labelled.update(date.readings for date in dates)
        elif len(dates) == 1 and _is_alone(segment, dates[0]):
            alone.append((segment, dates[0]))
    alone = [(segment, match) for segment, match in alone if match.readings not in labelled]
    upper = [(segment, match) for segment, match in alone if segment.top < page.height / 3]
    for some in (upper, alone):
        if len({match.readings for _, match in some}) == 1:
            segment, match = some[0]
            yield Place("Date", segment.slice(match.start, match.end), _MADE)
            return


def _is_labelled(segment: Segment, dates: Sequence[DateMatch]) -> bool:
    """Return whether the dates of a segment have a label or a head."""
    if dates and segment.text[: dates[0].start].rstrip().endswith(":"):
        return True
    page, reading = segment.page, reading_of(segment.page)
    pointed = [
        *(
            caption
            for caption in reading.captions[segment.index]
            if not page.segments[caption.segment].has_digit
        ),
        *reading.heads[segment.index],
    ]
    return any(pointer.probability >= _POINTED for pointer in pointed)


def _is_alone(segment: Segment, date: DateMatch) -> bool:
    """Return whether a date has no words beside it but those that say it was made."""
    rest = _TIME.sub(" ", segment.text[: date.start] + segment.text[date.end :])
    words = " ".join(word for word in rest.split() if not any(map(str.isdigit, word)))
    return (
        ":" not in words
        and says_made(words)
        and (words == " ".join(rest.split()) or bool(meanings_of(words)))
    )
