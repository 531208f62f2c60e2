"""The outbox to the warehouse: documents whose rows there are out of date."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, literal, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, WarehouseOutbox
from docduck.catalog.models.base import UtcDateTime
from docduck.catalog.notifications import RUN_NEEDED, notify
from docduck.catalog.upsert import upsert


def enqueue_schema(session: Session, team_id: str, parser_id: str) -> None:
    """Enqueue a parser whose tables are out of date: it is new, was deleted, or its fields have changed.

    The entry's document id is the parser's id. No run starts for it alone before a sensor looks.
    """
    enqueue(session, [(parser_id, team_id, parser_id)])


def enqueue(session: Session, documents: Sequence[tuple[str, str, str]]) -> None:
    """Enqueue (document, team, parser) rows, in the transaction of the change."""
    if not documents:
        return
    moment = clock.now()
    rows = [
        {"document_id": document, "team_id": team, "parser_id": parser, "revision": 1, "at": moment}
        for document, team, parser in documents
    ]
    upsert(session, WarehouseOutbox, rows, ["document_id", "parser_id"], add=["revision"])
    notify(session, RUN_NEEDED, {parser for document, _, parser in documents if document != parser})


def enqueue_processed(session: Session, which: ColumnElement[bool]) -> None:
    """Enqueue all processed documents that match ``which``."""
    rows = select(
        Document.id.label("document_id"),
        Document.team_id,
        Document.parser_id,
        literal(1).label("revision"),
        literal(clock.now(), UtcDateTime).label("at"),
    ).where(which, Document.parser_id.is_not(None), Document.processed_at.is_not(None))
    key = ["document_id", "parser_id"]
    upsert(session, WarehouseOutbox, rows.order_by(Document.id), key, add=["revision"])
