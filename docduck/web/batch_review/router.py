"""Reviewing many documents on one page: cards of documents, and a grid of unsure values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated

from fastapi import BackgroundTasks, Query
from pydantic import Field as Property
from starlette.responses import JSONResponse, Response

from docduck.api.request.lanes import Corrections
from docduck.errors import Conflict, DocduckError
from docduck.service.core.transactions import retried
from docduck.service.corrections.corrections import ChangedMeanwhile
from docduck.service.corrections.pending_corrections import process_pending
from docduck.service.documents.queries.document_views import get_document, show_document
from docduck.service.parsers.parsers import ParserView, get_parser
from docduck.service.reviews import decisions
from docduck.service.reviews.user_rights import has_approved
from docduck.service.reviews.waiting import assigned_documents
from docduck.web.batch_review.cards import Card, card_of
from docduck.web.batch_review.saving import SavedValue, save_value
from docduck.web.batch_review.unsure import unsure_groups
from docduck.web.member import Member, Reader, Visit, of_member
from docduck.web.page import page_link
from docduck.web.page_route import PageRouter
from docduck.web.visit import Sent, sent

router = PageRouter("/review")

_MOST_CARDS = 20

ParserRef = Annotated[str, Query(max_length=255)]
Path = Annotated[str, Property(max_length=100)]


@router.get("/batch")
def batch(at: Reader, parser: ParserRef = "") -> Response:
    """Return the documents that wait longest for the signed-in user as cards, of one parser or all."""
    chosen = get_parser(*at.team, parser) if parser else None
    waiting = assigned_documents(
        *at.team, at.user.user_id, parser_id=chosen.id if chosen else None, limit=_MOST_CARDS
    )
    parsers: dict[str, ParserView] = {}
    cards: list[Card] = []
    for row in waiting.rows:
        document = show_document(*at.team, None, row.id)
        if document.review.current_stage is None:
            continue  # it was decided on meanwhile
        key = str(document.parser_id)
        if key not in parsers:
            parsers[key] = get_parser(*at.team, key)
        cards.append(card_of(document, parsers[key].fields, row.parser, at.user.user_id))
    return at.page(
        "batch_review/batch.html.j2",
        section="review",
        chosen=chosen,
        parsers=sorted(parsers.values(), key=lambda row: row.name.casefold()),
        cards=cards,
        total=waiting.total,
    )


class Chosen(Sent):
    """Documents, each at a stage."""

    documents: Annotated[dict[str, str], Property(min_length=1, max_length=_MOST_CARDS)]


class Decision(Chosen):
    """Documents to approve; ``despite`` lets those pass that look wrong, ``sure`` only those without doubts.

    ``looked`` are the fields whose values were shown beside their places on a card that is approved alone.
    """

    despite: bool = False
    sure: bool = False
    looked: list[Path] = Property(default_factory=list, max_length=1000)


@router.post("/batch/approve")
async def approve(
    decision: Annotated[Decision, sent(Decision)],
    at: Annotated[Visit, of_member("reviews:write")],
    lane: Corrections,
    after: BackgroundTasks,
) -> Response:
    """Approve documents one by one; tell of each that could not be approved why."""
    work = partial(_each, decision.documents, partial(_approve, at, decision))
    done = await lane.run(at.user.team_id, work)
    after.add_task(process_pending, at.inst)
    return JSONResponse(done, background=after)


@router.post("/batch/undo")
async def undo(
    chosen: Annotated[Chosen, sent(Chosen)],
    at: Annotated[Visit, of_member("reviews:write")],
    lane: Corrections,
) -> Response:
    """Undo the user's approvals of documents; tell of each that can't be undone any more why."""

    def undo_one(document_id: str, stage_id: str) -> None:
        parser_id = str(show_document(*at.team, None, document_id).parser_id)
        decisions.undo_approval(*at.team, parser_id, document_id, at.user.user_id, at.user.actor, stage_id)

    return JSONResponse(await lane.run(at.user.team_id, partial(_each, chosen.documents, undo_one)))


def _each(documents: Mapping[str, str], do: Callable[[str, str], None]) -> dict[str, object]:
    """Do something with each document and its stage; return those done, and why others were refused."""
    done: list[str] = []
    refused: list[dict[str, str]] = []
    for document_id, stage_id in documents.items():
        try:
            do(document_id, stage_id)
        except DocduckError as error:
            refused.append({"id": document_id, "code": error.code, "message": error.message})
        else:
            done.append(document_id)
    return {"done": done, "refused": refused}


def _approve(at: Visit, decision: Decision, document_id: str, stage_id: str) -> None:
    document = get_document(*at.team, document_id)
    if has_approved(at.user, document, stage_id):
        return
    parser = get_parser(*at.team, str(document.parser_id))
    card = card_of(document, parser.fields, parser.name, at.user.user_id)
    if card.concerns.texts and not decision.despite:
        raise Conflict(card.concerns.texts[0])
    if card.doubts and decision.sure:
        raise Conflict("It has values to look at")
    looked = {path.partition(".")[0] for path in decision.looked}
    decisions.approve(
        *at.team, parser.id, document.id, at.user.user_id, at.user.actor, stage_id, looked=looked
    )


@router.get("/values")
def unsure(
    at: Reader,
    parser: ParserRef = "",
    cursor: Annotated[str | None, Query(max_length=200)] = None,
) -> Response:
    """Return unsure values of all documents that the signed-in user may correct, grouped by field."""
    chosen = get_parser(*at.team, parser) if parser else None
    groups, further = unsure_groups(at.inst, at.user, chosen.id if chosen else None, cursor)
    return at.page(
        "batch_review/values.html.j2",
        section="review",
        chosen=chosen,
        groups=groups,
        count=sum(len(group.values) for group in groups),
        further=page_link("/review/values", parser=chosen.slug if chosen else "", cursor=further),
        is_further=further is not None,
    )


@router.post("/values/{document_id}")
async def save(
    document_id: str,
    saved: Annotated[SavedValue, sent(SavedValue)],
    at: Member,
    lane: Corrections,
    after: BackgroundTasks,
) -> Response:
    """Save or confirm one value of a document, or undo that."""
    work = partial(retried, partial(save_value, at, document_id, saved), after=(ChangedMeanwhile,))
    reply = await lane.run(at.user.team_id, work)
    after.add_task(process_pending, at.inst)
    return JSONResponse(reply, background=after)
