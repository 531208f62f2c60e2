"""Thumbnails, drawn on first request in a worker process and cached in the home.

An empty picture is kept of a file that can't be drawn.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from pathlib import Path

from docduck.errors import NotFound, Transient
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.thumbnail_job import ThumbnailTask, thumbnail_pool
from docduck.service.core.installation import Installation
from docduck.service.documents.file_types import READABLE
from docduck.service.previews.preview_cache import cache_path, keep, read_cached
from docduck.service.previews.signed_links import linked_file

_log = logging.getLogger(__name__)

_MOST_WAITING = 4
_FILE = "thumbnail.jpg"


def is_drawable(content_type: str) -> bool:
    """Return whether documents of this type have thumbnails."""
    return content_type in READABLE


class Thumbnails:
    """Draw thumbnails, one at a time; safe to call from several threads."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst
        self._drawing = threading.Lock()
        self._room = threading.BoundedSemaphore(_MOST_WAITING)

    def get(self, document_id: str) -> bytes:
        """Return a document's thumbnail as JPEG.

        Raise NotFound for a document that is deleted or can't be drawn, and Transient if too many are
        waiting.
        """
        source = linked_file(self._inst, document_id)
        place = cache_path(self._inst, source.sha256, _FILE)
        if not is_drawable(source.content_type):
            raise _no_thumbnail(document_id)
        picture = read_cached(place)
        if picture is None:
            if not self._room.acquire(blocking=False):
                raise Transient("Too many thumbnails are being drawn; try again in some seconds")
            try:
                with self._drawing:
                    picture = read_cached(place)
                    if picture is None:
                        picture = self._draw(source.path, source.name, document_id)
                        keep(place, picture)
            finally:
                self._room.release()
        if not picture:
            raise _no_thumbnail(document_id)
        return picture

    def _draw(self, path: Path, name: str, document_id: str) -> bytes:
        settings = self._inst.settings
        seconds = settings.preview_seconds
        limits = replace(worker_limits(settings), seconds=seconds, most_seconds=seconds)
        with self._inst.side_workers.pool("thumbnails", lambda: thumbnail_pool(limits)) as pool:
            pool.submit(document_id, ThumbnailTask(name, settings.thumbnail_width), [path])
            (outcome,) = pool.wait()
        if outcome.error is not None and outcome.error.retryable:
            raise outcome.error
        if outcome.result is None:
            _log.warning("document %s (%r) has no thumbnail: %s", document_id, name, outcome.error)
        return outcome.result or b""


def _no_thumbnail(document_id: str) -> NotFound:
    return NotFound("Document has no thumbnail", "documentId", document_id)
