"""The documents that one file became: parts of a PDF, or files of an archive."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import func, select

from docduck.catalog.models import Document, DocumentEvent
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_lookup import get_team_document
from docduck.service.documents.status_transitions import Event

MOST_PARTS = 100

_REGISTERED_WITHIN = dt.timedelta(seconds=5)
"""Of the split: both are one transaction."""


def parts_of(inst: Installation, team_id: str, document_id: str) -> list[str]:
    """Return the ids of the documents that a document's file became, itself among them, in their order.

    There are none if its file was not split, and at most ``MOST_PARTS``. Raise NotFound.
    """
    with inst.catalog.read_session() as session:
        document = get_team_document(session, team_id, document_id)
        if document.split is None or document.split["total"] < 2:
            return []
        source_id = document.split["sourceDocumentId"]
        was_split = DocumentEvent.document_id == source_id, DocumentEvent.event == Event.SPLIT
        moment = session.scalar(select(func.max(DocumentEvent.at)).where(*was_split))
        if moment is None:
            return [document_id]
        near = Document.created_at.between(moment - _REGISTERED_WITHIN, moment + _REGISTERED_WITHIN)
        rows = session.execute(
            select(Document.id, Document.split).where(
                Document.team_id == team_id, near | (Document.id == source_id), Document.split.is_not(None)
            )
        )
        parts = {row.id: row.split["index"] for row in rows if row.split["sourceDocumentId"] == source_id}
    return sorted(parts, key=parts.__getitem__)[:MOST_PARTS]
