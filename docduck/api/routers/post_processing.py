"""Post-processing of a parser, and its lookup tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Path, Request
from starlette.concurrency import run_in_threadpool

from docduck.api.request.body import read_limited
from docduck.api.request.current_caller import CurrentCall
from docduck.api.request.file_uploads import receive
from docduck.api.request.multipart import FILE_PARTS, ONE_FILE, Form
from docduck.api.request.params import Limit, PageNumber, ParserId
from docduck.api.response.openapi import error_responses
from docduck.api.route import ResourceRouter
from docduck.api.schemas.base import Done, PageResponse, ResponseModel
from docduck.errors import InputError, TooLarge
from docduck.service.core.installation import Installation
from docduck.service.core.pages import page_of
from docduck.service.parsers.lookup_tables import (
    MAX_LOOKUP_TABLE_BYTES,
    NAME,
    LookupTableView,
    delete_lookup_table,
    list_lookup_tables,
    put_lookup_table,
)
from docduck.service.parsers.parsers import get_parser
from docduck.service.parsers.post_processing import get_post_processing, set_post_processing
from docduck.service.parsers.step_schema import PostProcessingUpdate

router = ResourceRouter("/parsers/{parserId}", "Post-processing", read="parsers:read", write="parsers:write")

TableName = Annotated[str, Path(description="The lookup table's name", json_schema_extra={"pattern": NAME})]


class PostProcessingResponse(ResponseModel):
    """A parser's post-processing."""

    steps: list[dict[str, Any]]


_CSV = {"description": "UTF-8, separated by `,` or `;`, with a header line"}


@router.get("/post-processing", summary="Get the post-processing")
def get(parserId: ParserId, call: CurrentCall) -> PostProcessingResponse:
    """Return the steps that change extracted values, in their order."""
    return PostProcessingResponse(steps=get_post_processing(*call.team, parserId))


@router.put("/post-processing", summary="Set the post-processing", operation_id="post_processing.set")
def put(parserId: ParserId, body: PostProcessingUpdate, call: CurrentCall) -> PostProcessingResponse:
    """Replace all steps; documents that are processed from now on use them."""
    steps = set_post_processing(*call.team, parserId, body.steps, call.actor)
    return PostProcessingResponse(steps=steps)


@router.get("/lookup-tables", summary="List lookup tables", operation_id="post_processing.tables")
def list_tables(
    parserId: ParserId, call: CurrentCall, page: PageNumber = 1, limit: Limit = 50
) -> PageResponse[LookupTableView]:
    """Return the parser's lookup tables, by name."""
    views = list_lookup_tables(*call.team, parserId)
    return PageResponse[LookupTableView].of_page(page_of(views, page, limit))


@router.put(
    "/lookup-tables/{name}",
    summary="Create or replace a lookup table",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"text/csv": {"schema": _CSV}, "multipart/form-data": ONE_FILE},
        }
    },
    responses=error_responses(409),
)
async def put_table(
    parserId: ParserId, name: TableName, request: Request, call: CurrentCall
) -> LookupTableView:
    """Create or replace a lookup table from a CSV file; steps of post-processing look up its rows."""
    await run_in_threadpool(get_parser, *call.team, parserId)
    data = await _csv(request, call.inst)
    return await run_in_threadpool(put_lookup_table, *call.team, parserId, name, data, call.actor)


@router.delete("/lookup-tables/{name}", summary="Delete a lookup table", responses=error_responses(409))
def delete_table(parserId: ParserId, name: TableName, call: CurrentCall) -> Done:
    """Delete a lookup table that no step uses."""
    table_id = delete_lookup_table(*call.team, parserId, name, call.actor)
    return Done(success=True, id=table_id)


async def _csv(request: Request, inst: Installation) -> bytes:
    """Return the CSV file that is sent; raise InputError, TooLarge, BodyTooSlow."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":

        def prepare(form: Form) -> Callable[[], Any]:
            if len(form.files) != 1:
                raise InputError("Send exactly one file", FILE_PARTS[0])
            stored = form.files[0].stored
            if stored.size > MAX_LOOKUP_TABLE_BYTES:
                raise TooLarge("File too large")
            return lambda: inst.files.read_bytes(stored.sha256)

        data: bytes = await receive(request, inst, prepare)
        return data
    if kind != "text/csv":
        raise InputError("Send the table as text/csv, or as a file in multipart/form-data")
    return await read_limited(request, MAX_LOOKUP_TABLE_BYTES)
