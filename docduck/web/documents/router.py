"""The page of a document: its pages, its values, its review and its history."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, BackgroundTasks, Query
from starlette.responses import JSONResponse, RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.request.lanes import PageViews
from docduck.api.response.file_headers import UNTRUSTED
from docduck.api.route import Route, require
from docduck.errors import NotFound
from docduck.ids import is_uuid
from docduck.service.accounts.accounts import members
from docduck.service.accounts.caller import TeamUser
from docduck.service.core.installation import Installation
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.cancellation import cancel
from docduck.service.documents.document_changes import DocumentChanges, update_document
from docduck.service.documents.queries.document_views import (
    DocumentView,
    get_document,
    named_history,
    show_document,
)
from docduck.service.documents.queries.operations import run_of
from docduck.service.documents.queries.teaching_documents import teaching_documents
from docduck.service.documents.reprocessing import human_work, reprocess
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.page_search import find_text
from docduck.service.previews.page_source import has_pages
from docduck.service.previews.page_views import WIDTHS, count_pages, page_picture, page_words
from docduck.service.previews.signed_links import linked_document
from docduck.service.previews.thumbnails import thumbnail
from docduck.service.reviews import decisions
from docduck.service.reviews.assigned import queue_place
from docduck.service.reviews.holding import hold, take_up
from docduck.service.reviews.user_rights import has_approved, may_correct, may_decide
from docduck.statuses import IN_PROGRESS
from docduck.web.documents.next_document import next_path
from docduck.web.documents.shown_values import doubts_of, shown_fields
from docduck.web.page import page
from docduck.web.page_route import PageRoute
from docduck.web.visit import CurrentMember, CurrentUser, UserForm, form_value

router = APIRouter(prefix="/documents", include_in_schema=False, route_class=PageRoute)
pictures = APIRouter(prefix="/documents", include_in_schema=False, route_class=Route)

_KEPT = {**UNTRUSTED, "Cache-Control": "private, max-age=3600"}
_MOST_HISTORY = 200
_NO_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 4"/>'


@router.get("/{document_id}")
def show(document_id: str, inst: Inst, signed_in: CurrentUser, user: CurrentMember) -> Response:
    """Return a document's page."""
    require(user, "documents:read")
    document = get_document(inst, user.team_id, document_id)
    parser = get_parser(inst, user.team_id, document.parser_id) if document.parser_id else None
    shown = parser.fields if parser and document.is_processed else ()
    teachers = teaching_documents(inst, user.team_id, document.field_metadata)
    fields, tables = shown_fields(
        shown, document.data, document.field_metadata, document.unsure_below, teachers
    )
    is_reading = document.status in IN_PROGRESS
    least_pages = 1 if document.is_processed or (is_reading and has_pages(document.content_type)) else 0
    return page(
        "documents/document.html.j2",
        signed_in,
        document=document,
        parser=parser,
        fields=fields,
        tables=tables,
        doubts=doubts_of(fields, tables),
        place=queue_place(inst, user.team_id, user.user_id, document.id),
        may_correct=may_correct(user, document),
        may_decide=may_decide(user, document),
        may_write="documents:write" in user.permissions,
        members=members(inst, user.team_id),
        work=human_work(inst, user.team_id, [document.id]),
        run_of=run_of,
        learned=[(field.name, field.value.learned_from) for field in fields if field.value.learned_from],
        history=named_history(inst, user.team_id, document.history[::-1][:_MOST_HISTORY]),
        page_count=document.page_count or least_pages,
        is_reading=is_reading,
    )


@router.get("/{document_id}/reading")
def reading(document_id: str, inst: Inst, user: CurrentMember) -> Response:
    """Return, while a document waits or is read, how far it is."""
    require(user, "documents:read")
    document = show_document(inst, user.team_id, None, document_id)
    progress, waiting = document.progress, document.waiting
    told = f"{progress.pages_read} of {progress.pages} pages read" if progress else ""
    found = {
        "isRead": document.status not in IN_PROGRESS,
        "status": document.status,
        "told": told or (waiting.reason if waiting else ""),
    }
    return JSONResponse(found, headers={"Cache-Control": "no-store"})


@router.post("/{document_id}/approve")
def approve(
    document_id: str, form: UserForm, inst: Inst, user: CurrentMember, after: BackgroundTasks
) -> Response:
    """Approve the stage in progress, and go on to the reviewer's next document."""
    document = _reviewed(inst, user, document_id)
    place = queue_place(inst, user.team_id, user.user_id, document.id)
    stage_id, ids = form_value(form, "stage"), (inst, user.team_id, str(document.parser_id), document.id)
    if not has_approved(user, document, stage_id):
        decisions.approve(*ids, user.user_id, user.actor, stage_id or None)
    after.add_task(process_pending, inst)
    return RedirectResponse(next_path(inst, user, document.id, place), 303, background=after)


@router.post("/{document_id}/reject")
def reject(document_id: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Reject the document, and go on to the reviewer's next one."""
    document = _reviewed(inst, user, document_id)
    reason = form_value(form, "reason").strip() or None
    place = queue_place(inst, user.team_id, user.user_id, document.id)
    decisions.reject(
        inst, user.team_id, str(document.parser_id), document.id, user.user_id, reason, user.actor
    )
    return RedirectResponse(next_path(inst, user, document.id, place), 303)


@router.post("/{document_id}/hold")
def set_aside(document_id: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Set the document aside, and go on to the reviewer's next one."""
    document = _reviewed(inst, user, document_id)
    place = queue_place(inst, user.team_id, user.user_id, document.id)
    note = form_value(form, "note").strip()
    hold(inst, user.team_id, str(document.parser_id), document.id, user.user_id, note)
    following = place.following
    return RedirectResponse(f"/documents/{following}" if following else "/review", 303)


@router.post("/{document_id}/take-up")
def take_up_again(document_id: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Return a document that was set aside to the reviewer's queue."""
    document = _reviewed(inst, user, document_id)
    take_up(inst, user.team_id, str(document.parser_id), document.id, user.user_id)
    return RedirectResponse(f"/documents/{document.id}", 303)


@router.post("/{document_id}/reset")
def reset(document_id: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Start the review again."""
    document = _reviewed(inst, user, document_id)
    decisions.reset(inst, user.team_id, str(document.parser_id), document.id, user.user_id, user.actor)
    return RedirectResponse(f"/documents/{document.id}", 303)


@router.post("/{document_id}/assign")
def assign(document_id: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Assign the document to another member."""
    document = _reviewed(inst, user, document_id)
    changes: DocumentChanges = {"assignee_id": form_value(form, "assignee") or None}
    update_document(inst, user.team_id, str(document.parser_id), document.id, changes, user.actor)
    return RedirectResponse(f"/documents/{document.id}", 303)


@router.post("/{document_id}/read-again")
def read_again(document_id: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Queue the document again."""
    require(user, "documents:write")
    document = get_document(inst, user.team_id, document_id)
    discard = form_value(form, "discard_corrections") == "yes"
    reprocess(inst, user.team_id, [document.id], user.actor, discard_corrections=discard)
    return RedirectResponse(f"/documents/{document.id}", 303)


@router.post("/{document_id}/cancel")
def cancel_reading(document_id: str, form: UserForm, inst: Inst, user: CurrentMember) -> Response:
    """Stop reading a document."""
    require(user, "documents:write")
    cancel(inst, user.team_id, [document_id], user.actor)
    return RedirectResponse(f"/documents/{document_id}", 303)


@pictures.get("/{document_id}/thumbnail")
async def small_picture(document_id: str, inst: Inst, user: CurrentMember, lane: PageViews) -> Response:
    """Return a small picture of the document's first page; an empty one of what can't be drawn."""
    require(user, "documents:read")
    return await lane.run(user.team_id, lambda: _thumbnail(inst, user.team_id, document_id))


def _thumbnail(inst: Installation, team_id: str, document_id: str) -> Response:
    if not is_uuid(document_id) or linked_document(inst, document_id).team_id != team_id:
        raise NotFound("Document not found", "documentId", document_id)
    try:
        picture = thumbnail(inst, document_id)
    except NotFound:
        return Response(_NO_PICTURE, headers=_KEPT, media_type="image/svg+xml")
    return Response(picture, headers=_KEPT, media_type="image/jpeg")


@pictures.get("/{document_id}/pages/{number}/picture")
async def picture(
    document_id: str,
    number: int,
    inst: Inst,
    user: CurrentMember,
    lane: PageViews,
    width: Annotated[int, Query()] = WIDTHS[1],
) -> Response:
    """Return a page's picture."""
    require(user, "documents:read")
    webp = await lane.run(user.team_id, lambda: page_picture(inst, user.team_id, document_id, number, width))
    return Response(webp, headers=_KEPT, media_type="image/webp")


@pictures.get("/{document_id}/pages/{number}/words")
async def words(document_id: str, number: int, inst: Inst, user: CurrentMember, lane: PageViews) -> Response:
    """Return the words of a page with their boxes."""
    require(user, "documents:read")
    data = await lane.run(user.team_id, lambda: page_words(inst, user.team_id, document_id, number))
    return Response(data, headers=_KEPT, media_type="application/json")


@pictures.get("/{document_id}/pages/count")
async def count(document_id: str, inst: Inst, user: CurrentMember, lane: PageViews) -> dict[str, int]:
    """Return the number of pages, also of a document that is not read yet."""
    require(user, "documents:read")
    return {"count": await lane.run(user.team_id, lambda: count_pages(inst, user.team_id, document_id))}


@pictures.get("/{document_id}/find")
async def find(
    document_id: str,
    inst: Inst,
    user: CurrentMember,
    lane: PageViews,
    text: Annotated[str, Query(max_length=100)] = "",
    first: Annotated[int, Query(ge=1)] = 1,
) -> dict[str, Any]:
    """Return where a text is on some pages, as ``[page, left, top, width, height]``, and the next page."""
    require(user, "documents:read")
    part = await lane.run(user.team_id, lambda: find_text(inst, user.team_id, document_id, text, first))
    found = [(one.page, one.box.left, one.box.top, one.box.width, one.box.height) for one in part.found]
    return {"found": found, "next": part.next_page}


def _reviewed(inst: Installation, user: TeamUser, document_id: str) -> DocumentView:
    require(user, "reviews:write")
    return get_document(inst, user.team_id, document_id)
