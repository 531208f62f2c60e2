"""Lists and searches of documents."""

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
from docduck.api.route import GuardedRoute, may_use, needs, refuse_parser
from docduck.api.schemas.base import PageResponse
from docduck.api.schemas.documents import DocumentResponse, SearchBody, Sort
from docduck.service.accounts.caller import Caller
from docduck.service.core.installation import Installation
from docduck.service.core.property_types import Moment, Uuid
from docduck.service.documents.queries.finding import ResultPage, find_documents
from docduck.service.documents.queries.listing import find_team_documents
from docduck.service.search.query import ROOT, DocumentQuery
from docduck.statuses import Status

router = APIRouter(prefix="/parsers/{parserId}/documents", tags=["Documents"], route_class=GuardedRoute)

team_router = APIRouter(prefix="/documents", tags=["Documents"], route_class=GuardedRoute)

_READ = needs("documents:read")

Part = Annotated[str | None, Query(description="Part of the name or external id")]
Folder = Annotated[
    str | None,
    Query(
        alias="folderId",
        description="A folder's id; `root` for those in no folder",
        json_schema_extra={"anyOf": [{"type": "string", "format": "uuid"}, {"const": ROOT}]},
    ),
]
Subfolders = Annotated[
    bool, Query(alias="includeSubfolders", description="Include the folders below `folderId`")
]
Assignee = Annotated[Uuid | None, Query(alias="assigneeId")]
Stage = Annotated[
    Uuid | None, Query(alias="reviewStageId", description="Pending or in progress at this stage")
]
External = Annotated[str | None, Query(alias="externalId", description="Exactly this")]
CreatedFrom = Annotated[Moment | None, Query(alias="createdFrom", description="Inclusive")]
CreatedTo = Annotated[Moment | None, Query(alias="createdTo", description="Inclusive")]


@team_router.get(
    "",
    summary="List the team's documents",
    openapi_extra=_READ,
    responses=error_responses(503),
)
async def list_of_team(
    inst: Inst,
    caller: CurrentCaller,
    searches: Searches,
    parser_id: Annotated[
        Uuid | None, Query(alias="parserId", description="Only this parser's; of all parsers by default")
    ] = None,
    q: Part = None,
    status: Status | None = None,
    folder_id: Folder = None,
    include_subfolders: Subfolders = False,
    assignee_id: Assignee = None,
    review_stage_id: Stage = None,
    external_id: External = None,
    created_from: CreatedFrom = None,
    created_to: CreatedTo = None,
    sort: Sort = "createdAt.desc",
    page: PageNumber = 1,
    limit: Limit = 50,
) -> PageResponse[DocumentResponse]:
    """Return a page of the documents of all parsers; a key limited to parsers sees the documents of these."""
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
    page_ = partial(_team_page, inst, caller, parser_id, query)
    return await (run_in_threadpool(page_) if q is None else searches.run(caller.team_id, page_))


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
    q: Part = None,
    status: Status | None = None,
    folder_id: Folder = None,
    include_subfolders: Subfolders = False,
    assignee_id: Assignee = None,
    review_stage_id: Stage = None,
    external_id: External = None,
    created_from: CreatedFrom = None,
    created_to: CreatedTo = None,
    sort: Sort = "createdAt.desc",
    page: PageNumber = 1,
    limit: Limit = 50,
) -> PageResponse[DocumentResponse]:
    """Return a page of the parser's documents."""
    return await list_of_team(
        inst,
        caller,
        searches,
        parserId,
        q,
        status,
        folder_id,
        include_subfolders,
        assignee_id,
        review_stage_id,
        external_id,
        created_from,
        created_to,
        sort,
        page,
        limit,
    )


@router.post(
    "/search",
    summary="Search documents",
    openapi_extra=_READ,
    responses=error_responses(503),
)
async def search(
    parserId: ParserId, body: SearchBody, inst: Inst, caller: CurrentCaller, searches: Searches
) -> PageResponse[DocumentResponse]:
    """Return a page of the documents that match and have all words of `q` in name, external id or values.

    A filter is `{"field": "Total", "operator": "greater_than", "value": 100}`.
    """
    given = body.given()
    filters = given.pop("filters", None) or ()
    if "folder_id" in given and given["folder_id"] is None:
        given["folder_id"] = ROOT
    query = DocumentQuery(**given, filters=filters, in_values=True)
    return await searches.run(caller.team_id, partial(_page, inst, caller.team_id, parserId, query))


def _page(
    inst: Installation, team_id: str, parser_id: str, query: DocumentQuery
) -> PageResponse[DocumentResponse]:
    return _shown(find_documents(inst, team_id, parser_id, query))


def _team_page(
    inst: Installation, caller: Caller, parser_id: str | None, query: DocumentQuery
) -> PageResponse[DocumentResponse]:
    if parser_id is None:
        return _shown(find_team_documents(inst, caller.team_id, query, caller.parser_ids))
    if not may_use(caller, parser_id):
        refuse_parser(inst, caller.team_id, parser_id)
    return _page(inst, caller.team_id, parser_id, query)


def _shown(page: ResultPage) -> PageResponse[DocumentResponse]:
    return PageResponse[DocumentResponse].of_rows(page.rows, page.page, page.limit, page.total)
