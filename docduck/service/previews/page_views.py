"""Pages of documents for people who look at them: pictures, and the words with their places.

Both are made in a side worker on first request, and kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from docduck.documents.document import Box, Word
from docduck.errors import NotFound
from docduck.extraction.jobs.page_job import PageTask, PageView
from docduck.service.core.installation import Installation
from docduck.service.previews.page_source import VIEW_SECONDS, PageSource, kept_view, page_source

WIDTHS = (120, 800, 1400, 2400)
"""Widths of pictures, in pixels: that of a strip of small pages, and those that a page is looked at in."""


def page_picture(inst: Installation, team_id: str, document_id: str, number: int, width: int) -> bytes:
    """Return page ``number`` (from 1) of a document as WebP, in one of ``WIDTHS``.

    Raise NotFound for a document or page that doesn't exist or can't be drawn, and Transient.
    """
    if width not in WIDTHS:
        raise NotFound(f"Pages are {', '.join(map(str, WIDTHS))} pixels wide", "width", str(width))
    source = page_source(inst, team_id, document_id)
    source.check(number)
    turn = source.turns.get(number, 0.0)
    task = PageTask(source.name, number, width, turn, source.reading, encoding="WEBP")
    return kept_view(inst, source, f"{number}-{width}-{task.turn:.3f}.webp", task, lambda view: view.picture)


def page_words(
    inst: Installation, team_id: str, document_id: str, number: int, seconds: float = VIEW_SECONDS
) -> bytes:
    """Return the words of a page as JSON: for each line the texts and boxes of its words.

    A box is ``[left, top, width, height]`` in fractions of the page. Raise the errors of ``page_picture``,
    Transient also if it takes longer than ``seconds``.
    """
    source = page_source(inst, team_id, document_id)
    source.check(number)
    return words_of(inst, source, number, seconds)


def words_of(inst: Installation, source: PageSource, number: int, seconds: float = VIEW_SECONDS) -> bytes:
    """Return the words of an existing page like ``page_words``, and raise its errors."""
    name = f"{number}-{source.reading_key}.json"
    task = PageTask(source.name, number, reading=source.reading)
    return kept_view(inst, source, name, task, _serialised, seconds)


def count_pages(inst: Installation, team_id: str, document_id: str) -> int:
    """Return how many pages a document has, also before it is read; raise the errors of ``page_picture``."""
    source = page_source(inst, team_id, document_id)
    if source.page_count is not None:
        return source.page_count
    task = PageTask(source.name, 1, reading=source.reading, is_count=True)
    return int(kept_view(inst, source, "count.txt", task, lambda view: str(view.pages).encode()))


def _serialised(view: PageView) -> bytes:
    lines = [_line(line) for line in view.lines]
    return json.dumps({"lines": lines}, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _line(words: Sequence[Word]) -> list[list[Any]]:
    return [[word.text, *_box(word.box)] for word in words]


def _box(box: Box) -> list[float]:
    return [round(edge, 5) for edge in (box.left, box.top, box.width, box.height)]
