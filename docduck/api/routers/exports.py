"""Exports of a parser's documents, and their saved layouts."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import Body, Query
from starlette.responses import Response

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.lane import Lane
from docduck.api.request.lanes import Exports
from docduck.api.request.params import LayoutId, Limit, PageNumber, ParserId
from docduck.api.response.export_file import HEADERS, export_response
from docduck.api.response.openapi import error_responses
from docduck.api.route import ResourceRouter, needs
from docduck.api.schemas.base import Done, PageResponse
from docduck.api.schemas.exports import (
    Delivery,
    ExportBody,
    ExportLink,
    NewExport,
)
from docduck.exports.model import Format
from docduck.exports.plan import content_types, export_format
from docduck.service.core.installation import Installation
from docduck.service.core.pages import page_of
from docduck.service.outputs.export_layouts import (
    create_layout,
    delete_layout,
    get_layout,
    list_layouts,
    update_layout,
)
from docduck.service.outputs.file_exports import StoredExport, export_to_file, export_to_store
from docduck.service.previews.signed_links import export_link
from docduck.service.requests.idempotency import MAX_RESPONSE_BYTES
from docduck.service.schemas.export_layouts import ExportLayoutUpdate, ExportLayoutView, NewExportLayout

router = ResourceRouter("/parsers/{parserId}", "Exports", read="exports:read", write="parsers:write")

_BINARY = {"schema": {"type": "string", "format": "binary"}}
_FILE: dict[str, Any] = {
    "description": "The file, or with `delivery=link` where it is",
    "model": ExportLink | list[dict[str, Any]] | dict[str, list[dict[str, Any]]],
    "content": {kind: _BINARY for kind in content_types() if kind != export_format(Format.JSON).content_type},
    "headers": {
        name: {"description": words, "schema": {"type": "string"}} for name, words in HEADERS.items()
    },
}


@router.post(
    "/exports",
    summary="Export documents",
    openapi_extra=needs("exports:read"),
    response_model=None,
    responses={200: _FILE, **error_responses(503)},
)
async def create(
    parserId: ParserId,
    call: CurrentCall,
    lane: Exports,
    body: Annotated[NewExport | None, Body()] = None,
    delivery: Annotated[
        Delivery | None, Query(description="`link` for the address of the file instead of the file")
    ] = None,
) -> Response | ExportLink:
    """Return documents as a file: the response's body is the file.

    With `onlyNew`, choose `delivery=link` for a file that can be fetched again if the connection breaks.
    """
    new_export = body or NewExport()
    if delivery == "link":
        return (await stored_link(parserId, new_export, call, lane, new_export.only_new))[0]
    work = partial(
        export_to_file, *call.team, parserId, new_export.request(), call.actor, new_export.only_new
    )
    export = await lane.run(call.team_id, work)
    return export_response(export, MAX_RESPONSE_BYTES)


@router.get("/export-layouts", summary="List export layouts", operation_id="exports.layouts")
def list_(
    parserId: ParserId, call: CurrentCall, page: PageNumber = 1, limit: Limit = 50
) -> PageResponse[ExportLayoutView]:
    """Return the parser's export layouts, by name."""
    views = list_layouts(*call.team, parserId)
    return PageResponse[ExportLayoutView].of_page(page_of(views, page, limit))


@router.post(
    "/export-layouts",
    summary="Create an export layout",
    operation_id="exports.create_layout",
    status_code=201,
)
def create_one(parserId: ParserId, body: NewExportLayout, call: CurrentCall) -> ExportLayoutView:
    """Save a layout: columns with their order and headings, format, scope and table."""
    return create_layout(*call.team, parserId, body.sent_values(), call.actor)


@router.get("/export-layouts/{layoutId}", summary="Get an export layout", operation_id="exports.layout")
def get(parserId: ParserId, layoutId: LayoutId, call: CurrentCall) -> ExportLayoutView:
    """Return an export layout."""
    return get_layout(*call.team, parserId, layoutId)


@router.patch(
    "/export-layouts/{layoutId}",
    summary="Change an export layout",
    operation_id="exports.update_layout",
    responses=error_responses(409),
)
def update(
    parserId: ParserId, layoutId: LayoutId, body: ExportLayoutUpdate, call: CurrentCall
) -> ExportLayoutView:
    """Change the properties of an export layout that are sent."""
    return update_layout(*call.team, parserId, layoutId, body.sent_values(), call.actor)


@router.delete(
    "/export-layouts/{layoutId}", summary="Delete an export layout", operation_id="exports.delete_layout"
)
def delete(parserId: ParserId, layoutId: LayoutId, call: CurrentCall) -> Done:
    """Delete an export layout."""
    return Done(success=True, id=delete_layout(*call.team, parserId, layoutId, call.actor))


async def stored_link(
    parser_id: str, body: ExportBody, call: Call, lane: Lane, only_new: str | None = None
) -> tuple[ExportLink, StoredExport]:
    """Write an export to the file store; return the link to it, and what was stored."""
    work = partial(export_to_store, *call.team, parser_id, body.request(), call.actor, only_new)
    stored = await lane.run(call.team_id, work)
    return _link(call.inst, call.base_url, stored), stored


def _link(inst: Installation, base_url: str, export: StoredExport) -> ExportLink:
    return ExportLink.of(
        export.plan,
        success=True,
        file_name=export.name,
        document_count=len(export.written.document_ids),
        row_count=export.written.row_count,
        url=export_link(inst, base_url, export.id),
        expires_at=export.expires_at,
        skipped_documents=list(export.written.skipped) or None,
        warnings=list(export.written.warnings) or None,
    )
