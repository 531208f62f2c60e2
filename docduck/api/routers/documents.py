"""Documents of a parser (spec.md, Documents; contract C9)."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Annotated, Any, cast

from fastapi import APIRouter, BackgroundTasks, Body

from docduck.api.request.current_caller import BaseUrl, Corrections, Inst, Who
from docduck.api.request.params import DocumentId, Limit, Page, ParserId
from docduck.api.response.openapi_responses import answers
from docduck.api.response.responses import Json
from docduck.api.route import GuardedRoute, needs
from docduck.api.schemas.base import Listed
from docduck.api.schemas.documents import (
    BulkUpdate,
    BulkUpdated,
    Deleted,
    DocumentShown,
    DocumentsNamed,
    DocumentUpdate,
    HistoryShown,
    Nothing,
    Reprocessed,
    ValuesUpdate,
)
from docduck.api.serializers.documents import history_entry, links_of, whole
from docduck.api.serializers.folders import folder as folder_shown
from docduck.api.serializers.pages import page_of
from docduck.errors import NotFound
from docduck.service.accounts.keys import Caller
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import set_values
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.deletion import delete_from_parser
from docduck.service.documents.document_changes import (
    BulkChanges,
    DocumentChanges,
    update_document,
    update_documents,
)
from docduck.service.documents.document_views import DocumentView, history_of, show_document
from docduck.service.documents.reprocessing import reprocess_document
from docduck.service.folders import get_folder

router = APIRouter(prefix="/parsers/{parserId}/documents", tags=["Documents"], route_class=GuardedRoute)

_READ, _WRITE, _DELETE = needs("documents:read"), needs("documents:write"), needs("documents:delete")


@router.patch("", summary="Change many documents", openapi_extra=_WRITE, responses=answers(BulkUpdated, 413))
@router.post(
    "/bulk-update",
    summary="Change many documents, by POST",
    openapi_extra=_WRITE,
    responses=answers(BulkUpdated, 409, 413),
)
def bulk_update(parserId: ParserId, body: BulkUpdate, inst: Inst, who: Who) -> Any:
    """Change up to 500 documents in the same way.

    Nothing changes unless all are there; one whose state does not allow the change is listed in `failed`.
    """
    given = body.given()
    document_ids, external_ids = given.pop("document_ids", None), given.pop("external_ids", None)
    done = update_documents(
        inst,
        who.team_id,
        parserId,
        document_ids or (),
        external_ids or (),
        cast(BulkChanges, given),
        who.actor,
    )
    failed = [{"id": document_id, "message": message} for document_id, message in done.failed]
    return {"success": True, "updated": len(done.ids), "ids": done.ids, "failed": failed}


@router.post(
    "/delete",
    summary="Delete documents",
    openapi_extra=_DELETE,
    responses=answers(Deleted, 409, 413),
)
def delete_many(parserId: ParserId, body: DocumentsNamed, inst: Inst, who: Who) -> Any:
    """Delete documents, all of them or none; their external ids can be used again."""
    return deleted(inst, who, parserId, body)


@router.get(
    "/{documentId}",
    summary="Get a document",
    openapi_extra=_READ,
    responses=answers(DocumentShown),
    response_model=None,
)
def get(parserId: ParserId, documentId: DocumentId, inst: Inst, who: Who, base_url: BaseUrl) -> Json:
    """A document with its values, where they stand, and its review."""
    view = show_document(inst, who.team_id, parserId, documentId)
    return shown(inst, who.team_id, base_url, view)


@router.patch(
    "/{documentId}",
    summary="Change a document",
    openapi_extra=_WRITE,
    responses=answers(DocumentShown, 409, 413),
    response_model=None,
)
def update(
    parserId: ParserId,
    documentId: DocumentId,
    body: DocumentUpdate,
    inst: Inst,
    who: Who,
    base_url: BaseUrl,
) -> Json:
    """Change its name, external id, custom data (replaced whole), folder or assignee."""
    changes = cast(DocumentChanges, body.given())
    view = update_document(inst, who.team_id, parserId, documentId, changes, who.actor)
    return shown(inst, who.team_id, base_url, view)


@router.delete(
    "/{documentId}", summary="Delete a document", openapi_extra=_DELETE, responses=answers(Deleted)
)
def delete(parserId: ParserId, documentId: DocumentId, inst: Inst, who: Who) -> Any:
    """Delete a document; if it is being read, that ends."""
    return deleted(inst, who, parserId, DocumentsNamed(documentIds=[documentId]))


@router.post(
    "/{documentId}/reprocess",
    summary="Read a document again",
    openapi_extra=_WRITE,
    responses=answers(Reprocessed, 409, 413),
)
def reprocess(
    parserId: ParserId,
    documentId: DocumentId,
    inst: Inst,
    who: Who,
    body: Annotated[Nothing | None, Body()] = None,
) -> Any:
    """Queue it again, to be read as its parser is now; changes made to its values are given up."""
    done = reprocess_document(inst, who.team_id, parserId, documentId, actor=who.actor)
    return {"success": True, "documentId": done, "status": "processing"}


@router.patch(
    "/{documentId}/data",
    summary="Put values right",
    openapi_extra=_WRITE,
    responses=answers(DocumentShown, 409, 413, 503),
    response_model=None,
)
async def update_values(
    parserId: ParserId,
    documentId: DocumentId,
    body: ValuesUpdate,
    inst: Inst,
    who: Who,
    lane: Corrections,
    base_url: BaseUrl,
    after: BackgroundTasks,
) -> Json:
    """Set some values; the parser learns where they are printed on documents that look alike."""
    work = partial(_set_values, parserId, documentId, body, inst, who, base_url, replace=False)
    after.add_task(process_pending, inst)
    return await lane.run(who.team_id, work)


@router.put(
    "/{documentId}/data",
    summary="Replace all values",
    openapi_extra=_WRITE,
    responses=answers(DocumentShown, 409, 413, 503),
    response_model=None,
)
async def replace_values(
    parserId: ParserId,
    documentId: DocumentId,
    body: ValuesUpdate,
    inst: Inst,
    who: Who,
    lane: Corrections,
    base_url: BaseUrl,
    after: BackgroundTasks,
) -> Json:
    """Set all values; a field that is not named is cleared."""
    work = partial(_set_values, parserId, documentId, body, inst, who, base_url, replace=True)
    after.add_task(process_pending, inst)
    return await lane.run(who.team_id, work)


@router.get(
    "/{documentId}/history",
    summary="Get a document's history",
    openapi_extra=_READ,
    responses=answers(Listed[HistoryShown]),
)
def history(
    parserId: ParserId, documentId: DocumentId, inst: Inst, who: Who, page: Page = 1, limit: Limit = 50
) -> Any:
    """Every change of its state, the oldest first: what, when, by whom and why."""
    entries, total = history_of(inst, who.team_id, parserId, documentId, page, limit)
    return page_of([history_entry(one) for one in entries], page, limit, total)


def deleted(inst: Installation, who: Caller, parser_id: str, named: DocumentsNamed) -> dict[str, Any]:
    """The answer to a deletion, once it is done."""
    ids = delete_from_parser(
        inst, who.team_id, parser_id, named.document_ids or (), named.external_ids or (), who.actor
    )
    return {"success": True, "deleted": len(ids), "ids": ids}


def shown(inst: Installation, team_id: str, base_url: str, view: DocumentView) -> Json:
    """The answer that shows a document whole."""
    folder: dict[str, Any] | None = None
    if view.folder_id is not None and view.parser_id is not None:
        # It may have been deleted a moment ago.
        with suppress(NotFound):
            folder = folder_shown(get_folder(inst, team_id, view.parser_id, view.folder_id))
    return Json(whole(view, links_of(inst, base_url, view), folder))


def _set_values(
    parser_id: str,
    document_id: str,
    body: ValuesUpdate,
    inst: Installation,
    who: Caller,
    base_url: str,
    *,
    replace: bool,
) -> Json:
    view = set_values(
        inst,
        who.team_id,
        parser_id,
        document_id,
        body.data,
        replace=replace,
        reviewer_id=body.reviewer_id,
        actor=who.actor,
    )
    return shown(inst, who.team_id, base_url, view)
