"""The documents that wait for one reviewer."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlalchemy import func, select

from docduck.catalog.models import Document, DocumentStage, Parser, ReviewStage
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page


@dataclass(frozen=True, slots=True)
class AssignedDocument:
    """A document at a stage that is in progress ``since`` then."""

    id: str
    name: str
    parser: str
    stage: str
    confidence: float | None
    since: dt.datetime | None


def assigned_documents(
    inst: Installation,
    team_id: str,
    user_id: str,
    *,
    parser_id: str | None = None,
    page: int = 1,
    limit: int = 50,
) -> Page[AssignedDocument]:
    """Return the documents in review that are assigned to a user, of one parser or all."""
    mine = (
        *(() if parser_id is None else (Document.parser_id == parser_id,)),
        Document.team_id == team_id,
        DocumentStage.status == "in_progress",
        DocumentStage.assignee_id == user_id,
        Document.status == "in_review",
        Parser.deleted_at.is_(None),
    )
    rows = (
        select(
            Document.id,
            Document.name,
            Parser.name,
            ReviewStage.name,
            Document.confidence,
            DocumentStage.started_at,
        )
        .join(DocumentStage, DocumentStage.document_id == Document.id)
        .join(ReviewStage, ReviewStage.id == DocumentStage.stage_id)
        .join(Parser, Parser.id == Document.parser_id)
        .where(*mine)
        .order_by(DocumentStage.started_at, Document.id)
        .offset((page - 1) * limit)
        .limit(limit)
    )
    counted = (
        select(func.count())
        .select_from(Document)
        .join(DocumentStage, DocumentStage.document_id == Document.id)
        .join(Parser, Parser.id == Document.parser_id)
        .where(*mine)
    )
    with inst.catalog.read_session() as session:
        documents = [AssignedDocument(*row) for row in session.execute(rows)]
        return Page(documents, page, limit, session.scalar(counted) or 0)
