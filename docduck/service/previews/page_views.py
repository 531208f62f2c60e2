"""Pages of documents for people who look at them: pictures, and the words with their places.

Both are made in a side worker on first request, and kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from docduck.documents.document import Box, Word
from docduck.errors import NotFound
from docduck.extraction.jobs.page_job import PageTask
from docduck.service.core.installation import Installation
from docduck.service.previews.page_source import VIEW_SECONDS, page_source, view_page
from docduck.service.previews.preview_cache import cache_path, keep, read_cached

WIDTHS = (120, 800, 1400, 2400)
"""Widths of pictures, in pixels: that of a strip of small pages, and those that a page is looked at in."""


def page_picture(inst: Installation, team_id: str, document_id: str, number: int, width: int) -> bytes:
    """Return page ``number`` (from 1) of a document as JPEG, in one of ``WIDTHS``.

    Raise NotFound for a document or page that doesn't exist or can't be drawn, and Transient.
    """
    if width not in WIDTHS:
        raise NotFound(f"Pages are {', '.join(map(str, WIDTHS))} pixels wide", "width", str(width))
    source = page_source(inst, team_id, document_id)
    source.check(number)
    turn = source.turns.get(number, 0.0)
    place = cache_path(inst, source.sha256, f"{number}-{width}-{turn:g}.jpg")
    picture = read_cached(place)
    if picture is None:
        picture = view_page(inst, source, PageTask(source.name, number, width, turn)).picture
        keep(place, picture)
    return picture


def page_words(
    inst: Installation, team_id: str, document_id: str, number: int, seconds: float = VIEW_SECONDS
) -> bytes:
    """Return the words of a page as JSON: for each line the texts and boxes of its words.

    A box is ``[left, top, width, height]`` in fractions of the page. Raise the errors of ``page_picture``,
    Transient also if it takes longer than ``seconds``.
    """
    source = page_source(inst, team_id, document_id)
    source.check(number)
    place = cache_path(inst, source.sha256, f"{number}-{source.reading_key}.json")
    words = read_cached(place)
    if words is None:
        view = view_page(inst, source, PageTask(source.name, number, reading=source.reading), seconds)
        lines = [_line(line) for line in view.lines]
        words = json.dumps({"lines": lines}, ensure_ascii=False, separators=(",", ":")).encode()
        keep(place, words)
    return words


def _line(words: Sequence[Word]) -> list[list[Any]]:
    return [[word.text, *_box(word.box)] for word in words]


def _box(box: Box) -> list[float]:
    return [round(edge, 5) for edge in (box.left, box.top, box.width, box.height)]
