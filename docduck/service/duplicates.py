"""Whether other documents of a parser have the same value (contract A8, ``is_duplicate``)."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from docduck.catalog.models import SearchEntry, SearchValue
from docduck.service.conditions import Duplicates, Target
from docduck.service.search.encoding import INCOMPARABLE, cell_entries, field_key


def duplicates_of(session: Session, parser_id: str, document_id: str) -> Duplicates:
    """A question that conditions on the document ask: is there another with this value in this field?

    Values are the same as they are compared: numbers by size, texts in any case. Of a list, another
    document must have all items. A value that is none of its field's type has no like.
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
