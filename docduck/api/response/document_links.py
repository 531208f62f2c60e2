"""Responses that hold signed links to a document's files."""

from __future__ import annotations

from docduck.api.schemas.documents import DocumentData, DocumentDetails, Metadata
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import DocumentView
from docduck.service.folders import FolderView
from docduck.service.previews.page_source import has_pages
from docduck.service.previews.signed_links import file_link, link
from docduck.statuses import IN_PROGRESS, Status


def document_details(
    inst: Installation, base_url: str, view: DocumentView, folder: FolderView | None
) -> DocumentDetails:
    """Return a document with links below ``base_url``."""
    metadata = _metadata(inst, base_url, view)
    return DocumentDetails.of(view, url=metadata.url, folder=folder, metadata=metadata, error=_error(view))


def document_data(inst: Installation, base_url: str, view: DocumentView) -> DocumentData:
    """Return a document's values; its status is ``processing`` until they are there."""
    metadata = _metadata(inst, base_url, view)
    if view.status in IN_PROGRESS:
        metadata.status = Status.PROCESSING
    return DocumentData.of(view, metadata=metadata, error=_error(view))


def _metadata(inst: Installation, base_url: str, view: DocumentView) -> Metadata:
    return Metadata.of(
        view,
        url=file_link(inst, base_url, view.id),
        thumbnail=link(inst, base_url, "thumbnail", view.id) if has_pages(view.content_type) else None,
        markdown_url=link(inst, base_url, "markdown", view.id) if view.has_markdown else None,
        source_detail=view.source_detail or {},
    )


def _error(view: DocumentView) -> str | None:
    return view.error if view.status is Status.FAILED else None
