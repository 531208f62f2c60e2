"""The inbox: documents by parser, folder, status and words, and actions on many documents."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.request.lanes import Searches
from docduck.api.route import require
from docduck.errors import InputError
from docduck.service.accounts.accounts import members
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.sessions import SignedIn
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page
from docduck.service.documents.bin.binning import bin_documents
from docduck.service.documents.bin.contents import batch_ids
from docduck.service.documents.document_changes import BulkChanges, update_documents
from docduck.service.documents.queries.document_views import DocumentRow, get_document
from docduck.service.documents.queries.duplicates import duplicate_ids
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.queries.human_work import human_work
from docduck.service.documents.queries.listing import find_team_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.folders import FolderView, list_folders
from docduck.service.parsers.parser_listing import parser_names
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.reviews.assigned import assigned_documents
from docduck.service.search.query import DocumentQuery
from docduck.statuses import IN_PROGRESS, Status
from docduck.web.page import last_page, page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.uploads.router import UPLOAD_LIMITS
from docduck.web.visit import CurrentMember, CurrentUser, UserForm, form_value, own_path

router = APIRouter(include_in_schema=False, route_class=PageRoute)

_LIMIT, _MOST_HELD = 50, 200
_MOST_SELECTED = 500

Text = Annotated[str, Query(max_length=1000)]
Number = Annotated[int, Query(alias="page", ge=1, le=1_000_000)]


@router.get("/documents")
async def inbox(
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    searches: Searches,
    parser: Text = "",
    status: Text = "",
    folder: Text = "",
    q: Text = "",
    duplicates: Text = "",
    number: Number = 1,
    deleted: Text = "",
) -> Response:
    """Return a page of the team's documents; ``deleted`` is the batch that was just put into the bin."""
    require(user, "documents:read")
    wanted = {"parser": parser, "status": status, "folder": folder, "q": q, "duplicates": duplicates}
    return await searches.run(
        user.team_id, lambda: _inbox(inst, signed_in, user, wanted, number, deleted=deleted)
    )


def _inbox(
    inst: Installation,
    signed_in: SignedIn,
    user: TeamUser,
    wanted: dict[str, str],
    number: int = 1,
    deleted: str = "",
) -> Response:
    chosen = get_parser(inst, user.team_id, wanted["parser"]) if wanted["parser"] else None
    rows = _rows(inst, user.team_id, chosen, wanted, number)
    folders: list[FolderView] = list(list_folders(inst, user.team_id, chosen.id)) if chosen else []
    link = partial(page_link, "/documents", **wanted)
    return page(
        "documents/inbox.html.j2",
        signed_in,
        rows=rows.rows,
        work=human_work(inst, user.team_id, [row.id for row in rows.rows]),
        duplicates=duplicate_ids(inst, user.team_id, [row.id for row in rows.rows]),
        deleted=deleted,
        deleted_count=len(batch_ids(inst, user.team_id, deleted)) if deleted else 0,
        total=rows.total,
        number=number,
        last=last_page(rows),
        link=link,
        here=link(page=number if number > 1 else None),
        wanted=wanted,
        names=parser_names(inst, user.team_id),
        chosen=chosen,
        folders=folders,
        statuses=[status.value for status in Status],
        members=members(inst, user.team_id),
        may_write="documents:write" in user.permissions,
        may_delete="documents:delete" in user.permissions,
        limits=UPLOAD_LIMITS,
        is_changing=any(row.status in IN_PROGRESS for row in rows.rows),
    )


def _rows(
    inst: Installation, team_id: str, parser: ParserView | None, wanted: dict[str, str], number: int
) -> Page[DocumentRow]:
    status, q = wanted["status"] or None, wanted["q"] or None
    query = DocumentQuery(
        q=q, status=status, page=number, limit=_LIMIT, duplicates=wanted["duplicates"] == "yes"
    )
    if parser is None:
        return find_team_documents(inst, team_id, query)
    query = replace(query, folder_id=wanted["folder"] or None, in_values=True)
    return find_documents(inst, team_id, parser.id, query)


@router.post("/documents")
def act(form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Read again, delete, move or assign the documents that were chosen."""
    ids = form.get("document", [])
    if not 1 <= len(ids) <= _MOST_SELECTED:
        raise InputError(f"Choose 1 to {_MOST_SELECTED} documents")
    match form_value(form, "action"):
        case "read-again":
            require(user, "documents:write")
            discard = form_value(form, "discard_corrections") == "yes"
            reprocess(inst, user.team_id, ids, user.actor, discard_corrections=discard)
        case "delete":
            require(user, "documents:delete")
            batch = bin_documents(inst, user.team_id, ids, user.actor)
            return RedirectResponse(_with(form_value(form, "next"), deleted=batch), 303)
        case "assign":
            require(user, "reviews:write")
            _change(inst, user, ids, {"assignee_id": form_value(form, "assignee") or None})
        case "move":
            require(user, "documents:write")
            _change(inst, user, ids, {"folder_id": form_value(form, "folder") or None})
        case _:
            raise InputError("Choose what to do with the documents")
    return RedirectResponse(_with(form_value(form, "next")), 303)


def _with(next: str, **values: object) -> str:
    """Return the address of the list with more values of its query."""
    address = urlsplit(own_path(next or "/documents"))
    return page_link(address.path, **dict(parse_qsl(address.query)), **values)


def _change(inst: Installation, user: TeamUser, ids: list[str], changes: BulkChanges) -> None:
    parser_id = get_document(inst, user.team_id, ids[0]).parser_id
    if parser_id is None:
        raise InputError("The documents are in no parser yet")
    done = update_documents(inst, user.team_id, parser_id, ids, (), changes, user.actor)
    if done.failed:
        failed = f"{len(done.failed)} not: {done.failed[0][1]}"
        raise InputError(f"{len(done.ids)} documents were changed, {failed}")


@router.get("/review")
def review(inst: Inst, signed_in: CurrentUser, user: CurrentMember, number: Number = 1) -> Response:
    """Return the documents that wait for the signed-in user, those that wait longest first."""
    require(user, "documents:read")
    waiting = assigned_documents(inst, user.team_id, user.user_id, page=number, limit=_LIMIT)
    return page(
        "documents/review.html.j2",
        signed_in,
        rows=waiting.rows,
        total=waiting.total,
        number=number,
        last=last_page(waiting),
        held=assigned_documents(inst, user.team_id, user.user_id, held=True, limit=_MOST_HELD),
        link=partial(page_link, "/review"),
    )
