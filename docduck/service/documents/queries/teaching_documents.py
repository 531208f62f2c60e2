"""The documents that taught values of another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from docduck.catalog.models import Document
from docduck.service.core.installation import Installation


def teaching_documents(inst: Installation, team_id: str, evidence: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the documents, by id, from which values of a ``field_metadata`` were learned.

    Those that were deleted since are left out.
    """
    ids = {entry.get("learnedFrom") for entry in evidence.values() if isinstance(entry, Mapping)} - {None}
    if not ids:
        return {}
    found = select(Document.id, Document.name).where(Document.team_id == team_id, Document.id.in_(ids))
    with inst.catalog.read_session() as session:
        return {document_id: name for document_id, name in session.execute(found)}
