"""Labels with their values, as a page prints them: ``Project: Lighthouse``, or side by side."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from docduck.extraction.normal_text import key
from docduck.extraction.page.locale import Locale
from docduck.extraction.page.page_view import PageView, Segment
from docduck.extraction.suggest.types import type_of
from docduck.fields import FieldType

_MOST_LABEL_WORDS, _MOST_VALUE_WORDS = 5, 12
_COLON = re.compile(r"^(?P<label>[^:]{2,50}?)\s*:\s*(?P<value>.*)$")
_NO_LABEL = re.compile(r"(?:^|\s)(?:https?|mailto|ftp|urn)$|\d[.,]\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and the value beside it; ``top`` is their position, in points."""

    label: str
    value: str
    type: FieldType
    top: float


def find_pairs(view: PageView, locale: Locale, taken: Collection[int]) -> Iterator[Pair]:
    """Yield the pairs of a page, outside the rows ``taken`` by tables."""
    for row in view.rows:
        if row.index in taken:
            continue
        for number, segment in enumerate(row.segments):
            following = row.segments[number + 1] if number + 1 < len(row.segments) else None
            pair = _pair(segment, following, locale, len(row.segments))
            if pair is not None:
                yield pair


def _pair(segment: Segment, following: Segment | None, locale: Locale, wide: int) -> Pair | None:
    match = _COLON.match(segment.text)
    if match is not None:
        label, value = match["label"], match["value"].strip()
        if not value and following is not None and ":" not in following.text:
            value = following.text
    elif wide == 2 and following is not None and type_of(following.text, locale) is not FieldType.TEXT:
        label, value = segment.text, following.text
    else:
        return None
    if not value or not _is_label(label) or len(value.split()) > _MOST_VALUE_WORDS:
        return None
    return Pair(label, value, type_of(value, locale), segment.top)


def _is_label(text: str) -> bool:
    letters = sum(c.isalpha() for c in text)
    return (
        len(text.split()) <= _MOST_LABEL_WORDS
        and letters >= 2
        and letters > sum(c.isdigit() for c in text)
        and len(key(text)) >= 2
        and not _NO_LABEL.search(text)
    )
