"""After a lesson: the documents that look alike, what reading them again would change, and doing so."""

from __future__ import annotations

from typing import Annotated

from fastapi import BackgroundTasks
from starlette.responses import JSONResponse, Response

from docduck.api.request.lanes import Evaluations
from docduck.errors import InputError
from docduck.service.corrections.lesson_reach import undecided_documents
from docduck.service.corrections.pending_corrections import is_pending, process_pending
from docduck.service.documents.queries.document_views import show_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.previews.lesson_effects import has_taught, lesson_effect
from docduck.web.member import ParserVisit, of_parser
from docduck.web.page import see_other
from docduck.web.page_route import PageRouter
from docduck.web.visit import UserForm

router = PageRouter("/parsers/{parser_ref}/alike/{document_id}")

_MOST_DOCUMENTS = 100

Writer = Annotated[ParserVisit, of_parser("documents:write")]


@router.get("")
def show(document_id: str, at: Writer, after: BackgroundTasks) -> Response:
    """Return the documents that can use what was learned from one; a script asks for the effect on each."""
    document = show_document(*at.of_parser, document_id)
    after.add_task(process_pending, at.inst)
    taught = has_taught(*at.of_parser, document.id)
    others = undecided_documents(*at.of_parser, document.id, _MOST_DOCUMENTS + 1)
    response = at.page(
        "reading_again/alike.html.j2",
        document=document,
        waits=is_pending(at.inst, document.id),
        taught=taught,
        others=others[:_MOST_DOCUMENTS],
        is_more=len(others) > _MOST_DOCUMENTS,
    )
    response.background = after
    return response


@router.get("/{other_id}")
async def effect(document_id: str, other_id: str, at: Writer, lane: Evaluations) -> Response:
    """Return what reading another document again would change."""

    def read() -> dict[str, object]:
        outcome = lesson_effect(*at.of_parser, document_id, other_id)
        return {
            "isAlike": outcome.is_alike,
            "changes": [[change.place, change.before, change.after] for change in outcome.changes],
            "leftOut": outcome.left_out,
        }

    return JSONResponse(await lane.run(at.user.team_id, read), headers={"Cache-Control": "no-store"})


@router.post("")
def read_again(form: UserForm, at: Writer) -> Response:
    """Queue the chosen documents again."""
    ids = form.get("document", [])
    if not 1 <= len(ids) <= _MOST_DOCUMENTS:
        raise InputError(f"Choose 1 to {_MOST_DOCUMENTS} documents")
    for id_ in ids:
        show_document(*at.of_parser, id_)
    reprocess(*at.team, ids, at.user.actor)
    return see_other("/documents", parser=at.parser.slug)
