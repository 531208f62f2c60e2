"""Values of some fields of the documents in a list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import select, type_coerce

from docduck.catalog.models import Document, DocumentResult
from docduck.catalog.models.base import CompressedJsonType
from docduck.service.core.installation import Installation
from docduck.statuses import HAS_VALUES

# Tables can be long, and are not listed.
_BY_FIELD = CompressedJsonType(dict[str, msgspec.Raw])


def listed_values(
    inst: Installation, team_id: str, document_ids: Collection[str], field_ids: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return the values of fields by id, of those documents of the team that have values."""
    if not field_ids:
        return {}
    statement = (
        select(Document.id, type_coerce(DocumentResult.values, _BY_FIELD).label("values_"))
        .join(DocumentResult, DocumentResult.document_id == Document.id)
        .where(Document.team_id == team_id, Document.id.in_(document_ids), Document.status.in_(HAS_VALUES))
    )
    with inst.catalog.read_session() as session:
        return {
            row.id: {
                field_id: msgspec.json.decode(row.values_[field_id])
                for field_id in field_ids
                if field_id in row.values_
            }
            for row in session.execute(statement)
        }
