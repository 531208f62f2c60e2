"""Documents that wait for a reviewer, and since when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Select, and_, func, or_, select

from docduck import clock
from docduck.catalog.models import Document, DocumentStage, Parser, ReviewStage, User
from docduck.service.core.installation import Installation


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
    statement = _waiting().where(DocumentStage.started_at < before)
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


def _waiting() -> Select[dt.datetime | None, str, str, str, str, str, str]:
    return (
        select(
            DocumentStage.started_at,
            DocumentStage.id,
            Document.id,
            Document.name,
            Parser.slug,
            ReviewStage.name,
            User.email,
        )
        .select_from(DocumentStage)
        .join(Document, Document.id == DocumentStage.document_id)
        .join(Parser, Parser.id == Document.parser_id)
        .join(ReviewStage, ReviewStage.id == DocumentStage.stage_id)
        .outerjoin(User, User.id == DocumentStage.assignee_id)
        .where(DocumentStage.status == "in_progress", Parser.deleted_at.is_(None))
        .order_by(DocumentStage.started_at, DocumentStage.id)
    )
