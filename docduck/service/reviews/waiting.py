"""Documents that wait for reviewers, longest first: a reviewer's queue, the next in it, and those overdue."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, DocumentStage, Parser, ReviewStage, User
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page


@dataclass(frozen=True, slots=True)
class WaitingDocument:
    """A document at a review stage, in progress ``since`` then; ``key`` identifies this wait."""

    key: tuple[dt.datetime, str]
    document_id: str
    name: str
    parser: str
    stage: str
    assignee: str | None

    @property
    def since(self) -> dt.datetime:
        return self.key[0]


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """How many documents of a parser are in review, and since when the first of them waits."""

    documents: int
    longest: dt.datetime | None


def review_queue(inst: Installation, parser_id: str) -> ReviewQueue:
    """Return the queue of a parser's documents in review."""
    with inst.catalog.read_session() as session:
        count, longest = session.execute(
            select(func.count(), func.min(DocumentStage.started_at))
            .join(Document, Document.id == DocumentStage.document_id)
            .where(DocumentStage.status == "in_progress", Document.parser_id == parser_id)
        ).one()
        return ReviewQueue(count, longest)


def overdue_documents(
    inst: Installation,
    *,
    parser_id: str | None = None,
    after: tuple[dt.datetime, str] | None = None,
    limit: int = 1000,
) -> Sequence[WaitingDocument]:
    """Return documents that wait longer than ``review_overdue_hours``, the longest first.

    They are those of one parser or of all, whose ``key`` is larger than ``after``.
    """
    before = clock.now() - dt.timedelta(hours=inst.settings.review_overdue_hours)
    columns = (DocumentStage.started_at, DocumentStage.id, Document.id, Document.name)
    statement = (
        _from(select(*columns, Parser.slug, ReviewStage.name, User.email))
        .outerjoin(User, User.id == DocumentStage.assignee_id)
        .where(DocumentStage.status == "in_progress", Parser.deleted_at.is_(None))
        .where(DocumentStage.started_at < before)
        .order_by(DocumentStage.started_at, DocumentStage.id)
    )
    if parser_id is not None:
        statement = statement.where(Document.parser_id == parser_id)
    if after is not None:
        since, row_id = after
        is_later = and_(DocumentStage.started_at == since, DocumentStage.id > row_id)
        statement = statement.where(or_(DocumentStage.started_at > since, is_later))
    with inst.catalog.read_session() as session:
        return [
            WaitingDocument((at, key), *rest)
            for at, key, *rest in session.execute(statement.limit(limit))
            if at is not None
        ]


@dataclass(frozen=True, slots=True)
class AssignedDocument:
    """A document at a stage that is in progress ``since`` then; ``note`` is why it was set aside."""

    id: str
    name: str
    parser: str
    stage: str
    confidence: float | None
    since: dt.datetime | None
    held_at: dt.datetime | None
    note: str | None


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A document's place in a reviewer's queue, from 1; ``number`` is None if it isn't in it.

    ``following`` is the document after it, or the first one; None if no other waits.
    """

    number: int | None
    total: int
    following: str | None


def assigned_documents(
    inst: Installation,
    team_id: str,
    user_id: str,
    *,
    parser_id: str | None = None,
    held: bool = False,
    page: int = 1,
    limit: int = 50,
) -> Page[AssignedDocument]:
    """Return the documents in review that are assigned to a user, of one parser or all: their queue, or those
    set aside.
    """
    mine = () if parser_id is None else (Document.parser_id == parser_id,)
    where = (*mine, *_assigned(team_id, user_id), _is_held(held))
    rows = (
        _from(
            select(
                Document.id,
                Document.name,
                Parser.name,
                ReviewStage.name,
                Document.confidence,
                DocumentStage.started_at,
                DocumentStage.held_at,
                DocumentStage.hold_note,
            )
        )
        .where(*where)
        .order_by(DocumentStage.started_at, Document.id)
        .offset((page - 1) * limit)
        .limit(limit)
    )
    with inst.catalog.read_session() as session:
        documents = [AssignedDocument(*row) for row in session.execute(rows)]
        return Page(documents, page, limit, _count(session, *where))


def queue_place(inst: Installation, team_id: str, user_id: str, document_id: str) -> QueuePlace:
    """Return a document's place in a user's queue."""
    assigned = _assigned(team_id, user_id)
    waiting = (*assigned, _is_held(False))
    at = select(DocumentStage.started_at, DocumentStage.held_at)
    ids = _from(select(Document.id)).where(*waiting, Document.id != document_id)
    ids = ids.order_by(DocumentStage.started_at, Document.id).limit(1)
    with inst.catalog.read_session() as session:
        mine = session.execute(_from(at).where(*assigned, Document.id == document_id)).one_or_none()
        number = following = None
        if mine is not None:
            since, held_at = mine
            later = and_(DocumentStage.started_at == since, Document.id > document_id)
            following = session.scalar(ids.where(or_(DocumentStage.started_at > since, later)))
            if held_at is None:
                earlier = and_(DocumentStage.started_at == since, Document.id < document_id)
                before = or_(DocumentStage.started_at < since, earlier)
                number = 1 + _count(session, *waiting, before)
        return QueuePlace(number, _count(session, *waiting), following or session.scalar(ids))


def _assigned(team_id: str, user_id: str) -> tuple[ColumnElement[bool], ...]:
    return (
        Document.team_id == team_id,
        DocumentStage.status == "in_progress",
        DocumentStage.assignee_id == user_id,
        Document.status == "in_review",
        Parser.deleted_at.is_(None),
    )


def _is_held(held: bool) -> ColumnElement[bool]:
    return DocumentStage.held_at.is_not(None) if held else DocumentStage.held_at.is_(None)


def _from(statement: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    return (
        statement.select_from(Document)
        .join(DocumentStage, DocumentStage.document_id == Document.id)
        .join(ReviewStage, ReviewStage.id == DocumentStage.stage_id)
        .join(Parser, Parser.id == Document.parser_id)
    )


def _count(session: Session, *where: ColumnElement[bool]) -> int:
    return session.scalar(_from(select(func.count())).where(*where)) or 0
