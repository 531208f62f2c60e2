"""Reviewing many documents on one page: cards of documents, and a grid of unsure values."""

from __future__ import annotations

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
from docduck.service.documents.doubts import failed_checks
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
        cards.append(card_of(document, parsers[key].fields, row.parser))
    return at.page(
        "batch_review/batch.html.j2",
        section="review",
        chosen=chosen,
        parsers=sorted(parsers.values(), key=lambda row: row.name.casefold()),
        cards=cards,
        total=waiting.total,
    )


class Decision(Sent):
    """Documents to approve, each at a stage; ``despite`` lets those pass that fail a check."""

    documents: Annotated[dict[str, str], Property(min_length=1, max_length=_MOST_CARDS)]
    despite: bool = False


@router.post("/batch/approve")
async def approve(
    decision: Annotated[Decision, sent(Decision)],
    at: Annotated[Visit, of_member("reviews:write")],
    lane: Corrections,
    after: BackgroundTasks,
) -> Response:
    """Approve documents one by one; tell of each that could not be approved why."""

    def work() -> dict[str, object]:
        approved: list[str] = []
        refused: list[dict[str, str]] = []
        for document_id, stage_id in decision.documents.items():
            try:
                _approve(at, document_id, stage_id, decision.despite)
            except DocduckError as error:
                refused.append({"id": document_id, "code": error.code, "message": error.message})
            else:
                approved.append(document_id)
        return {"approved": approved, "refused": refused}

    done = await lane.run(at.user.team_id, work)
    after.add_task(process_pending, at.inst)
    return JSONResponse(done, background=after)


def _approve(at: Visit, document_id: str, stage_id: str, despite: bool) -> None:
    document = get_document(*at.team, document_id)
    if has_approved(at.user, document, stage_id):
        return
    parser_id = str(document.parser_id)
    if not despite:
        fields = get_parser(*at.team, parser_id).fields
        problems = failed_checks(fields, document.data, document.field_metadata)
        if problems:
            raise Conflict(f"It fails a check: {problems[0]}", code="checks_failed")
    decisions.approve(*at.team, parser_id, document.id, at.user.user_id, at.user.actor, stage_id)


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
    """Save or confirm one value of a document."""
    work = partial(retried, partial(save_value, at, document_id, saved), after=(ChangedMeanwhile,))
    text = await lane.run(at.user.team_id, work)
    after.add_task(process_pending, at.inst)
    return JSONResponse({"text": text}, background=after)
