"""The list of documents, and what waits for one's review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from fastapi import Request
from starlette.responses import JSONResponse, Response

from docduck.api.request.lanes import Searches
from docduck.api.route import Route
from docduck.fields import Field
from docduck.service.accounts.accounts import members
from docduck.service.core.pages import Page
from docduck.service.corrections.entered_values import shown_text
from docduck.service.documents.bin.contents import batch_ids
from docduck.service.documents.queries.document_views import DocumentRow
from docduck.service.documents.queries.duplicates import duplicate_ids
from docduck.service.documents.queries.finding import find_document_ids, find_documents
from docduck.service.documents.queries.listing import (
    find_team_document_ids,
    find_team_documents,
    listed_values,
)
from docduck.service.documents.reprocessing import human_work
from docduck.service.documents.saved_views import list_views
from docduck.service.folders import FolderView, list_folders
from docduck.service.outputs.originals import MOST_FILES
from docduck.service.parsers.parser_listing import parser_names
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.reviews.waiting import assigned_documents
from docduck.statuses import IN_PROGRESS, Status
from docduck.web.documents.list_query import LIMIT, OPERATORS, ListQuery, listed_fields
from docduck.web.member import Reader, Visit
from docduck.web.page import PageNumber, page_link
from docduck.web.page_route import PageRouter
from docduck.web.uploads.router import UPLOAD_LIMITS

router = PageRouter()
selection = PageRouter(route_class=Route)

_MOST_HELD = 200
_YEAR = 365 * 86_400


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the list that shows a field."""

    field: Field
    sort: str

    def text(self, values: Mapping[str, object]) -> str:
        """Return the field's value in a document."""
        return shown_text(self.field, values.get(str(self.field.id))).replace("\n", ", ")


@router.get("/documents")
async def inbox(request: Request, at: Reader, searches: Searches) -> Response:
    """Return a page of the team's documents; ``deleted`` is the batch that was just put into the bin."""
    query = ListQuery.of(request.query_params)
    deleted = request.query_params.get("deleted", "")
    return await searches.run(at.user.team_id, lambda: _inbox(at, query, deleted, request.cookies))


def _inbox(at: Visit, query: ListQuery, deleted: str, cookies: Mapping[str, str]) -> Response:
    parser = get_parser(*at.team, query["parser"]) if query["parser"] else None
    if query.columns_of and (parser is None or query.columns_of != parser.id):
        query = replace(query, columns=None)
    rows = _rows(at, parser, query)
    ids = [row.id for row in rows.rows]
    columns = _columns(parser, query, cookies)
    folders: list[FolderView] = list(list_folders(*at.team, parser.id)) if parser else []
    answer = at.page(
        "documents/inbox.html.j2",
        listed=rows,
        work=human_work(*at.team, ids),
        duplicates=duplicate_ids(*at.team, ids),
        values=listed_values(*at.team, ids, [str(column.field.id) for column in columns]),
        columns=columns,
        bin_days=at.inst.settings.bin_days,
        deleted=deleted,
        deleted_count=len(batch_ids(*at.team, deleted)) if deleted else 0,
        query=query,
        text=replace(query, columns=tuple(str(column.field.id) for column in columns) or query.columns).text,
        link=query.link,
        here=query.link(page=query.number if query.number > 1 else ""),
        names=parser_names(*at.team),
        chosen=parser,
        fields=listed_fields(parser.fields) if parser else [],
        operators=OPERATORS,
        folders=folders,
        statuses=[status.value for status in Status],
        members=members(*at.team),
        views=list_views(*at.team, at.user.user_id),
        may_write=at.may("documents:write"),
        may_delete=at.may("documents:delete"),
        limits=UPLOAD_LIMITS,
        most_files=MOST_FILES,
        is_changing=any(row.status in IN_PROGRESS for row in rows.rows),
    )
    if parser is not None and query.columns is not None:
        chosen = ".".join(str(column.field.id) for column in columns)
        answer.set_cookie(
            _cookie(parser), chosen, max_age=_YEAR, path="/documents", httponly=True, samesite="lax"
        )
    return answer


def _rows(at: Visit, parser: ParserView | None, query: ListQuery) -> Page[DocumentRow]:
    if parser is None:
        return find_team_documents(*at.team, query.document_query(None))
    return find_documents(*at.team, parser.id, query.document_query(parser.fields))


def _columns(parser: ParserView | None, query: ListQuery, cookies: Mapping[str, str]) -> list[Column]:
    """Return the columns that the address names, or else those that the user chose last."""
    if parser is None:
        return []
    chosen = query.columns if query.columns is not None else cookies.get(_cookie(parser), "").split(".")
    fields = {str(field.id): field for field in listed_fields(parser.fields)}
    return [Column(fields[id_], f"field:{id_}") for id_ in dict.fromkeys(chosen) if id_ in fields]


def _cookie(parser: ParserView) -> str:
    return f"columns-{parser.id}"


@selection.get("/documents/selection")
async def selected(request: Request, at: Reader, searches: Searches) -> Response:
    """Return the ids of all documents of a list, and how many have approvals or corrected values."""
    query = ListQuery.of(request.query_params)
    return await searches.run(at.user.team_id, lambda: JSONResponse(_selected(at, query)))


def _selected(at: Visit, query: ListQuery) -> dict[str, object]:
    if query["parser"]:
        parser = get_parser(*at.team, query["parser"])
        ids = find_document_ids(*at.team, parser.id, query.document_query(parser.fields))
    else:
        ids = find_team_document_ids(*at.team, query.document_query(None))
    work = human_work(*at.team, ids)
    return {"ids": ids, "approved": len(work.approved), "corrected": len(work.corrected)}


@router.get("/review")
def review(at: Reader, number: PageNumber = 1) -> Response:
    """Return the documents that wait for the signed-in user, those that wait longest first."""
    return at.page(
        "documents/review.html.j2",
        waiting=assigned_documents(*at.team, at.user.user_id, page=number, limit=LIMIT),
        held=assigned_documents(*at.team, at.user.user_id, held=True, limit=_MOST_HELD),
        link=partial(page_link, "/review"),
    )
