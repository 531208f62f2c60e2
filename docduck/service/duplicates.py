"""Documents of a parser with the same content (``duplicateOf``) or the same value (``is_duplicate``)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, bindparam, func, or_, select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, SearchEntry, SearchValue
from docduck.service.conditions import Duplicates, Target
from docduck.service.search.encoding import INCOMPARABLE, cell_entries, field_key

_EARLIER_COPIES = (
    select(Document.id)
    .where(
        Document.parser_id == bindparam("parser_id"),
        Document.sha256 == bindparam("sha256"),
        or_(
            Document.created_at < bindparam("created_at"),
            and_(Document.created_at == bindparam("created_at"), Document.id < bindparam("id")),
        ),
    )
    .order_by(Document.created_at, Document.id)
)


def earlier_copies(session: Session, document: Document) -> list[str]:
    """Return the ids of the parser's existing documents with the same content, the oldest first.

    Only documents registered before ``document`` count, so the oldest one is a duplicate of none.
    """
    mine = {name: getattr(document, name) for name in ("parser_id", "sha256", "created_at", "id")}
    return list(session.scalars(_EARLIER_COPIES, mine))


def duplicates_of(session: Session, parser_id: str, document_id: str) -> Duplicates:
    """Return a function that tells whether another document of the parser has a value in a field.

    Values are the same if they compare equal: numbers by size, texts in any case. Of a list, another
    document must have all items. Values that don't parse as the field's type never count as duplicates.
    """

    def asked(target: Target, value: Any) -> bool:
        wanted = cell_entries(target.kind, value) - {INCOMPARABLE}
        if not wanted or target.field_id is None:
            return False
        alike = (
            select(SearchValue.number)
            .join(SearchEntry, SearchEntry.number == SearchValue.number)
            .where(
                SearchValue.key == field_key(parser_id, target.ref, target.kind),
                SearchValue.value.in_(sorted(wanted)),
                SearchEntry.document_id != document_id,
            )
        )
        if len(wanted) > 1:
            alike = alike.group_by(SearchValue.number).having(func.count() == len(wanted))
        return session.scalar(alike.limit(1)) is not None

    return asked
