"""The outbox to the warehouse: which documents' rows there are behind the catalog."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import Projection


def mark_schema(session: Session, team_id: str, parser_id: str) -> None:
    """Note that a parser's tables themselves are behind: it is new, has other fields, or is gone.

    The entry bears the parser's own id where a document's would be.
    """
    mark(session, [(parser_id, team_id, parser_id)])


def mark(session: Session, documents: Sequence[tuple[str, str, str]]) -> None:
    """Note, in the transaction of the change itself, that (document, team, parser) rows are behind."""
    if not documents:
        return
    dialect: Any = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    statement = dialect.insert(Projection)
    statement = statement.on_conflict_do_update(
        index_elements=["document_id"],
        set_={"revision": Projection.revision + 1, "parser_id": statement.excluded.parser_id},
    )
    moment = clock.now()
    session.connection().execute(
        statement,
        [
            {"document_id": document, "team_id": team, "parser_id": parser, "revision": 1, "at": moment}
            for document, team, parser in documents
        ],
    )
