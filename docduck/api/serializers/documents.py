"""Documents as JSON: rows of lists, whole, and their values alone (spec.md, Document; contract C8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docduck.clock import iso
from docduck.service.core.installation import Installation
from docduck.service.documents.document_views import DocumentRow, DocumentView, HistoryEntry
from docduck.service.documents.review_progress import Person, ReviewView, StageView
from docduck.service.previews.signed_links import file_link, link
from docduck.service.previews.thumbnails import is_drawable
from docduck.statuses import Status

_AT_WORK = (Status.UPLOADING, Status.QUEUED, Status.PROCESSING)


@dataclass(frozen=True, slots=True)
class Links:
    """Signed links to what belongs to a document; None for what it has not."""

    file: str
    thumbnail: str | None
    markdown: str | None


def links_of(inst: Installation, base_url: str, view: DocumentView) -> Links:
    """The links of a document, below ``base_url``."""
    return Links(
        file=file_link(inst, base_url, view.id),
        thumbnail=link(inst, base_url, "thumbnail", view.id) if is_drawable(view.content_type) else None,
        markdown=link(inst, base_url, "markdown", view.id) if view.has_markdown else None,
    )


def row(one: DocumentRow) -> dict[str, Any]:
    """A document as a list shows it."""
    return {
        "id": one.id,
        "name": one.name,
        "externalId": one.external_id,
        "custom": one.custom,
        "status": one.status,
        "folderId": one.folder_id,
        "source": one.source,
        "contentType": one.content_type,
        "createdAt": iso(one.created_at),
        "updatedAt": iso(one.updated_at),
        "isProcessed": one.is_processed,
        "isFailed": one.status is Status.FAILED,
        "pageCount": one.page_count,
        "review": review(one.review),
    }


def whole(view: DocumentView, links: Links, folder: dict[str, Any] | None) -> dict[str, Any]:
    """A document whole, with its folder as JSON."""
    shown = {
        **row(view),
        "url": links.file,
        "folder": folder,
        "metadata": metadata(view, links),
        "data": view.data,
    }
    return _with_error(shown, view)


def values(view: DocumentView, links: Links) -> dict[str, Any]:
    """A document's values; whoever polls sees ``processing`` until they are there (contract C8)."""
    known = metadata(view, links)
    if view.status in _AT_WORK:
        known["status"] = Status.PROCESSING
    return _with_error({"data": view.data, "metadata": known}, view)


def metadata(view: DocumentView, links: Links) -> dict[str, Any]:
    """What is known of a document beside its values."""
    return {
        "id": view.id,
        "name": view.name,
        "fileName": view.file_name,
        "externalId": view.external_id,
        "custom": view.custom,
        "url": links.file,
        "status": view.status,
        "isProcessed": view.is_processed,
        "isFailed": view.status is Status.FAILED,
        "thumbnail": links.thumbnail,
        "markdownUrl": links.markdown,
        "createdAt": iso(view.created_at),
        "updatedAt": iso(view.updated_at),
        "pageCount": view.page_count,
        "isApproved": view.status is Status.APPROVED,
        "isRejected": view.status is Status.REJECTED,
        "field_metadata": view.field_metadata,
        "review": review(view.review),
        "contentType": view.content_type,
        "source": view.source,
        "sourceDetail": dict(view.source_detail or {}),
        "folderId": view.folder_id,
        "classifierId": view.classifier_id,
        "split": view.split,
        "classification": view.classification,
        "duplicateOf": list(view.duplicate_of),
        "warnings": list(view.warnings),
        "parserRevision": view.parser_revision,
    }


def review(one: ReviewView) -> dict[str, Any]:
    """How far a document is through its review."""
    return {
        "isRequired": one.is_required,
        "status": one.status,
        "assignee": _person(one.assignee),
        "currentStage": None if one.current_stage is None else _current(one.current_stage),
        "stages": [_stage(stage) for stage in one.stages],
    }


def history_entry(one: HistoryEntry) -> dict[str, Any]:
    """One change of a document's state."""
    return {
        "at": iso(one.at),
        "event": one.event,
        "fromStatus": one.from_status,
        "toStatus": one.to_status,
        "reason": one.reason,
        "actor": one.actor,
    }


def _with_error(shown: dict[str, Any], view: DocumentView) -> dict[str, Any]:
    return {**shown, "error": view.error} if view.status is Status.FAILED else shown


def _current(stage: StageView) -> dict[str, Any]:
    return {
        "id": stage.id,
        "name": stage.name,
        "reviewerInstructions": stage.reviewer_instructions,
        "position": stage.position,
    }


def _stage(stage: StageView) -> dict[str, Any]:
    return {
        **_current(stage),
        "status": stage.status,
        "assignee": _person(stage.assignee),
        "approvedAt": iso(stage.approved_at),
        "rejectedAt": iso(stage.rejected_at),
        "comment": stage.comment,
    }


def _person(one: Person | None) -> dict[str, Any] | None:
    return None if one is None else {"id": one.id, "name": one.name, "email": one.email}
