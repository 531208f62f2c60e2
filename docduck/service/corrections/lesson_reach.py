"""Which documents of a parser can still use what is learned from one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Select, func, select

from docduck.catalog.models import Document, DocumentResult
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import IS_QUEUED
from docduck.service.documents.queries.document_lookup import get_parser_document
from docduck.statuses import Status

MOST_COUNTED = 1000


@dataclass(frozen=True, slots=True)
class LessonReach:
    """The documents that can use what is learned, each at most ``MOST_COUNTED`` + 1.

    ``waiting`` are to be read, ``undecided`` were read, and neither corrected nor approved: they use it when
    they are read again. Both are of any layout: whether one has that of the lesson is known when it is read.
    """

    waiting: int
    undecided: int


@dataclass(frozen=True, slots=True)
class UndecidedDocument:
    """A document that was read, and neither corrected nor approved."""

    id: str
    name: str
    status: str


def lesson_reach(inst: Installation, team_id: str, parser_id: str, document_id: str) -> LessonReach:
    """Return how many documents can use what is learned from this one; raise NotFound."""
    with inst.catalog.read_session() as session:
        document = get_parser_document(session, team_id, parser_id, document_id)
        waiting = _others(document).where(
            IS_QUEUED, Document.slow.in_((False, True)), Document.target_id == document.parser_id
        )
        return LessonReach(
            session.scalar(_counted(waiting)) or 0, session.scalar(_counted(_undecided(document))) or 0
        )


def undecided_documents(
    inst: Installation, team_id: str, parser_id: str, document_id: str, limit: int
) -> Sequence[UndecidedDocument]:
    """Return the newest documents that were read, and neither corrected nor approved, without this one.

    Raise NotFound.
    """
    with inst.catalog.read_session() as session:
        document = get_parser_document(session, team_id, parser_id, document_id)
        newest = _undecided(document).order_by(Document.created_at.desc(), Document.id.desc())
        rows = session.execute(newest.add_columns(Document.name, Document.status).limit(limit))
        return [UndecidedDocument(*row) for row in rows]


def _others(document: Document) -> Select[str]:
    return select(Document.id).where(
        Document.team_id == document.team_id,
        Document.parser_id == document.parser_id,
        Document.id != document.id,
    )


def _undecided(document: Document) -> Select[str]:
    return (
        _others(document)
        .join(DocumentResult, DocumentResult.document_id == Document.id)
        .where(Document.status.in_((Status.PROCESSED, Status.IN_REVIEW)), DocumentResult.edited.is_(False))
    )


def _counted(statement: Select[str]) -> Select[int]:
    return select(func.count()).select_from(statement.limit(MOST_COUNTED + 1).subquery())
