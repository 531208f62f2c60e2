"""Documents of a parser."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, cast

from fastapi import BackgroundTasks, Body, Depends, Query, Request

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.lanes import Corrections
from docduck.api.request.params import DocumentId, Limit, NoBody, PageNumber, ParserId
from docduck.api.response.document_links import document_details
from docduck.api.response.entity_tags import IfMatch, tagged
from docduck.api.response.openapi import error_responses
from docduck.api.route import ResourceRouter, needs, require
from docduck.api.schemas.base import PageResponse
from docduck.api.schemas.documents import (
    BulkUpdate,
    BulkUpdated,
    Confirmation,
    Deleted,
    DocumentDetails,
    DocumentsNamed,
    DocumentToReprocess,
    DocumentUpdate,
    Failure,
    Queued,
    Reprocessed,
    ReprocessOptions,
    StatusesToReprocess,
    ValuesUpdate,
)
from docduck.errors import NotFound
from docduck.service.accounts.caller import Caller
from docduck.service.corrections.corrections import confirm_values
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents import cancellation
from docduck.service.documents.deletion import delete_from_parser
from docduck.service.documents.document_changes import (
    BulkChanges,
    DocumentChanges,
    update_document,
    update_documents,
)
from docduck.service.documents.queries.document_views import (
    DocumentView,
    HistoryEntry,
    history_of,
    show_document,
)
from docduck.service.documents.reprocessing import reprocess_document, reprocess_parser
from docduck.service.documents.unsplitting import undo_split
from docduck.service.folders import FolderView, get_folder
from docduck.service.previews.explanations import ExplanationView, explain_value
from docduck.service.processing.filling import enter_values

router = ResourceRouter(
    "/parsers/{parserId}/documents", "Documents", read="documents:read", write="documents:write"
)


async def _is_put(request: Request) -> bool:
    return request.method == "PUT"


IsPut = Annotated[bool, Depends(_is_put)]

_DELETE = needs("documents:delete")


@router.patch("", summary="Change many documents", operation_id="documents.bulk_update_by_patch")
@router.post("/bulk-update", summary="Change many documents, by POST")
def bulk_update(parserId: ParserId, body: BulkUpdate, call: CurrentCall) -> BulkUpdated:
    """Change up to 500 documents in the same way.

    Nothing is changed unless all documents exist; `failed` lists those whose status does not allow it.
    `assigneeId` needs the permission `reviews:write` too.
    """
    require_assignment(call.caller, body)
    changes = body.sent_values()
    document_ids, external_ids = changes.pop("document_ids", None), changes.pop("external_ids", None)
    done = update_documents(
        *call.team, parserId, document_ids or (), external_ids or (), cast(BulkChanges, changes), call.actor
    )
    failed = [
        Failure(id=document_id, code=error.code, message=error.message) for document_id, error in done.failed
    ]
    return BulkUpdated(success=True, updated=len(done.ids), ids=list(done.ids), failed=failed)


@router.post("/delete", summary="Delete documents", operation_id="documents.delete", openapi_extra=_DELETE)
def delete_many(parserId: ParserId, body: DocumentsNamed, call: CurrentCall) -> Deleted:
    """Delete documents, all of them or none; their external ids can be used again."""
    return delete_named(call, parserId, body)


@router.post("/reprocess", summary="Read a parser's documents again")
def reprocess_all(
    parserId: ParserId, call: CurrentCall, body: Annotated[StatusesToReprocess | None, Body()] = None
) -> Queued:
    """Queue all that are done, or those in some statuses, again; values that people set stay."""
    options = body or StatusesToReprocess()
    count = reprocess_parser(
        *call.team, parserId, options.statuses, call.actor, discard_corrections=options.discard_corrections
    )
    return Queued(success=True, queued=count)


@router.get("/{documentId}", summary="Get a document", **tagged())
def get(parserId: ParserId, documentId: DocumentId, call: CurrentCall) -> DocumentDetails:
    """Return a document with its values, their places, and its review."""
    view = show_document(*call.team, parserId, documentId)
    return details_of(call, view)


@router.get("/{documentId}/explanation", summary="Explain a value")
def explanation(
    parserId: ParserId,
    documentId: DocumentId,
    call: CurrentCall,
    field: Annotated[str, Query(max_length=520, description="Field, or `Table.Column`")],
    row: Annotated[int | None, Query(ge=1, description="From 1")] = None,
) -> ExplanationView:
    """Return in sentences why a value is what it is: its source, its place, failed checks, confidence.

    No language model is asked.
    """
    return explain_value(*call.team, parserId, documentId, field, row)


@router.patch("/{documentId}", summary="Change a document", **tagged(409, changes=True))
def update(
    parserId: ParserId,
    documentId: DocumentId,
    body: DocumentUpdate,
    call: CurrentCall,
    versions: IfMatch = None,
) -> DocumentDetails:
    """Change a document's name, external id, custom data (replaced as a whole), folder or assignee.

    `assigneeId` needs the permission `reviews:write` too.
    """
    require_assignment(call.caller, body)
    changes = cast(DocumentChanges, body.sent_values())
    view = update_document(*call.team, parserId, documentId, changes, call.actor, versions=versions)
    return details_of(call, view)


@router.delete(
    "/{documentId}", summary="Delete a document", operation_id="documents.delete_one", openapi_extra=_DELETE
)
def delete(parserId: ParserId, documentId: DocumentId, call: CurrentCall) -> Deleted:
    """Delete a document; reading it is cancelled."""
    return delete_named(call, parserId, DocumentsNamed(documentIds=[documentId]))


@router.post(
    "/{documentId}/reprocess", summary="Read a document again", operation_id="documents.reprocess_one"
)
def reprocess(
    parserId: ParserId,
    documentId: DocumentId,
    call: CurrentCall,
    body: Annotated[ReprocessOptions | None, Body()] = None,
) -> Reprocessed:
    """Queue a document again, to be read with its parser's current setup; values that people set stay."""
    return reprocess_one(call, parserId, documentId, None, body or ReprocessOptions())


@router.post("/{documentId}/cancel", summary="Cancel a document")
def cancel(
    parserId: ParserId, documentId: DocumentId, call: CurrentCall, body: NoBody = None
) -> DocumentDetails:
    """Stop reading a document that is queued or being read; it is `failed`, with the error `Cancelled`."""
    cancellation.cancel(*call.team, [documentId], call.actor, parserId)
    view = show_document(*call.team, parserId, documentId)
    return details_of(call, view)


@router.post(
    "/{documentId}/split/undo",
    summary="Undo a split",
    operation_id="documents.undo_split",
    openapi_extra=_DELETE,
)
def undo_split_of(
    parserId: ParserId, documentId: DocumentId, call: CurrentCall, body: NoBody = None
) -> Reprocessed:
    """Read a split PDF as one document again, given any of its parts; the other parts are deleted."""
    whole = undo_split(*call.team, parserId, documentId, call.actor)
    return Reprocessed(success=True, document_id=whole, status="processing")


@router.put(
    "/{documentId}/data",
    summary="Replace all values",
    description="Set all values; a field that is not named is cleared.",
    operation_id="documents.replace_data",
    **tagged(409, 503, changes=True),
)
@router.patch(
    "/{documentId}/data",
    summary="Correct values",
    operation_id="documents.update_data",
    **tagged(409, 503, changes=True),
)
async def update_values(
    parserId: ParserId,
    documentId: DocumentId,
    body: ValuesUpdate,
    call: CurrentCall,
    lane: Corrections,
    after: BackgroundTasks,
    replace: IsPut,
    versions: IfMatch = None,
) -> DocumentDetails:
    """Set some values, by field name or id; null clears one, and a table is replaced as a whole.

    A document that failed is `processed` then, or `in_review`: what could not be read was filled in by hand.
    The parser learns where they are printed on documents that look alike.
    """

    def update() -> DocumentDetails:
        view = enter_values(
            *call.team,
            parserId,
            documentId,
            body.data,
            replace=replace,
            reviewer_id=body.reviewer_id,
            actor=call.actor,
            versions=versions,
        )
        return details_of(call, view)

    after.add_task(process_pending, call.inst)
    return await lane.run(call.team_id, update)


@router.post(
    "/{documentId}/confirm",
    summary="Confirm all values",
    operation_id="documents.confirm",
    responses=error_responses(503),
)
async def confirm(
    parserId: ParserId,
    documentId: DocumentId,
    call: CurrentCall,
    lane: Corrections,
    after: BackgroundTasks,
    body: Annotated[Confirmation | None, Body()] = None,
) -> DocumentDetails:
    """Confirm that all values are right, also empty ones: they stay when the document is read again.

    The parser learns from them as from corrections.
    """

    def confirmed() -> DocumentDetails:
        view = confirm_values(
            *call.team, parserId, documentId, reviewer_id=body.reviewer_id if body else None, actor=call.actor
        )
        return details_of(call, view)

    after.add_task(process_pending, call.inst)
    return await lane.run(call.team_id, confirmed)


@router.get("/{documentId}/history", summary="Get a document's history")
def history(
    parserId: ParserId, documentId: DocumentId, call: CurrentCall, page: PageNumber = 1, limit: Limit = 50
) -> PageResponse[HistoryEntry]:
    """Return a page of the changes of a document's status, the oldest first: when, by whom and why."""
    events = history_of(*call.team, parserId, documentId, page, limit)
    return PageResponse[HistoryEntry].of_page(events)


def delete_named(call: Call, parser_id: str, named: DocumentsNamed) -> Deleted:
    """Delete the documents that a body names."""
    ids = delete_from_parser(
        *call.team, parser_id, named.document_ids or (), named.external_ids or (), call.actor
    )
    return Deleted(success=True, deleted=len(ids), ids=list(ids))


def reprocess_one(
    call: Call,
    parser_id: str,
    document_id: str | None,
    external_id: str | None,
    options: ReprocessOptions | DocumentToReprocess,
) -> Reprocessed:
    """Queue a document again, by exactly one of its ids."""
    queued = reprocess_document(
        *call.team,
        parser_id,
        document_id,
        external_id,
        call.actor,
        discard_corrections=options.discard_corrections,
        password=options.password,
    )
    return Reprocessed(success=True, document_id=queued, status="processing")


def require_assignment(caller: Caller, body: BulkUpdate | DocumentUpdate) -> None:
    """Raise Forbidden if the body names an assignee and the caller may not assign reviewers."""
    if "assignee_id" in body.model_fields_set:
        require(caller, "reviews:write")


def details_of(call: Call, view: DocumentView) -> DocumentDetails:
    """Return a document in full, with its folder."""
    folder: FolderView | None = None
    if view.folder_id is not None and view.parser_id is not None:
        # It may have been deleted a moment ago.
        with suppress(NotFound):
            folder = get_folder(*call.team, view.parser_id, view.folder_id)
    return document_details(call.inst, call.base_url, view, folder)
