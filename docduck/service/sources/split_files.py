"""Files that were split before, known by their content through the intake ledger."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document
from docduck.service.sources import ledger

SOURCE = "split files"
"""What the intake ledger calls files that were split, by their content."""


def split_before(
    session: Session, team_id: str, parser_id: str, hashes: Collection[str]
) -> dict[str, tuple[str, str]]:
    """Return the first part's id and the split file's name for each of these contents that was split.

    Contents of which the first part was deleted are left out.
    """
    keys = {_key(parser_id, one): one for one in hashes}
    entries = ledger.entries(session, team_id, SOURCE, list(keys))
    first = {entry.document_id: keys[key] for key, entry in entries.items() if entry.document_id}
    rows = session.execute(select(Document.id, Document.split).where(Document.id.in_(first)))
    return {first[document_id]: (document_id, split["sourceName"]) for document_id, split in rows if split}


def _key(parser_id: str, content: str) -> str:
    return sha256(f"{parser_id}/{content}".encode()).hexdigest()
