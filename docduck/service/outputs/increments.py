"""The documents that incremental exports had: each export has a document once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Uuid, insert, literal, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, ExportedDocument
from docduck.errors import Conflict
from docduck.service.core.pages import chunks


def record_documents(session: Session, parser_id: str, name: str, ids: Sequence[str]) -> None:
    """Record that an incremental export has these documents, without those that were deleted meanwhile."""
    known = select(literal(parser_id, Uuid(as_uuid=False)), literal(name), Document.id)
    columns = ["parser_id", "name", "document_id"]
    for some in chunks(ids):
        these = known.where(Document.id.in_(some))
        session.execute(insert(ExportedDocument).from_select(columns, these))


@contextmanager
def written_once(name: str | None) -> Iterator[None]:
    """Raise Conflict if the block records documents that another export of this name has just had."""
    try:
        yield
    except IntegrityError as error:
        if name is None:
            raise
        raise Conflict(f"The incremental export '{name}' is being written already") from error
