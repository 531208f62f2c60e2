"""The text around values, from the words of their pages."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from docduck.documents.document import Box
from docduck.errors import DocduckError
from docduck.service.core.installation import Installation
from docduck.service.previews.page_views import page_words

MOST_CHARACTERS = 200

PAGE_SECONDS = 8
"""For reading a page."""

_ABOVE = 2.5
"""How far above a value its label may be, in heights of the value."""

_Lines = Sequence[tuple[str, Box]]


class Surroundings:
    """The texts around values of a team's documents.

    Pages are read, if their words are not kept already, until ``seconds`` are over.
    """

    def __init__(self, inst: Installation, team_id: str, seconds: float) -> None:
        self._inst, self._team_id = inst, team_id
        self._end = time.monotonic() + seconds
        self._pages: dict[tuple[str, int], _Lines] = {}

    def text(self, document_id: str, places: Sequence[Mapping[str, Any]]) -> str | None:
        """Return what is printed beside and above a value; None without a place or the page's words."""
        if not places:
            return None
        key = document_id, int(places[0]["page"])
        if key not in self._pages:
            if time.monotonic() > self._end:
                return None
            self._pages[key] = self._read(*key)
        return text_around(self._pages[key], Box(**places[0]["bbox"])) or None

    def _read(self, document_id: str, page: int) -> _Lines:
        try:
            words = page_words(self._inst, self._team_id, document_id, page, PAGE_SECONDS)
        except DocduckError:
            # The page can't be read now; the value can be told without it.
            return ()
        return [_line(line) for line in json.loads(words)["lines"] if line]


def _line(words: Sequence[Sequence[Any]]) -> tuple[str, Box]:
    return " ".join(str(word[0]) for word in words), Box.around(Box(*word[1:]) for word in words)


def text_around(lines: _Lines, box: Box) -> str:
    """Return the lines beside a value and those above it that may be its label, cut to 200 characters."""
    beside = [line for line in lines if box.top <= line[1].middle <= box.bottom]
    above = [
        line
        for line in lines
        if box.top - _ABOVE * box.height <= line[1].middle < box.top
        and line[1].left < box.right
        and box.left < line[1].right
    ]
    row = "  ".join(text for text, _ in sorted(beside, key=lambda line: line[1].left))
    label = "  ".join(text for text, _ in above)
    if len(label) + len(row) < MOST_CHARACTERS:
        return "\n".join(filter(None, (label, row)))
    # In a long line, what is to the left of the value says most.
    before = "  ".join(text for text, place in beside if place.left <= box.left)
    return (before or row or label)[-MOST_CHARACTERS:]
