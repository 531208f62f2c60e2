"""Thumbnails, drawn on first request in a worker process and cached in the home.

An empty picture is kept of a file that can't be drawn.
"""

from __future__ import annotations

import logging

from docduck.documents.detection.file_types import labels
from docduck.errors import NotFound
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.page_job import THUMBNAIL, ThumbnailTask
from docduck.service.core.installation import Installation
from docduck.service.previews.page_source import PREVIEW_SECONDS
from docduck.service.previews.preview_cache import cache_path, keep, read_cached
from docduck.service.previews.signed_links import LinkedDocument, linked_document, stored_path

WIDTH = 240
"""In pixels."""

_log = logging.getLogger(__name__)

_FILE = "thumbnail.jpg"


def is_drawable(content_type: str) -> bool:
    """Return whether documents of this type have thumbnails."""
    return content_type in labels()


class Thumbnails:
    """Draw thumbnails; safe to call from several threads."""

    def __init__(self, inst: Installation) -> None:
        self._inst = inst

    def get(self, document_id: str) -> bytes:
        """Return a document's thumbnail as JPEG.

        Raise NotFound for a document that is deleted or can't be drawn, and Transient if others are drawn.
        """
        document = linked_document(self._inst, document_id)
        place = cache_path(self._inst, document.sha256, _FILE)
        if not is_drawable(document.content_type):
            raise _no_thumbnail(document_id)
        picture = read_cached(place)
        if picture is None:
            picture = self._draw(document, document_id)
            keep(place, picture)
        if not picture:
            raise _no_thumbnail(document_id)
        return picture

    def _draw(self, document: LinkedDocument, document_id: str) -> bytes:
        limits = worker_limits(self._inst.settings, PREVIEW_SECONDS)
        task = ThumbnailTask(document.file_name, WIDTH)
        files = [stored_path(self._inst, document.sha256, document_id)]
        run = self._inst.picture_workers.run
        outcome = run("thumbnails", document.team_id, THUMBNAIL, limits, task, files)
        if outcome.error is not None and outcome.error.retryable:
            raise outcome.error
        if outcome.result is None:
            _log.warning(
                "document %s (%r) has no thumbnail: %s", document_id, document.file_name, outcome.error
            )
        return outcome.result or b""


def _no_thumbnail(document_id: str) -> NotFound:
    return NotFound("Document has no thumbnail", "documentId", document_id)
