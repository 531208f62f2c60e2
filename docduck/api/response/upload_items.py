"""The items of upload responses."""

from __future__ import annotations

from typing import Any

from docduck.api.schemas.processing import CombinedUploadItem, UploadItem
from docduck.service.core.installation import Installation
from docduck.service.previews.signed_links import file_link
from docduck.service.sources.uploads import QueuedDocument
from docduck.statuses import Status


def upload_item(inst: Installation, base_url: str, accepted: QueuedDocument) -> UploadItem:
    """Return the item of a file, with a link below ``base_url``."""
    return UploadItem.of(accepted, **_queued(inst, base_url, accepted))


def combined_upload_item(inst: Installation, base_url: str, accepted: QueuedDocument) -> CombinedUploadItem:
    """Return the item of a file whose target was in the body."""
    queued = _queued(inst, base_url, accepted)
    return CombinedUploadItem.of(accepted, **queued, classifier_id=None, routing=None)


def _queued(inst: Installation, base_url: str, accepted: QueuedDocument) -> dict[str, Any]:
    return {
        "document_id": accepted.id,
        "url": file_link(inst, base_url, accepted.id),
        "is_processed": False,
        "status": Status.PROCESSING,
        "message": "Document queued for processing",
        "operation_name": f"operations/{accepted.operation_id}",
        "page_count": None,
    }
