"""Lists and searches of a parser's documents (spec.md, Documents; contract C16)."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Annotated, cast

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import Inst, Searches, Who
from docduck.api.request.params import Limit, Page, ParserId
from docduck.api.response.openapi_responses import answers
from docduck.api.response.responses import Json
from docduck.api.route import GuardedRoute, needs
from docduck.api.schemas.base import Listed, Moment, Uuid
from docduck.api.schemas.documents import DocumentRowShown, SearchBody, Sort, Status
from docduck.api.serializers.documents import row
from docduck.api.serializers.pages import page_of
from docduck.service.core.installation import Installation
from docduck.service.documents.finding import find_documents
from docduck.service.search.query import ROOT, DocumentQuery

router = APIRouter(prefix="/parsers/{parserId}/documents", tags=["Documents"], route_class=GuardedRoute)

_READ = needs("documents:read")


@router.get(
    "",
    summary="List documents",
    openapi_extra=_READ,
    responses=answers(Listed[DocumentRowShown], 503),
    response_model=None,
)
async def list_(
    parserId: ParserId,
    inst: Inst,
    who: Who,
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
        bool, Query(alias="includeSubfolders", description="Those in the folders below `folderId`, too")
    ] = False,
    assignee_id: Annotated[Uuid | None, Query(alias="assigneeId")] = None,
    review_stage_id: Annotated[
        Uuid | None, Query(alias="reviewStageId", description="Pending or in progress at this stage")
    ] = None,
    external_id: Annotated[str | None, Query(alias="externalId", description="Exactly this")] = None,
    created_from: Annotated[Moment | None, Query(alias="createdFrom", description="Inclusive")] = None,
    created_to: Annotated[Moment | None, Query(alias="createdTo", description="Inclusive")] = None,
    sort: Sort = "createdAt.desc",
    page: Page = 1,
    limit: Limit = 50,
) -> Json:
    """A page of the parser's documents."""
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
    page_ = partial(_page, inst, who.team_id, parserId, query)
    return await (run_in_threadpool(page_) if q is None else searches.run(who.team_id, page_))


@router.post(
    "/search",
    summary="Search documents",
    openapi_extra=_READ,
    responses=answers(Listed[DocumentRowShown], 409, 413, 503),
    response_model=None,
)
async def search(parserId: ParserId, body: SearchBody, inst: Inst, who: Who, searches: Searches) -> Json:
    """A page of the documents whose name, external id or values have all words of `q`, and that fit."""
    given = body.given()
    filters = given.pop("filters", None) or ()
    if "folder_id" in given and given["folder_id"] is None:
        given["folder_id"] = ROOT
    query = DocumentQuery(**given, filters=filters, in_values=True)
    return await searches.run(who.team_id, partial(_page, inst, who.team_id, parserId, query))


def _page(inst: Installation, team_id: str, parser_id: str, query: DocumentQuery) -> Json:
    found = find_documents(inst, team_id, parser_id.lower(), query)
    return Json(page_of([row(one) for one in found.rows], found.page, found.limit, found.total))
