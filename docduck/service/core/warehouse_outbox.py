"""The outbox to the warehouse: which documents' rows there are behind the catalog."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, literal, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, WarehouseOutbox
from docduck.catalog.models.base import UtcDateTime
from docduck.catalog.upsert import upsert


def mark_schema(session: Session, team_id: str, parser_id: str) -> None:
    """Note that a parser's tables themselves are behind: it is new, has other fields, or is gone.

    The entry bears the parser's own id where a document's would be.
    """
    mark(session, [(parser_id, team_id, parser_id)])


def mark(session: Session, documents: Sequence[tuple[str, str, str]]) -> None:
    """Note, in the transaction of the change itself, that (document, team, parser) rows are behind."""
    if not documents:
        return
    moment = clock.now()
    rows = [
        {"document_id": document, "team_id": team, "parser_id": parser, "revision": 1, "at": moment}
        for document, team, parser in documents
    ]
    upsert(session, WarehouseOutbox, rows, ["document_id"], add=["revision"], replace=["parser_id"])


def mark_read(session: Session, which: ColumnElement[bool]) -> None:
    """Note, in one statement, that the rows of all documents that were read and are ``which`` are behind."""
    rows = select(
        Document.id.label("document_id"),
        Document.team_id,
        Document.parser_id,
        literal(1).label("revision"),
        literal(clock.now(), UtcDateTime).label("at"),
    ).where(which, Document.parser_id.is_not(None), Document.processed_at.is_not(None))
    upsert(session, WarehouseOutbox, rows.order_by(Document.id), ["document_id"], add=["revision"])
