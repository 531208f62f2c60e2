"""Documents under ``/process``, which has the older paths."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.params import ParserId
from docduck.api.response.document_links import document_data
from docduck.api.route import ResourceRouter, needs
from docduck.api.routers.documents.documents import delete_named, reprocess_one
from docduck.api.schemas.documents import (
    Deleted,
    DocumentData,
    DocumentsNamed,
    DocumentToReprocess,
    Reprocessed,
)
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.documents.queries.document_views import show_document

router = ResourceRouter("/process/{parserId}", "Processing", read="documents:read", write="documents:write")

Id = Annotated[
    str | None, Query(alias="documentId", description="Its id", json_schema_extra={"format": "uuid"})
]
ExternalId = Annotated[str | None, Query(alias="externalId", description="Its external id")]


@router.get("/files/data", summary="Get a document's values", operation_id="process.data")
def data(
    parserId: ParserId, call: CurrentCall, document_id: Id = None, external_id: ExternalId = None
) -> DocumentData:
    """Return a document's values, by exactly one of its ids; `data` is empty until it is processed."""
    if document_id is not None and not is_uuid(document_id):
        raise InputError("Invalid documentId", "documentId", code="invalid_id")
    view = show_document(*call.team, parserId, document_id, external_id)
    return document_data(call.inst, call.base_url, view)


@router.post("/reprocess", summary="Read a document again", operation_id="documents.reprocess")
def reprocess(parserId: ParserId, body: DocumentToReprocess, call: CurrentCall) -> Reprocessed:
    """Queue a document again, to be read with its parser's current setup; values that people set stay."""
    return reprocess_one(call, parserId, body.document_id, body.external_id, body)


@router.post(
    "/documents/delete",
    summary="Delete documents",
    operation_id="process.delete",
    openapi_extra=needs("documents:delete"),
)
def delete(parserId: ParserId, body: DocumentsNamed, call: CurrentCall) -> Deleted:
    """The same as under `/parsers`."""
    return delete_named(call, parserId, body)
