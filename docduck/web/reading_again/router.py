"""After a lesson: the documents that look alike, what reading them again would change, and doing so."""

from __future__ import annotations

from fastapi import APIRouter, BackgroundTasks
from starlette.responses import JSONResponse, RedirectResponse, Response

from docduck.api.request.current_caller import Inst
from docduck.api.request.lanes import Evaluations
from docduck.api.route import require
from docduck.errors import InputError
from docduck.service.corrections.lesson_reach import undecided_documents
from docduck.service.corrections.pending_corrections import is_pending, process_pending
from docduck.service.documents.queries.document_views import show_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.parsers.parsers import get_parser
from docduck.service.previews.lesson_effects import has_taught, lesson_effect
from docduck.web.page import page, page_link
from docduck.web.page_route import PageRoute
from docduck.web.visit import CurrentMember, CurrentUser, UserForm

router = APIRouter(
    prefix="/parsers/{parser_ref}/alike/{document_id}", include_in_schema=False, route_class=PageRoute
)

_MOST_DOCUMENTS = 100


@router.get("")
def show(
    parser_ref: str,
    document_id: str,
    inst: Inst,
    signed_in: CurrentUser,
    user: CurrentMember,
    after: BackgroundTasks,
) -> Response:
    """Return the documents that can use what was learned from one; a script asks for the effect on each."""
    require(user, "documents:write")
    parser = get_parser(inst, user.team_id, parser_ref)
    document = show_document(inst, user.team_id, parser.id, document_id)
    after.add_task(process_pending, inst)
    taught = has_taught(inst, user.team_id, parser.id, document.id)
    others = undecided_documents(inst, user.team_id, parser.id, document.id, _MOST_DOCUMENTS + 1)
    response = page(
        "reading_again/alike.html.j2",
        signed_in,
        parser=parser,
        document=document,
        waits=is_pending(inst, document.id),
        taught=taught,
        others=others[:_MOST_DOCUMENTS],
        is_more=len(others) > _MOST_DOCUMENTS,
        tab="lessons",
        section="parsers",
    )
    response.background = after
    return response


@router.get("/{other_id}")
async def effect(
    parser_ref: str, document_id: str, other_id: str, inst: Inst, user: CurrentMember, lane: Evaluations
) -> Response:
    """Return what reading another document again would change."""
    require(user, "documents:write")
    team_id = user.team_id

    def read() -> dict[str, object]:
        parser = get_parser(inst, team_id, parser_ref)
        found = lesson_effect(inst, team_id, parser.id, document_id, other_id)
        return {
            "isAlike": found.is_alike,
            "changes": [[one.place, one.before, one.after] for one in found.changes],
            "leftOut": found.left_out,
        }

    return JSONResponse(await lane.run(team_id, read), headers={"Cache-Control": "no-store"})


@router.post("")
def read_again(
    parser_ref: str, document_id: str, form: UserForm, inst: Inst, user: CurrentMember
) -> Response:
    """Queue the chosen documents again."""
    require(user, "documents:write")
    parser = get_parser(inst, user.team_id, parser_ref)
    ids = form.get("document", [])
    if not 1 <= len(ids) <= _MOST_DOCUMENTS:
        raise InputError(f"Choose 1 to {_MOST_DOCUMENTS} documents")
    for one in ids:
        show_document(inst, user.team_id, parser.id, one)
    reprocess(inst, user.team_id, ids, user.actor)
    return RedirectResponse(page_link("/documents", parser=parser.slug), 303)
