"""The page of a document: its pages, its values, its review and its history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import BackgroundTasks, Depends, Query
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response

from docduck.api.request.lanes import PageViews
from docduck.api.response.file_headers import UNTRUSTED, content_disposition
from docduck.api.route import Route
from docduck.errors import Conflict, NotFound
from docduck.ids import is_uuid
from docduck.service.accounts.accounts import members
from docduck.service.core.installation import Installation
from docduck.service.corrections.former_results import may_undo
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.cancellation import cancel
from docduck.service.documents.document_changes import DocumentChanges, update_document
from docduck.service.documents.queries.document_lookup import names_of, teaching_documents
from docduck.service.documents.queries.document_views import (
    DocumentView,
    get_document,
    named_history,
    show_document,
)
from docduck.service.documents.queries.operations import run_of
from docduck.service.documents.reprocessing import human_work, reprocess
from docduck.service.outputs.file_exports import LinkedFile
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.explanations import explain_value
from docduck.service.previews.page_search import find_text
from docduck.service.previews.page_source import has_pages
from docduck.service.previews.page_views import WIDTHS, count_pages, page_picture, page_words
from docduck.service.previews.signed_links import linked_document, linked_file
from docduck.service.previews.thumbnails import thumbnail
from docduck.service.reviews import decisions
from docduck.service.reviews.concerns import concerns_of, earlier_reviewers
from docduck.service.reviews.holding import hold, take_up
from docduck.service.reviews.user_rights import has_approved, may_correct, may_decide, undoable_stage
from docduck.service.reviews.waiting import QueuePlace, queue_place
from docduck.statuses import IN_PROGRESS, Status
from docduck.web.documents.saving import next_path
from docduck.web.documents.shown_values import doubts_of, shown_fields
from docduck.web.member import Reader, Visit, of_member
from docduck.web.page import see_other
from docduck.web.page_route import PageRouter
from docduck.web.visit import UserForm, form_value

router = PageRouter("/documents")
pictures = PageRouter("/documents", route_class=Route)

_KEPT = {**UNTRUSTED, "Cache-Control": "private, max-age=3600"}
_MOST_HISTORY, _MOST_PARTS = 200, 50
_NO_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 4"/>'


@dataclass(frozen=True, slots=True)
class _Review(Visit):
    """A visit of a document by somebody who may review."""

    document: DocumentView

    @property
    def of_document(self) -> tuple[Installation, str, str, str]:
        """The installation and the ids of the team, the parser and the document."""
        return *self.team, str(self.document.parser_id), self.document.id

    def place(self) -> QueuePlace:
        return queue_place(*self.team, self.user.user_id, self.document.id)

    def go_on(self, before: QueuePlace) -> RedirectResponse:
        """Lead to the document that followed in the queue ``before`` the decision."""
        return see_other(next_path(self, self.document.id, before))

    def back(self) -> RedirectResponse:
        return see_other(f"/documents/{self.document.id}")


def _review(document_id: str, at: Annotated[Visit, of_member("reviews:write")]) -> _Review:
    return _Review(at.inst, at.signed_in, at.user, get_document(*at.team, document_id))


Review = Annotated[_Review, Depends(_review)]
Writer = Annotated[Visit, of_member("documents:write")]


@router.get("/{document_id}")
def show(document_id: str, at: Reader) -> Response:
    """Return a document's page."""
    document = get_document(*at.team, document_id)
    parser = get_parser(*at.team, document.parser_id) if document.parser_id else None
    is_failed = document.status is Status.FAILED
    schema = parser.fields if parser and (document.is_processed or is_failed) else ()
    teachers = teaching_documents(*at.team, document.field_metadata)
    fields, tables = shown_fields(
        schema,
        document.data,
        document.field_metadata,
        document.unsure_below,
        teachers,
        earlier_reviewers(document, at.user.user_id),
    )
    is_reading = document.status in IN_PROGRESS
    may_have_pages = has_pages(document.content_type) and not document.needs_password
    least_pages = 1 if document.is_processed or ((is_reading or is_failed) and may_have_pages) else 0
    mail = (document.source_detail or {}).get("mail")
    related = dict.fromkeys([*([mail] if mail else []), *document.parts[:_MOST_PARTS]])
    names = names_of(*at.team, related)
    return at.page(
        "documents/document.html.j2",
        document=document,
        parser=parser,
        fields=fields,
        tables=tables,
        doubts=doubts_of(fields, tables),
        place=queue_place(*at.team, at.user.user_id, document.id),
        may_correct=may_correct(at.user, document),
        may_decide=may_decide(at.user, document),
        may_undo=may_undo(at.inst, document.id, at.user.user_id),
        undoable_stage=undoable_stage(at.user, document),
        concerns=concerns_of(schema, document),
        may_write=at.may("documents:write"),
        members=members(*at.team),
        work=human_work(*at.team, [document.id]),
        run_of=run_of,
        learned=[
            (shown.field.name, shown.value.learned_from) for shown in fields if shown.value.learned_from
        ],
        history=named_history(*at.team, document.history[::-1][:_MOST_HISTORY]),
        page_count=document.page_count or least_pages,
        is_reading=is_reading,
        is_failed=is_failed,
        parts=[(id_, names[id_]) for id_ in related if id_ in names and id_ != document.id],
        more_parts=len(document.parts[_MOST_PARTS:]),
    )


@router.get("/{document_id}/why/{field_id}")
async def why(document_id: str, field_id: str, at: Reader, lane: PageViews) -> Response:
    """Return the sentences that explain a value."""
    told = await lane.run(at.user.team_id, lambda: explain_value(*at.team, None, document_id, field_id))
    return JSONResponse(told.sentences, headers={"Cache-Control": "no-store"})


@router.get("/{document_id}/reading")
def reading(document_id: str, at: Reader) -> Response:
    """Return, while a document waits or is read, how far it is."""
    document = show_document(*at.team, None, document_id)
    progress, waiting = document.progress, document.waiting
    message = f"{progress.pages_read} of {progress.pages} pages read" if progress else ""
    state = {
        "isRead": document.status not in IN_PROGRESS,
        "status": document.status,
        "message": message or (waiting.reason if waiting else ""),
    }
    return JSONResponse(state, headers={"Cache-Control": "no-store"})


@router.post("/{document_id}/approve")
def approve(form: UserForm, at: Review, after: BackgroundTasks) -> Response:
    """Approve the stage in progress, and go on to the reviewer's next document."""
    place = at.place()
    stage_id = form_value(form, "stage")
    if not has_approved(at.user, at.document, stage_id):
        fields = get_parser(*at.team, str(at.document.parser_id)).fields
        texts = concerns_of(fields, at.document).texts
        if texts and form_value(form, "despite") != "yes":
            raise Conflict(f"Look at it again and say that it is approved anyway: {texts[0]}")
        decisions.approve(*at.of_document, at.user.user_id, at.user.actor, stage_id or None)
    after.add_task(process_pending, at.inst)
    response = at.go_on(place)
    response.background = after
    return response


@router.post("/{document_id}/undo-approval")
def undo_approval(form: UserForm, at: Review) -> Response:
    """Undo the user's approval, as long as nothing has taken the document."""
    stage_id = form_value(form, "stage") or None
    decisions.undo_approval(*at.of_document, at.user.user_id, at.user.actor, stage_id)
    return at.back()


@router.post("/{document_id}/reject")
def reject(form: UserForm, at: Review) -> Response:
    """Reject the document, and go on to the reviewer's next one."""
    reason = form_value(form, "reason").strip() or None
    place = at.place()
    decisions.reject(*at.of_document, at.user.user_id, reason, at.user.actor)
    return at.go_on(place)


@router.post("/{document_id}/hold")
def set_aside(form: UserForm, at: Review) -> Response:
    """Set the document aside, and go on to the reviewer's next one."""
    following = at.place().following
    hold(*at.of_document, at.user.user_id, form_value(form, "note").strip())
    return see_other(f"/documents/{following}" if following else "/review")


@router.post("/{document_id}/take-up")
def take_up_again(form: UserForm, at: Review) -> Response:
    """Return a document that was set aside to the reviewer's queue."""
    take_up(*at.of_document, at.user.user_id)
    return at.back()


@router.post("/{document_id}/reset")
def reset(form: UserForm, at: Review) -> Response:
    """Start the review again."""
    decisions.reset(*at.of_document, at.user.user_id, at.user.actor)
    return at.back()


@router.post("/{document_id}/assign")
def assign(form: UserForm, at: Review) -> Response:
    """Assign the document to another member."""
    changes: DocumentChanges = {"assignee_id": form_value(form, "assignee") or None}
    update_document(*at.of_document, changes, at.user.actor)
    return at.back()


@router.post("/{document_id}/read-again")
def read_again(document_id: str, form: UserForm, at: Writer) -> Response:
    """Queue the document again, with the password that its file needs, if one is given."""
    document = get_document(*at.team, document_id)
    discard = form_value(form, "discard_corrections") == "yes"
    password = form_value(form, "password") or None
    reprocess(*at.team, [document.id], at.user.actor, discard_corrections=discard, password=password)
    return see_other(f"/documents/{document.id}")


@router.post("/{document_id}/cancel")
def cancel_reading(document_id: str, form: UserForm, at: Writer) -> Response:
    """Stop reading a document."""
    cancel(*at.team, [document_id], at.user.actor)
    return see_other(f"/documents/{document_id}")


@pictures.get("/{document_id}/thumbnail")
async def small_picture(document_id: str, at: Reader, lane: PageViews) -> Response:
    """Return a small picture of the document's first page; an empty one of what can't be drawn."""
    return await lane.run(at.user.team_id, lambda: _thumbnail(at, document_id))


def _thumbnail(at: Visit, document_id: str) -> Response:
    _require_mine(at, document_id)
    try:
        picture = thumbnail(at.inst, document_id)
    except NotFound:
        return Response(_NO_PICTURE, headers=_KEPT, media_type="image/svg+xml")
    return Response(picture, headers=_KEPT, media_type="image/jpeg")


def _require_mine(at: Visit, document_id: str) -> None:
    if not is_uuid(document_id) or linked_document(at.inst, document_id).team_id != at.user.team_id:
        raise NotFound("Document not found", "documentId", document_id)


@pictures.get("/{document_id}/original")
async def original(document_id: str, at: Reader) -> Response:
    """Return the document's file, to be downloaded."""

    def find_file() -> LinkedFile:
        _require_mine(at, document_id)
        return linked_file(at.inst, document_id)

    file = await run_in_threadpool(find_file)
    headers = {
        **UNTRUSTED,
        "Cache-Control": "no-store",
        "Content-Disposition": content_disposition("attachment", file.name),
    }
    return FileResponse(file.path, headers=headers, media_type=file.content_type)


@pictures.get("/{document_id}/pages/{number}/picture")
async def picture(
    document_id: str, number: int, at: Reader, lane: PageViews, width: Annotated[int, Query()] = WIDTHS[1]
) -> Response:
    """Return a page's picture."""
    webp = await lane.run(at.user.team_id, lambda: page_picture(*at.team, document_id, number, width))
    return Response(webp, headers=_KEPT, media_type="image/webp")


@pictures.get("/{document_id}/pages/{number}/words")
async def words(document_id: str, number: int, at: Reader, lane: PageViews) -> Response:
    """Return the words of a page with their boxes."""
    data = await lane.run(at.user.team_id, lambda: page_words(*at.team, document_id, number))
    return Response(data, headers=_KEPT, media_type="application/json")


@pictures.get("/{document_id}/pages/count")
async def count(document_id: str, at: Reader, lane: PageViews) -> dict[str, int]:
    """Return the number of pages, also of a document that is not read yet."""
    return {"count": await lane.run(at.user.team_id, lambda: count_pages(*at.team, document_id))}


@pictures.get("/{document_id}/find")
async def find(
    document_id: str,
    at: Reader,
    lane: PageViews,
    text: Annotated[str, Query(max_length=100)] = "",
    first: Annotated[int, Query(ge=1)] = 1,
) -> dict[str, Any]:
    """Return where a text is on some pages, as ``[page, left, top, width, height]``, and the next page."""
    part = await lane.run(at.user.team_id, lambda: find_text(*at.team, document_id, text, first))
    boxes = [(word.page, word.box.left, word.box.top, word.box.width, word.box.height) for word in part.found]
    return {"hits": boxes, "next": part.next_page}
