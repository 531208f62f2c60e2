"""Pages of documents for people who look at them: pictures, and the words with their places.

Both are made in a side worker on first request, and kept.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select

from docduck.catalog.models import DocumentResult, Parser
from docduck.documents.detection.file_types import labels
from docduck.documents.document import Box, Word
from docduck.documents.read_options import ReadOptions
from docduck.errors import DocumentError, NotFound
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.page_job import PAGE_VIEW, PageTask, PageView
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_lookup import get_team_document
from docduck.service.parsers.parser_settings import read_settings, reading_of
from docduck.service.previews.preview_cache import cache_path, keep, read_cached
from docduck.workers.pool import WorkerPool

PREVIEW_SECONDS = 20
"""For drawing a page or thumbnail, or for reading a page's words."""

WIDTHS = (120, 800, 1400, 2400)
"""Widths of pictures, in pixels: that of a strip of small pages, and those that a page is looked at in."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Source:
    """What a page is made of. ``turn`` is by how many degrees the page was turned when it was read."""

    team_id: str
    document_id: str
    sha256: str
    name: str
    turn: float
    reading: ReadOptions


def page_picture(inst: Installation, team_id: str, document_id: str, number: int, width: int) -> bytes:
    """Return page ``number`` (from 1) of a document as JPEG, in one of ``WIDTHS``.

    Raise NotFound for a document or page that doesn't exist or can't be drawn, and Transient.
    """
    if width not in WIDTHS:
        raise NotFound(f"Pages are {', '.join(map(str, WIDTHS))} pixels wide", "width", str(width))
    source = _source(inst, team_id, document_id, number)
    place = cache_path(inst, source.sha256, f"{number}-{width}-{source.turn:g}.jpg")
    picture = read_cached(place)
    if picture is None:
        picture = _view(inst, source, PageTask(source.name, number, width, source.turn)).picture
        keep(place, picture)
    return picture


def page_words(inst: Installation, team_id: str, document_id: str, number: int) -> bytes:
    """Return the words of a page as JSON: for each line the texts and boxes of its words.

    A box is ``[left, top, width, height]`` in fractions of the page. Raise the errors of ``page_picture``.
    """
    source = _source(inst, team_id, document_id, number)
    reading = hashlib.sha256(repr(replace(source.reading, pages=None)).encode()).hexdigest()[:16]
    place = cache_path(inst, source.sha256, f"{number}-{reading}.json")
    words = read_cached(place)
    if words is None:
        view = _view(inst, source, PageTask(source.name, number, reading=source.reading))
        lines = [_line(line) for line in view.lines]
        words = json.dumps({"lines": lines}, ensure_ascii=False, separators=(",", ":")).encode()
        keep(place, words)
    return words


def _source(inst: Installation, team_id: str, document_id: str, number: int) -> _Source:
    with inst.catalog.read_session() as session:
        document = get_team_document(session, team_id, document_id)
        pages = session.scalar(select(DocumentResult.pages).where(DocumentResult.document_id == document.id))
        parser = session.get(Parser, document.parser_id) if document.parser_id else None
        reading = (
            reading_of(read_settings(parser.settings), inst.settings) if parser is not None else ReadOptions()
        )
        known: Sequence[dict[str, Any]] = pages or ()
        turn = next((page.get("turn", 0.0) for page in known if page["number"] == number), 0.0)
        if document.content_type not in labels() or number < 1 or number > (document.page_count or number):
            raise _no_page(document_id)
        return _Source(document.team_id, document.id, document.sha256, document.file_name, turn, reading)


def _view(inst: Installation, source: _Source, task: PageTask) -> PageView:
    seconds = PREVIEW_SECONDS
    limits = replace(worker_limits(inst.settings), seconds=seconds, most_seconds=seconds)
    with inst.picture_workers.pool("pages", source.team_id, lambda: WorkerPool(PAGE_VIEW, 1, limits)) as pool:
        pool.submit(source.document_id, task, [inst.files.local(source.sha256)])
        (outcome,) = pool.wait()
    if outcome.result is not None:
        return outcome.result
    if outcome.error is not None and not isinstance(outcome.error, DocumentError):
        raise outcome.error
    _log.warning("page %d of document %s can't be shown: %s", task.number, source.document_id, outcome.error)
    raise _no_page(source.document_id)


def _line(words: Sequence[Word]) -> list[list[Any]]:
    return [[word.text, *_box(word.box)] for word in words]


def _box(box: Box) -> list[float]:
    return [round(edge, 5) for edge in (box.left, box.top, box.width, box.height)]


def _no_page(document_id: str) -> NotFound:
    return NotFound("There is no such page to show", "documentId", document_id)
