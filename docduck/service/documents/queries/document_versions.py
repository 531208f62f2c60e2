"""Versions of documents: what a change may be conditional on."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Set

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.json_text import json_text
from docduck.catalog.models import Document, DocumentResult
from docduck.clock import iso
from docduck.errors import PreconditionFailed

_DIGITS = 32


def version_of(document: Document, values_at: dt.datetime | None) -> str:
    """Return the version of a document whose values are those of the moment ``values_at``.

    It changes with every change of its values, status, review, folder and other properties. Two changes in
    one millisecond differ by the properties.
    """
    facts = (
        *(document.id, document.parser_id, document.status, document.attempt, document.name),
        *(document.external_id, document.custom, document.folder_id, document.assignee_id),
        *(iso(document.updated_at), values_at.isoformat() if values_at else None),
    )
    return hashlib.sha256(json_text(facts).encode()).hexdigest()[:_DIGITS]


def require_version(session: Session, document: Document, versions: Set[str] | None) -> None:
    """Raise PreconditionFailed if a locked document has none of these versions; None accepts any."""
    if versions is None:
        return
    mine = DocumentResult.document_id == document.id
    if version_of(document, session.scalar(select(DocumentResult.updated_at).where(mine))) not in versions:
        raise PreconditionFailed("The document has changed since; get it again and repeat the change")
