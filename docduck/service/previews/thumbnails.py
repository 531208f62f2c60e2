"""Thumbnails, drawn on first request in a worker process and cached in the home.

An empty picture is kept of a file that can't be drawn.
"""

from __future__ import annotations

import logging

from docduck.errors import NotFound
from docduck.extraction.extraction_settings import worker_limits
from docduck.extraction.jobs.page_job import THUMBNAIL, ThumbnailTask
from docduck.service.core.installation import Installation
from docduck.service.previews.page_source import PREVIEW_SECONDS, has_pages
from docduck.service.previews.preview_cache import kept_or_made
from docduck.service.previews.signed_links import LinkedDocument, linked_document, stored_path

WIDTH = 240
"""In pixels."""

_log = logging.getLogger(__name__)


def thumbnail(inst: Installation, document_id: str) -> bytes:
    """Return a document's thumbnail as JPEG.

    Raise NotFound for a document that is deleted or can't be drawn, and Transient if others are drawn.
    """
    document = linked_document(inst, document_id)
    if has_pages(document.content_type) and (
        picture := kept_or_made(
            inst, document.sha256, "thumbnail.jpg", lambda: _drawn(inst, document, document_id)
        )
    ):
        return picture
    raise NotFound("Document has no thumbnail", "documentId", document_id)


def _drawn(inst: Installation, document: LinkedDocument, document_id: str) -> bytes:
    limits = worker_limits(inst.settings, PREVIEW_SECONDS)
    task = ThumbnailTask(document.file_name, WIDTH)
    files = [stored_path(inst, document.sha256, document_id)]
    run = inst.picture_workers.run
    outcome = run("thumbnails", document.team_id, THUMBNAIL, limits, task, files)
    if outcome.error is not None and outcome.error.retryable:
        raise outcome.error
    if outcome.result is None:
        _log.warning("document %s (%r) has no thumbnail: %s", document_id, document.file_name, outcome.error)
    return outcome.result or b""
