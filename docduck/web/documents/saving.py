"""Saving changes from a document's page, and undoing them; a conflict if somebody else changed it since."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, BackgroundTasks
from pydantic import Field
from starlette.responses import JSONResponse, Response

from docduck import clock
from docduck.api.request.lanes import Corrections
from docduck.api.response.responses import status_of
from docduck.api.route import Route, require
from docduck.documents.document import Box
from docduck.errors import Conflict, Forbidden, InputError
from docduck.extraction.result import Location, ValueKey
from docduck.extraction.values.typed_values import text_of
from docduck.fields import Field as ParserField
from docduck.service.core.transactions import retried
from docduck.service.corrections.corrections import (
    ChangedMeanwhile,
    confirm_values,
    undo_change,
)
from docduck.service.corrections.entered_checks import check_entered
from docduck.service.corrections.entered_values import Entered as EnteredValue
from docduck.service.corrections.entered_values import parse_entered
from docduck.service.corrections.later_corrections import later_corrections
from docduck.service.corrections.lesson_reach import MOST_COUNTED, LessonReach, lesson_reach
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.doubts import unsure_below
from docduck.service.documents.queries.document_views import DocumentView, get_document, show_document
from docduck.service.parsers.parser_settings import date_order_of
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.processing.filling import enter_values
from docduck.service.reviews import decisions
from docduck.service.reviews.concerns import concerns_of, earlier_reviewers
from docduck.service.reviews.user_rights import has_approved, may_correct
from docduck.service.reviews.waiting import QueuePlace, queue_place
from docduck.statuses import Status
from docduck.web.documents.shown_values import doubts_of, problems_at, shown_fields
from docduck.web.documents.value_paths import keys_at
from docduck.web.member import Member, Visit
from docduck.web.visit import Sent, sent

router = APIRouter(prefix="/documents", include_in_schema=False, route_class=Route)

_LONGEST_TEXT = 10_000

Ref = Annotated[str, Field(max_length=100)]
Fraction = Annotated[float, Field(ge=0, le=1)]


class DrawnPlace(Sent):
    """Where a person found a value, or a part of it: ``row`` and ``column`` for a cell of a table."""

    field: str
    row: Annotated[int, Field(ge=0)] | None = None
    column: str | None = None
    page: Annotated[int, Field(ge=1)]
    box: tuple[Fraction, Fraction, Fraction, Fraction]
    text: Annotated[str, Field(max_length=_LONGEST_TEXT)]


class Entered(Sent):
    """What was entered: texts by field id."""

    entered: dict[str, str | list[dict[str, str]]] = Field(default_factory=dict)


class Changes(Entered):
    """What was changed and confirmed, and what to do then.

    ``seen`` is when the document that the page shows was last changed. ``confirmed`` are paths, as in
    ``ShownValue``. With ``stay`` the page goes on showing the document. ``stage`` is the one to
    approve, ``despite`` what looks wrong; ``looked`` are the fields that had the focus.
    """

    seen: str
    places: list[DrawnPlace] = Field(default_factory=list, max_length=1000)
    confirmed: list[str] = Field(default_factory=list, max_length=1000)
    then: Literal["", "approve", "confirm"] = ""
    stay: bool = False
    stage: str = ""
    despite: bool = False
    looked: list[Ref] = Field(default_factory=list, max_length=1000)


class Undone(Sent):
    """What is undone: the last change of the values of what was ``seen``, or the approval of a ``stage``."""

    seen: Ref = ""
    stage: Ref = ""


@router.post("/{document_id}/changes")
async def save(
    document_id: str,
    changes: Annotated[Changes, sent(Changes)],
    at: Member,
    lane: Corrections,
    after: BackgroundTasks,
) -> Response:
    """Save changed values and confirm others, and approve or confirm all if asked to.

    Answer with what was done and the next path, or with the document's doubts if the page stays. If it looks
    wrong, the answer to an approval has ``questions``, and nothing is approved unless ``despite`` them. If
    values were corrected meanwhile, these or others, nothing is saved and the answer (409) tells which.
    If only what follows the saving fails, the answer tells when the document was last changed (``seen``)
    and, unless the page stays, to show it anew.
    """
    work = partial(retried, partial(_save, at, document_id, changes), after=(ChangedMeanwhile,))
    status, reply = await lane.run(at.user.team_id, work)
    if not reply.get("inReview"):
        # One who stays goes on confirming: it is learned when the document is decided on.
        after.add_task(process_pending, at.inst)
    return JSONResponse(reply, status, background=after)


@router.post("/{document_id}/undo")
async def undo(
    document_id: str, undone: Annotated[Undone, sent(Undone)], at: Member, lane: Corrections
) -> Response:
    """Undo the user's last change of the values, or their approval; answer with the document's doubts."""

    def work() -> dict[str, Any]:
        if undone.stage:
            return _undo_approval(at, document_id, undone.stage)
        document, parser = correctable(at, document_id)
        if _version(document) != undone.seen:
            raise Conflict("This document was changed meanwhile. Load the page again")
        ids, me, actor = (*at.team, parser.id, document.id), at.user.user_id, at.user.actor
        document = undo_change(*ids, reviewer_id=me, actor=actor, seen=document.updated_at)
        return _kept(at, document, parser)

    return JSONResponse(await lane.run(at.user.team_id, work))


def _undo_approval(at: Visit, document_id: str, stage_id: str) -> dict[str, Any]:
    require(at.user, "reviews:write")
    document = get_document(*at.team, document_id)
    ids = (*at.team, str(document.parser_id), document.id)
    decisions.undo_approval(*ids, at.user.user_id, at.user.actor, stage_id)
    return {"next": f"/documents/{document.id}"}


@router.post("/{document_id}/checks")
async def check(
    document_id: str, entered: Annotated[Entered, sent(Entered)], at: Member, lane: Corrections
) -> Response:
    """Tell what the checks say of values that are being entered; nothing is saved."""

    def checked() -> dict[str, Any]:
        document, parser = correctable(at, document_id)
        texts: dict[str, EnteredValue] = dict(entered.entered)
        checked_values = check_entered(*at.team, parser, document_id, texts, at.user.user_id)
        state = _state(at, document, parser, checked_values.data, checked_values.evidence)
        wrong = {path: [message] for path, message in checked_values.wrong.items()}
        return {**state, "problems": {**state["problems"], **wrong}}

    return JSONResponse(await lane.run(at.user.team_id, checked))


def next_path(at: Visit, document_id: str, before: QueuePlace) -> str:
    """Return the path of the document that followed in the reviewer's queue ``before`` the decision.

    If none did, it is the first that waits now, or the given one.
    """
    following = before.following or queue_place(*at.team, at.user.user_id, document_id).following
    return f"/documents/{following or document_id}"


def correctable(at: Visit, document_id: str) -> tuple[DocumentView, ParserView]:
    """Return a document that the user may correct now, and its parser; raise Forbidden, NotFound."""
    document = get_document(*at.team, document_id)
    _check_correctable(at, document)
    return document, get_parser(*at.team, str(document.parser_id))


def _check_correctable(at: Visit, document: DocumentView) -> None:
    if document.parser_id is None or not may_correct(at.user, document):
        raise Forbidden("You can't change this document now")


def _save(at: Visit, document_id: str, changes: Changes) -> tuple[int, dict[str, Any]]:
    document = get_document(*at.team, document_id)
    was_approved = changes.then == "approve" and has_approved(at.user, document, changes.stage)
    if not was_approved:
        _check_correctable(at, document)
    parser = get_parser(*at.team, str(document.parser_id))
    data = parse_entered(parser.fields, changes.entered, date_order_of(parser.settings))
    if was_approved:
        if all(document.data.get(name) == value for name, value in data.items()):
            # The same was sent before, and its answer was lost.
            place = queue_place(*at.team, at.user.user_id, document.id)
            return 200, {"next": next_path(at, document.id, place), "done": "", "link": ""}
        _check_correctable(at, document)
    if conflict := _conflict(at, document, parser, changes, data):
        return 409, conflict
    is_filled = document.status is Status.FAILED
    if data:
        places = _places(parser.fields, changes.places)
        ids = (*at.team, parser.id, document.id)
        me, actor = at.user.user_id, at.user.actor
        document = enter_values(
            *ids,
            data,
            places=places,
            below=document.unsure_below,
            reviewer_id=me,
            actor=actor,
            seen=document.updated_at,
        )
    try:
        return 200, _go_on(at, document, parser, changes, is_filled=is_filled)
    except ChangedMeanwhile:
        raise
    except InputError as error:
        if not data:
            raise
        seen = _version(get_document(*at.team, document.id))
        reply = {"code": error.code, "message": error.message, "seen": seen}
        if not changes.stay:
            reply |= {"next": f"/documents/{document.id}", "done": f"Your values are saved. {error.message}"}
        return status_of(error), reply


def _go_on(
    at: Visit, document: DocumentView, parser: ParserView, changes: Changes, *, is_filled: bool
) -> dict[str, Any]:
    """Confirm and approve as asked to, when the values are saved; return what to tell or to ask."""
    notice, link, me, actor = "", "", at.user.user_id, at.user.actor
    here = f"/documents/{document.id}"
    ids = (*at.team, parser.id, document.id)
    if is_filled:
        notice = "The values are filled in, so the document counts as read."
    elif changes.entered:
        reach = lesson_reach(*ids)
        is_later = changes.stay and document.status is Status.IN_REVIEW
        notice = told_learning(parser.name, reach, is_later=is_later)
        if reach.undecided and at.may("documents:write"):
            link = f"/parsers/{parser.slug}/alike/{document.id}"
    if changes.confirmed:
        only = keys_at(parser.fields, changes.confirmed)
        document = confirm_values(*ids, only=only, reviewer_id=me, actor=actor, seen=document.updated_at)
    if changes.then == "confirm":
        confirm_values(*ids, reviewer_id=me, actor=actor, seen=document.updated_at)
        notice = "All values are confirmed. They stay when the document is read again."
    if changes.then == "approve":
        concerns = concerns_of(parser.fields, document)
        if concerns.texts and not changes.despite:
            asked = {"questions": concerns.texts, "isBlocked": concerns.is_blocked}
            return {**_kept(at, document, parser), **asked, "done": notice, "link": link}
        place = queue_place(*at.team, me, document.id)
        looked = {path.partition(".")[0] for path in changes.looked}
        decisions.approve(*ids, me, actor, changes.stage or None, looked=looked)
        further = next_path(at, document.id, place)
        if further == here:
            notice = f"{notice} Approved. No other document waits for you.".strip()
        undo = {"path": here, "stage": changes.stage, "text": f"{document.name} is approved"}
        return {"next": further, "done": notice, "link": link, "undo": undo}
    if changes.stay:
        return {**_kept(at, show_document(*at.team, None, document.id), parser), "done": notice, "link": link}
    return {"next": here, "done": notice, "link": link}


def _kept(at: Visit, document: DocumentView, parser: ParserView) -> dict[str, Any]:
    """Return what a page that stays has to know of the document."""
    about = {"seen": _version(document), "inReview": document.status is Status.IN_REVIEW}
    return {**about, **_state(at, document, parser, document.data, document.field_metadata)}


def _version(document: DocumentView) -> str | None:
    return clock.iso(document.updated_at)


def _conflict(
    at: Visit, document: DocumentView, parser: ParserView, changes: Changes, data: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return what to tell if the values that the page shows were changed meanwhile; None if they weren't.

    What the user corrected to just what is entered doesn't count: it was sent before and its answer lost.
    """
    if _version(document) == changes.seen:
        return None
    try:
        since = dt.datetime.fromisoformat(changes.seen)
    except ValueError as error:
        raise InputError("The changes can't be read. Load the page again") from error
    if document.processed_at is not None and document.processed_at > since:
        raise Conflict(
            "This document was read again meanwhile. Load the page again to see it", code="changed_meanwhile"
        )
    ids = {field.name: str(field.id) for field in parser.fields}
    later = [
        correction
        for correction in later_corrections(*at.team, document.id, since)
        if correction.actor != at.user.user_id
        or correction.field not in data
        or data[correction.field] != document.data.get(correction.field)
    ]
    if not later:
        return None
    return {
        "code": ChangedMeanwhile.code,
        "message": f"{later[-1].by} has changed this document meanwhile",
        "seen": _version(document),
        "later": [
            {
                "field": ids.get(correction.field),
                "name": correction.field,
                "before": _text(correction.before),
                "after": _text(correction.after),
                "by": correction.by,
                "at": clock.iso(correction.at),
            }
            for correction in later
        ],
    }


def _text(value: Any) -> str:
    """Return a value in words; a table as its number of rows."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return f"{len(value)} row{'' if len(value) == 1 else 's'}"
    return ", ".join(map(str, value)) if isinstance(value, list) else text_of(value) or ""


def _state(
    at: Visit,
    document: DocumentView,
    parser: ParserView,
    data: Mapping[str, Any],
    evidence: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the paths of the values to look at, in the order of the page, and the failed checks."""
    earlier = earlier_reviewers(document, at.user.user_id)
    fields, tables = shown_fields(
        parser.fields, data, evidence, unsure_below(parser.settings), earlier=earlier
    )
    return {
        "doubts": [doubt.value.path for doubt in doubts_of(fields, tables)],
        "problems": problems_at(fields, tables),
    }


def told_learning(parser: str, reach: LessonReach, *, is_later: bool = False) -> str:
    """Return for which documents it counts what a person corrected; ``is_later``: from its approval on."""
    moment = "When this document is approved," if is_later else "From now on"
    notice = f"Saved. {moment} this is learned for documents of this look."
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
