"""Upload result items (spec.md, Upload result item)."""

from __future__ import annotations

from typing import Any

from docduck.service.sources.uploads import QueuedDocument

QUEUED_MESSAGE = "Document queued for processing"


def upload_item(one: QueuedDocument, url: str) -> dict[str, Any]:
    """One accepted file; ``url`` is a link to it."""
    return {
        "id": one.id,
        "documentId": one.id,
        "name": one.name,
        "url": url,
        "isProcessed": False,
        "status": "processing",
        "message": QUEUED_MESSAGE,
        "operationName": f"operations/{one.operation_id}",
        "pageCount": None,
        "externalId": one.external_id,
        "custom": one.custom,
    }


def combined(item: dict[str, Any], parser_id: str) -> dict[str, Any]:
    """The item of an upload whose target stands in its body."""
    return {**item, "parserId": parser_id, "classifierId": None, "routing": None}
