"""Saving what was changed on a document's page, sent as JSON by the page's script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, BackgroundTasks, Depends, Request
from pydantic import Field
from starlette.responses import JSONResponse, Response

from docduck import clock
from docduck.api.request.current_caller import Inst
from docduck.api.request.lanes import Corrections
from docduck.api.route import Route
from docduck.documents.document import Box
from docduck.errors import Conflict, Forbidden
from docduck.extraction.result import Location, ValueKey
from docduck.fields import Field as ParserField
from docduck.service.accounts.caller import TeamUser
from docduck.service.core.installation import Installation
from docduck.service.corrections.corrections import confirm_values, set_values
from docduck.service.corrections.entered_values import Entered, parse_entered
from docduck.service.corrections.lesson_reach import MOST_COUNTED, LessonReach, lesson_reach
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parser_settings import date_order_of
from docduck.service.parsers.parsers import get_parser
from docduck.service.reviews import decisions
from docduck.service.reviews.user_rights import may_correct
from docduck.web.documents.next_document import next_path
from docduck.web.sent_json import Sent, read_sent
from docduck.web.visit import CurrentMember, CurrentUser

router = APIRouter(prefix="/documents", include_in_schema=False, route_class=Route)

_LONGEST_TEXT = 10_000
_CHANGED = "Somebody else has changed this document meanwhile. Load the page again to see it"

Fraction = Annotated[float, Field(ge=0, le=1)]


class DrawnPlace(Sent):
    """Where a person found a value, or a part of it: ``row`` and ``column`` for a cell of a table."""

    field: str
    row: Annotated[int, Field(ge=0)] | None = None
    column: str | None = None
    page: Annotated[int, Field(ge=1)]
    box: tuple[Fraction, Fraction, Fraction, Fraction]
    text: Annotated[str, Field(max_length=_LONGEST_TEXT)]


class Changes(Sent):
    """What was changed: texts by field id, and what to do then.

    ``seen`` is when the document that the page shows was last changed.
    """

    seen: str
    entered: dict[str, str | list[dict[str, str]]] = Field(default_factory=dict)
    places: list[DrawnPlace] = Field(default_factory=list, max_length=1000)
    then: Literal["", "approve", "confirm"] = ""


async def _changes(request: Request, inst: Inst, signed_in: CurrentUser) -> Changes:
    """Return the changes sent; raise Forbidden without the session's form token, InputError."""
    return await read_sent(Changes, request, inst, signed_in)


@router.post("/{document_id}/changes")
async def save(
    document_id: str,
    changes: Annotated[Changes, Depends(_changes)],
    inst: Inst,
    user: CurrentMember,
    lane: Corrections,
    after: BackgroundTasks,
) -> Response:
    """Save changed values, and approve or confirm all if asked to; answer with what was done, and the next
    path.
    """
    saved = await lane.run(user.team_id, lambda: _save(inst, user, document_id, changes))
    after.add_task(process_pending, inst)
    return JSONResponse(saved, background=after)


def _save(inst: Installation, user: TeamUser, document_id: str, changes: Changes) -> dict[str, str]:
    document = get_document(inst, user.team_id, document_id)
    if document.parser_id is None or not may_correct(user, document):
        raise Forbidden("You can't change this document now")
    if clock.iso(document.updated_at) != changes.seen:
        raise Conflict(_CHANGED)
    parser = get_parser(inst, user.team_id, document.parser_id)
    notice, link = "", ""
    if changes.entered:
        entered: dict[str, Entered] = dict(changes.entered)
        data = parse_entered(parser.fields, entered, date_order_of(parser.settings))
        set_values(
            inst,
            user.team_id,
            parser.id,
            document.id,
            data,
            reviewer_id=user.user_id,
            actor=user.actor,
            places=_places(parser.fields, changes.places),
        )
        reach = lesson_reach(inst, user.team_id, parser.id, document.id)
        notice = _told(parser.name, reach)
        if reach.undecided and "documents:write" in user.permissions:
            link = f"/parsers/{parser.slug}/alike/{document.id}"
    if changes.then == "confirm":
        confirm_values(inst, user.team_id, parser.id, document.id, reviewer_id=user.user_id, actor=user.actor)
        notice = "All values are confirmed. They stay when the document is read again."
    if changes.then == "approve":
        decisions.approve(inst, user.team_id, parser.id, document.id, user.user_id, user.actor)
        return {"next": next_path(inst, user, document.id), "done": notice, "link": link}
    return {"next": f"/documents/{document.id}", "done": notice, "link": link}


def _told(parser: str, reach: LessonReach) -> str:
    """Return for which documents it counts what a person corrected."""
    notice = "Saved. From now on this is learned for documents of this look."
    texts = [
        f"{_number(count)} {words}"
        for count, words in (
            (reach.waiting, "waiting to be read"),
            (reach.undecided, "read but not corrected or approved, when read again"),
        )
        if count
    ]
    if texts:
        notice += f" It can count for these of {parser}, if they look like it: {' and '.join(texts)}."
    return notice


def _number(count: int) -> str:
    return f"{count:,}" if count <= MOST_COUNTED else f"more than {MOST_COUNTED:,}"


def _places(fields: Sequence[ParserField], drawn: Sequence[DrawnPlace]) -> dict[ValueKey, list[Location]]:
    names = {str(field.id): field for field in fields}
    locations: dict[ValueKey, list[Location]] = {}
    for place in drawn:
        field = names.get(place.field)
        if field is None:
            continue
        key: ValueKey = (field.name,)
        if place.row is not None and place.column is not None:
            column = next((each.name for each in field.columns if str(each.id) == place.column), None)
            if column is None:
                continue
            key = (field.name, place.row, column)
        locations.setdefault(key, []).append(Location(place.page, Box(*place.box), place.text))
    return locations
