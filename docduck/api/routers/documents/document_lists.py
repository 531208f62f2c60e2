"""Lists and searches of documents."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import Query
from pydantic import AfterValidator, Field
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import Call, CurrentCall
from docduck.api.request.lane import Lane
from docduck.api.request.lanes import Searches
from docduck.api.request.params import Limit, PageNumber, ParserId, QueryParameters
from docduck.api.response.openapi import error_responses
from docduck.api.route import ResourceRouter, listed_parsers, may_use, refuse_parser
from docduck.api.schemas.base import CursorPage
from docduck.api.schemas.documents import (
    Cursor,
    DocumentResponse,
    Include,
    SearchBody,
    UpdatedFrom,
    UpdatedTo,
)
from docduck.errors import InputError
from docduck.service.core.pages import Sort
from docduck.service.core.property_types import INCLUSIVE_END, LowerBound, UpperBound, Uuid
from docduck.service.documents.deletion_log import DeletionView, list_deletions
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.queries.listing import find_team_documents
from docduck.service.search.query import ROOT, DocumentQuery
from docduck.statuses import Status

router = ResourceRouter(
    "/parsers/{parserId}/documents", "Documents", read="documents:read", write="documents:read"
)

team_router = ResourceRouter("/documents", "Documents", read="documents:read")


class DocumentList(QueryParameters):
    """The parameters of a list of documents."""

    q: str | None = Field(None, description="Part of the name or external id")
    status: Status | None = None
    folder_id: Annotated[str, AfterValidator(str.lower)] | None = Field(
        None,
        description="A folder's id; `root` for those in no folder",
        json_schema_extra={"anyOf": [{"type": "string", "format": "uuid"}, {"const": ROOT}]},
    )
    include_subfolders: bool = Field(False, description="Include the folders below `folderId`")
    assignee_id: Uuid | None = None
    review_stage_id: Uuid | None = Field(None, description="Pending or in progress at this stage")
    external_id: str | None = Field(None, description="Exactly this")
    created_from: LowerBound | None = Field(None, description="Inclusive")
    created_to: UpperBound | None = Field(None, description=INCLUSIVE_END)
    updated_from: UpdatedFrom = None
    updated_to: UpdatedTo = None
    sort: Sort = "createdAt.desc"
    page: PageNumber = 1
    limit: Limit = 50
    cursor: Cursor = None
    include: Include = None


class OfParser(QueryParameters):
    """The parameter that limits a list to a parser."""

    parser_id: Uuid | None = Field(None, description="Only this parser's; of all parsers by default")


class TeamDocumentList(DocumentList, OfParser):
    """The parameters of a list of a team's documents."""


@team_router.get("", summary="List the team's documents", responses=error_responses(503))
async def list_of_team(
    call: CurrentCall, searches: Searches, query: Annotated[TeamDocumentList, Query()]
) -> CursorPage[DocumentResponse]:
    """Return a page of the documents of all parsers; a key limited to parsers sees the documents of these."""
    return await _list(call, searches, **query.sent_values())


class DeletionList(OfParser):
    """The parameters of the list of deleted documents."""

    since: LowerBound | None = Field(None, description="Only deletions at this moment or later")
    limit: Limit = 50
    cursor: Cursor = None


@team_router.get("/deletions", summary="List deleted documents")
def deletions(call: CurrentCall, query: Annotated[DeletionList, Query()]) -> CursorPage[DeletionView]:
    """Return the ids of documents that were deleted, themselves or with their parser, the oldest first.

    They are listed for as long as the bin keeps documents, and at least for 30 days; a document that is
    restored is not listed any more.
    """
    sent = query.sent_values()
    only = listed_parsers(call.caller, sent.pop("parser_id", None))
    return CursorPage[DeletionView].of_page(list_deletions(*call.team, **sent, only=only))


@router.get("", summary="List documents", responses=error_responses(503))
async def list_(
    parserId: ParserId, call: CurrentCall, searches: Searches, query: Annotated[DocumentList, Query()]
) -> CursorPage[DocumentResponse]:
    """Return a page of the parser's documents."""
    return await _list(call, searches, parserId, **query.sent_values())


@router.post("/search", summary="Search documents", responses=error_responses(503))
async def search(
    parserId: ParserId, body: SearchBody, call: CurrentCall, searches: Searches
) -> CursorPage[DocumentResponse]:
    """Return a page of the documents that match and have all words of `q` in name, external id or values.

    A filter is `{"field": "Total", "operator": "greater_than", "value": 100}`. A server with
    `DOCDUCK_SEARCH_DAYS` finds older documents by their names, statuses, dates and other properties alone.
    """
    properties = body.sent_values()
    filters = properties.pop("filters", None) or ()
    if "folder_id" in properties and properties["folder_id"] is None:
        properties["folder_id"] = ROOT
    query = _query(properties, filters=filters, in_values=True)
    return await searches.run(call.team_id, partial(_page, call, parserId, query))


async def _list(
    call: Call, searches: Lane, parser_id: str | None = None, **listed: Any
) -> CursorPage[DocumentResponse]:
    query = _query(listed)
    page = partial(_page, call, parser_id, query)
    return await (run_in_threadpool(page) if query.q is None else searches.run(call.team_id, page))


def _page(call: Call, parser_id: str | None, query: DocumentQuery) -> CursorPage[DocumentResponse]:
    if parser_id is None:
        page = find_team_documents(*call.team, query, call.caller.parser_ids)
    else:
        if not may_use(call.caller, parser_id):
            refuse_parser(*call.team, parser_id)
        page = find_documents(*call.team, parser_id, query)
    return CursorPage[DocumentResponse].of_page(page)


def _query(sent: dict[str, Any], **more: Any) -> DocumentQuery:
    """Return the query of what was sent; raise InputError for both a page and a cursor."""
    if {"page", "cursor"} <= sent.keys():
        raise InputError("Provide either page or cursor, not both", "cursor")
    with_data = sent.pop("include", None) == "data"
    return DocumentQuery(**sent, **more, with_data=with_data)
