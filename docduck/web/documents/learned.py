"""What was learned from a document's corrections, told where the values were corrected, with their places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from docduck.api.request.lanes import Corrections
from docduck.api.route import Route
from docduck.service.corrections.lessons import LessonView, document_lessons
from docduck.service.corrections.pending_corrections import is_pending, learn_at_once
from docduck.service.documents.doubts import unsure_below
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parsers import get_parser
from docduck.service.reviews.user_rights import may_correct
from docduck.web.documents.shown_values import ShownValue, shown_fields
from docduck.web.member import Member, Visit
from docduck.web.visit import Sent, sent

router = APIRouter(prefix="/documents", include_in_schema=False, route_class=Route)

_LATER = "It is learned in a moment."
_NOT_PRINTED = "Not printed on the pages: it counts for this document alone."


@router.post("/{document_id}/learned")
async def learned(
    document_id: str, _asked: Annotated[Sent, sent(Sent)], at: Member, lane: Corrections
) -> Response:
    """Learn from the corrections of a document, and tell of each corrected value what, and where it is.

    By path, as in ``ShownValue``; a column's lesson is told at its table.
    """
    return JSONResponse(await lane.run(at.user.team_id, lambda: _learned(at, document_id)))


def _learned(at: Visit, document_id: str) -> dict[str, Any]:
    if may_correct(at.user, get_document(*at.team, document_id)):
        learn_at_once(at.inst, document_id)
    document = get_document(*at.team, document_id)
    parser = get_parser(*at.team, str(document.parser_id))
    lessons = document_lessons(*at.team, parser.id, document_id)
    below = unsure_below(parser.settings)
    fields, tables = shown_fields(parser.fields, document.data, document.field_metadata, below)
    scalars = [field.value for field in fields]
    cells = [cell for table in tables for row in table.rows for cell in row]
    edited = [value for value in (*scalars, *cells) if value.is_edited]
    texts = {
        value.path: _NOT_PRINTED for value in scalars if value.is_edited and value.text and not value.places
    }
    if is_pending(at.inst, document_id):
        texts = {value.path: _LATER for value in scalars if value.is_edited}
    else:
        texts |= _told(lessons, edited)
    return {"learned": texts, "places": {value.path: value.places for value in edited if value.places}}


def _told(lessons: Iterable[LessonView], edited: Iterable[ShownValue]) -> dict[str, str]:
    """Return what was learned, by path: of fields that were corrected, and of the columns of tables."""
    corrected = {value.path.partition(".")[0] for value in edited}
    texts: dict[str, list[str]] = {}
    for lesson in lessons:
        if lesson.field_id in corrected and lesson.corrected:
            texts.setdefault(lesson.field_id, []).append(_text(lesson))
    return {path: " ".join(dict.fromkeys(some)) for path, some in texts.items()}


def _text(lesson: LessonView) -> str:
    match lesson.kind:
        case "place":
            where = f"beside “{lesson.label}”" if lesson.label else "at this place"
            text = f"Learned: on documents of this look it is read {where}"
        case "header":
            text = f"Learned: “{lesson.label}” is over {lesson.column}"
        case "constant":
            text = "Learned: it is the same on all documents of this look"
        case "empty":
            text = "Learned: on documents of this look, what is at this place is not read"
    match lesson.status:
        case "waiting":
            return f"{text}, once another document agrees."
        case "superseded":
            return f"{text}, but a newer correction teaches another place."
        case "active":
            return f"{text}."
