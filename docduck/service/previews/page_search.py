"""Finding text on the pages of a document, some pages at a time.

Pages are read in a side worker on first request, and kept.
"""

from __future__ import annotations

import json
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from docduck.documents.document import Box
from docduck.errors import NotFound, Transient
from docduck.service.core.installation import Installation
from docduck.service.previews.page_source import page_source
from docduck.service.previews.page_views import words_of

MOST_FOUND = 1000
"""In one answer."""
_SECONDS = 2
"""After which no other page is begun."""


@dataclass(frozen=True, slots=True)
class Found:
    """A place of a text: page from 1, and the box of its words."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class FoundText:
    """What was found, in the order of the pages, and the page to go on with, if there are more."""

    found: Sequence[Found]
    next_page: int | None


def find_text(
    inst: Installation,
    team_id: str,
    document_id: str,
    text: str,
    first: int = 1,
    seconds: float = _SECONDS,
) -> FoundText:
    """Return where ``text`` is on the pages from ``first`` on, in words of a line, regardless of case.

    At least one page is searched, and more for as many ``seconds``. Pages that can't be read have no text.
    Raise NotFound, and Transient if the first one can't be read now.
    """
    end = time.monotonic() + seconds
    phrase = " ".join(text.casefold().split())
    source = page_source(inst, team_id, document_id)
    count = source.page_count or 0
    if not phrase:
        return FoundText((), None)
    places: list[Found] = []
    for number in range(first, count + 1):
        if number > first and (time.monotonic() >= end or len(places) >= MOST_FOUND):
            return FoundText(places, number)
        try:
            lines = json.loads(words_of(inst, source, number))["lines"]
        except NotFound:
            continue
        except Transient:
            if number == first:
                raise
            return FoundText(places, number)
        places.extend(Found(number, box) for line in lines for box in _boxes(line, phrase))
    return FoundText(places, None)


def _boxes(line: Sequence[Sequence[Any]], phrase: str) -> Iterator[Box]:
    """Yield the boxes of the words that contain ``phrase``, from the left."""
    words = [str(word[0]).casefold() for word in line]
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    joined = " ".join(words)
    place = joined.find(phrase)
    while place >= 0:
        end = place + len(phrase)
        covered = line[bisect_right(starts, place) - 1 : bisect_left(starts, end)]
        yield Box.around(Box(*word[1:]) for word in covered)
        place = joined.find(phrase, end)
