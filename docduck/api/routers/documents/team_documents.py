"""Documents of a team, of whatever parser, by their ids."""

from __future__ import annotations

from collections.abc import Sequence

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.params import DocumentId, Limit, PageNumber
from docduck.api.response.entity_tags import tagged
from docduck.api.route import ResourceRouter, needs
from docduck.api.routers.documents.documents import details_of
from docduck.api.schemas.base import PageResponse
from docduck.api.schemas.documents import (
    Cancelled,
    Deleted,
    DocumentDetails,
    Queued,
    TeamDocuments,
    TeamDocumentsToReprocess,
)
from docduck.service.core.started_request import earlier_effect
from docduck.service.documents.cancellation import cancel
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.document_lookup import check_parsers
from docduck.service.documents.queries.document_views import HistoryEntry, history_of, show_document
from docduck.service.documents.reprocessing import reprocess

router = ResourceRouter("/documents", "Documents", read="documents:read", write="documents:write")

_DELETE = needs("documents:delete")


@router.post("/reprocess", summary="Read documents again", operation_id="documents.reprocess_many")
def reprocess_many(body: TeamDocumentsToReprocess, call: CurrentCall) -> Queued:
    """Queue documents again, all or none; values that people set stay."""
    _check(call, body.document_ids)
    count = reprocess(
        *call.team,
        body.document_ids,
        call.actor,
        discard_corrections=body.discard_corrections,
        password=body.password,
    )
    return Queued(success=True, queued=count)


@router.post("/cancel", summary="Cancel documents", operation_id="documents.cancel_many")
def cancel_many(body: TeamDocuments, call: CurrentCall) -> Cancelled:
    """Stop reading documents that are queued or being read, all or none."""
    _check(call, body.document_ids)
    return Cancelled(success=True, cancelled=cancel(*call.team, body.document_ids, call.actor))


@router.post(
    "/delete",
    summary="Delete documents of any parsers",
    operation_id="documents.delete_many",
    openapi_extra=_DELETE,
)
def delete_many(body: TeamDocuments, call: CurrentCall) -> Deleted:
    """Delete documents, all or none."""
    _check(call, body.document_ids)
    ids = list(dict.fromkeys(body.document_ids))
    return Deleted(success=True, deleted=delete_documents(*call.team, ids, call.actor), ids=ids)


@router.get("/{documentId}", summary="Get a team's document", operation_id="documents.find", **tagged())
def get(documentId: DocumentId, call: CurrentCall) -> DocumentDetails:
    """Return a document of any parser; a key limited to parsers sees the documents of these."""
    _check(call, [documentId])
    view = show_document(*call.team, None, documentId)
    return details_of(call, view)


@router.get(
    "/{documentId}/history",
    summary="Get the history of a team's document",
    operation_id="documents.history_of",
)
def history(
    documentId: DocumentId, call: CurrentCall, page: PageNumber = 1, limit: Limit = 50
) -> PageResponse[HistoryEntry]:
    """Return every change of its status, the oldest first: what, when, by whom and why."""
    _check(call, [documentId])
    events = history_of(*call.team, None, documentId, page, limit)
    return PageResponse[HistoryEntry].of_page(events)


def _check(call: Call, document_ids: Sequence[str]) -> None:
    """Raise NotFound for a document of a parser that the key may not access.

    What an earlier attempt of the request has deleted is not looked for.
    """
    if call.caller.parser_ids is not None and earlier_effect() is None:
        with call.inst.catalog.read_session() as session:
            check_parsers(session, call.team_id, document_ids, call.caller.parser_ids)
