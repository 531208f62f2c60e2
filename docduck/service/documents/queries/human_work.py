"""What people did on documents, which reading them again would discard."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select

from docduck.catalog.models import Document, DocumentResult, DocumentStage
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks


@dataclass(frozen=True, slots=True)
class HumanWork:
    """The ids of documents that are approved, by a stage at least, and of those with corrected values."""

    approved: frozenset[str]
    corrected: frozenset[str]


def human_work(inst: Installation, team_id: str, document_ids: Collection[str]) -> HumanWork:
    """Return what people did on these documents of the team."""
    stages = select(Document.id).join(DocumentStage, DocumentStage.document_id == Document.id)
    results = select(Document.id).join(DocumentResult, DocumentResult.document_id == Document.id)
    approved: set[str] = set()
    corrected: set[str] = set()
    with inst.catalog.read_session() as session:
        for some in chunks(document_ids):
            mine = (Document.team_id == team_id, Document.id.in_(some))
            approved.update(session.scalars(stages.where(*mine, DocumentStage.status == "approved")))
            corrected.update(session.scalars(results.where(*mine, DocumentResult.edited)))
    return HumanWork(frozenset(approved), frozenset(corrected))
