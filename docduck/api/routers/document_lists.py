"""Lists and searches of a parser's documents."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Annotated, cast

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import CurrentCaller, Inst
from docduck.api.request.lanes import Searches
from docduck.api.request.params import Limit, PageNumber, ParserId
from docduck.api.response.openapi_responses import error_responses
from docduck.api.route import GuardedRoute, needs
from docduck.api.schemas.base import Moment, PageResponse, Uuid
from docduck.api.schemas.documents import DocumentResponse, SearchBody, Sort
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.finding import find_documents
from docduck.service.search.query import ROOT, DocumentQuery
from docduck.statuses import Status

router = APIRouter(prefix="/parsers/{parserId}/documents", tags=["Documents"], route_class=GuardedRoute)

_READ = needs("documents:read")


@router.get(
    "",
    summary="List documents",
    openapi_extra=_READ,
    responses=error_responses(503),
)
async def list_(
    parserId: ParserId,
    inst: Inst,
    caller: CurrentCaller,
    searches: Searches,
    q: Annotated[str | None, Query(description="Part of the name or external id")] = None,
    status: Status | None = None,
    folder_id: Annotated[
        str | None,
        Query(
            alias="folderId",
            description="A folder's id; `root` for those in no folder",
            json_schema_extra={"anyOf": [{"type": "string", "format": "uuid"}, {"const": ROOT}]},
        ),
    ] = None,
    include_subfolders: Annotated[
        bool, Query(alias="includeSubfolders", description="Include the folders below `folderId`")
    ] = False,
    assignee_id: Annotated[Uuid | None, Query(alias="assigneeId")] = None,
    review_stage_id: Annotated[
        Uuid | None, Query(alias="reviewStageId", description="Pending or in progress at this stage")
    ] = None,
    external_id: Annotated[str | None, Query(alias="externalId", description="Exactly this")] = None,
    created_from: Annotated[Moment | None, Query(alias="createdFrom", description="Inclusive")] = None,
    created_to: Annotated[Moment | None, Query(alias="createdTo", description="Inclusive")] = None,
    sort: Sort = "createdAt.desc",
    page: PageNumber = 1,
    limit: Limit = 50,
) -> PageResponse[DocumentResponse]:
    """Return a page of the parser's documents."""
    query = DocumentQuery(
        q=q,
        status=status,
        folder_id=None if folder_id is None else folder_id.lower(),
        include_subfolders=include_subfolders,
        assignee_id=assignee_id,
        review_stage_id=review_stage_id,
        external_id=external_id,
        created_from=cast(dt.datetime | None, created_from),
        created_to=cast(dt.datetime | None, created_to),
        sort=sort,
        page=page,
        limit=limit,
    )
    page_ = partial(_page, inst, caller.team_id, parserId, query)
    return await (run_in_threadpool(page_) if q is None else searches.run(caller.team_id, page_))


@router.post(
    "/search",
    summary="Search documents",
    openapi_extra=_READ,
    responses=error_responses(409, 413, 503),
)
async def search(
    parserId: ParserId, body: SearchBody, inst: Inst, caller: CurrentCaller, searches: Searches
) -> PageResponse[DocumentResponse]:
    """Return a page of the documents that match and have all words of `q` in name, external id or values."""
    given = body.given()
    filters = given.pop("filters", None) or ()
    if "folder_id" in given and given["folder_id"] is None:
        given["folder_id"] = ROOT
    query = DocumentQuery(**given, filters=filters, in_values=True)
    return await searches.run(caller.team_id, partial(_page, inst, caller.team_id, parserId, query))


def _page(
    inst: Installation, team_id: str, parser_id: str, query: DocumentQuery
) -> PageResponse[DocumentResponse]:
    found = find_documents(inst, team_id, parser_id.lower(), query)
    return PageResponse[DocumentResponse].of_rows(found.rows, found.page, found.limit, found.total)
