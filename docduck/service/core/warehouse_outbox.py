"""The outbox to the warehouse: which documents' rows there are behind the catalog."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, literal, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Document, WarehouseOutbox
from docduck.catalog.models.base import UtcDateTime


def mark_schema(session: Session, team_id: str, parser_id: str) -> None:
    """Note that a parser's tables themselves are behind: it is new, has other fields, or is gone.

    The entry bears the parser's own id where a document's would be.
    """
    mark(session, [(parser_id, team_id, parser_id)])


def mark(session: Session, documents: Sequence[tuple[str, str, str]]) -> None:
    """Note, in the transaction of the change itself, that (document, team, parser) rows are behind."""
    if not documents:
        return
    statement = _dialect(session).insert(WarehouseOutbox)
    statement = statement.on_conflict_do_update(
        index_elements=["document_id"],
        set_={"revision": WarehouseOutbox.revision + 1, "parser_id": statement.excluded.parser_id},
    )
    moment = clock.now()
    session.connection().execute(
        statement,
        [
            {"document_id": document, "team_id": team, "parser_id": parser, "revision": 1, "at": moment}
            for document, team, parser in documents
        ],
    )


def mark_read(session: Session, which: ColumnElement[bool]) -> None:
    """Note, in one statement, that the rows of all documents that were read and are ``which`` are behind."""
    behind = select(
        Document.id, Document.team_id, Document.parser_id, literal(1), literal(clock.now(), UtcDateTime)
    ).where(which, Document.parser_id.is_not(None), Document.processed_at.is_not(None))
    statement = _dialect(session).insert(WarehouseOutbox)
    statement = statement.from_select(
        ["document_id", "team_id", "parser_id", "revision", "at"], behind.order_by(Document.id)
    )
    session.execute(
        statement.on_conflict_do_update(
            index_elements=["document_id"], set_={"revision": WarehouseOutbox.revision + 1}
        )
    )


def _dialect(session: Session) -> Any:
    return postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
