"""Thumbnails, drawn on first request in a worker process and cached in the home.

An empty picture is kept of a file that can't be drawn.
"""

from __future__ import annotations

from docduck.documents.read_options import ReadOptions
from docduck.errors import DocduckError, NotFound
from docduck.extraction.jobs.page_job import PageTask
from docduck.service.core.installation import Installation
from docduck.service.documents.file_passwords import kept_prefix, password_of
from docduck.service.previews.page_source import VIEW_SECONDS, PageSource, has_pages, view_page
from docduck.service.previews.preview_cache import kept_or_made
from docduck.service.previews.signed_links import linked_document, stored_path

WIDTH = 240
"""In pixels."""


def thumbnail(inst: Installation, document_id: str) -> bytes:
    """Return a document's thumbnail as JPEG.

    Raise NotFound for a document that is deleted or can't be drawn, and Transient if others are drawn.
    """
    document = linked_document(inst, document_id)

    def drawn() -> bytes:
        stored_path(inst, document.sha256, document_id)
        password = password_of(inst.settings, document_id, document.sealed_password)
        reading = ReadOptions(password=password)
        source = PageSource(
            document.team_id, document_id, document.sha256, document.file_name, None, {}, reading
        )
        task = PageTask(source.name, 1, WIDTH, reading=reading, most_height=3 * WIDTH)
        try:
            return view_page(inst, source, task, VIEW_SECONDS).picture
        except DocduckError as error:
            if error.retryable:
                raise
            return b""

    name = f"{kept_prefix(document.sealed_password)}thumbnail.jpg"
    if has_pages(document.content_type) and (picture := kept_or_made(inst, document.sha256, name, drawn)):
        return picture
    raise NotFound("Document has no thumbnail", "documentId", document_id)
