"""The items of upload responses."""

from __future__ import annotations

from typing import Any

from docduck.api.schemas.processing import CombinedUploadItem, Routing, UploadItem
from docduck.service.classifiers.routed_documents import ClassifiedDocumentView
from docduck.service.core.installation import Installation
from docduck.service.previews.signed_links import file_link
from docduck.service.uploads.file_uploads import QueuedDocument
from docduck.statuses import Status

_PENDING = Routing(
    status="pending",
    category=None,
    target_parser_id=None,
    target_parser_name=None,
    reasoning=None,
    error=None,
)


def upload_item(inst: Installation, base_url: str, accepted: QueuedDocument) -> UploadItem:
    """Return the item of a file, with a link below ``base_url``."""
    return UploadItem.of(accepted, **_queued(inst, base_url, accepted))


def combined_upload_item(inst: Installation, base_url: str, accepted: QueuedDocument) -> CombinedUploadItem:
    """Return the item of a file whose target was in the body."""
    queued = _queued(inst, base_url, accepted)
    routing = None if accepted.classifier_id is None else _PENDING
    return CombinedUploadItem.of(accepted, **queued, routing=routing)


def with_routing(item: CombinedUploadItem, document: ClassifiedDocumentView) -> CombinedUploadItem:
    """Return the item of a file that a classifier received with the result of its routing."""
    changes: dict[str, Any] = {
        "parser_id": document.parser_id,
        "external_id": document.external_id,
        "routing": Routing.of(document.routing),
    }
    if document.status in (Status.SKIPPED, Status.FAILED):
        changes |= {"status": document.status, "message": document.error or f"Document is {document.status}"}
    return item.model_copy(update=changes)


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
