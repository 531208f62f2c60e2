"""Documents below ``/process``, whose paths are older (spec.md, Document processing; contract C8)."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from docduck.api.request.current_caller import BaseUrl, Inst, Who
from docduck.api.request.params import ParserId
from docduck.api.response.openapi_responses import answers
from docduck.api.response.responses import Json
from docduck.api.route import GuardedRoute, needs
from docduck.api.routers.documents import deleted
from docduck.api.schemas.documents import Deleted, DocumentData, DocumentNamed, DocumentsNamed, Reprocessed
from docduck.api.serializers.documents import links_of, values
from docduck.errors import InputError
from docduck.ids import is_uuid
from docduck.service.documents.document_views import show_document
from docduck.service.documents.reprocessing import reprocess_document

router = APIRouter(prefix="/process/{parserId}", tags=["Processing"], route_class=GuardedRoute)

Id = Annotated[
    str | None, Query(alias="documentId", description="Its id", json_schema_extra={"format": "uuid"})
]
ExternalId = Annotated[str | None, Query(alias="externalId", description="Its external id")]


@router.get(
    "/files/data",
    summary="Get a document's values",
    openapi_extra=needs("documents:read"),
    responses=answers(DocumentData),
    response_model=None,
)
def data(
    parserId: ParserId,
    inst: Inst,
    who: Who,
    base_url: BaseUrl,
    document_id: Id = None,
    external_id: ExternalId = None,
) -> Json:
    """A document's values, by exactly one of both ids; `data` is empty until it is processed."""
    if document_id is not None and not is_uuid(document_id):
        raise InputError("Invalid documentId", "documentId")
    view = show_document(inst, who.team_id, parserId, document_id, external_id)
    return Json(values(view, links_of(inst, base_url, view)))


@router.post(
    "/reprocess",
    summary="Read a document again",
    openapi_extra=needs("documents:write"),
    responses=answers(Reprocessed, 409, 413),
)
def reprocess(parserId: ParserId, body: DocumentNamed, inst: Inst, who: Who) -> Any:
    """Queue it again, to be read as its parser is now; changes made to its values are given up."""
    done = reprocess_document(
        inst, who.team_id, parserId, body.document_id, body.external_id, actor=who.actor
    )
    return {"success": True, "documentId": done, "status": "processing"}


@router.post(
    "/documents/delete",
    summary="Delete documents",
    openapi_extra=needs("documents:delete"),
    responses=answers(Deleted, 409, 413),
)
def delete(parserId: ParserId, body: DocumentsNamed, inst: Inst, who: Who) -> Any:
    """The same as below `/parsers`."""
    return deleted(inst, who, parserId, body)
