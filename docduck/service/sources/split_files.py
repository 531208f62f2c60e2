"""Archives that were split before, found by content in the intake ledger."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document
from docduck.service.sources import ledger

SOURCE = "split files"
"""The source under which the ledger knows split files."""


def split_before(
    session: Session, team_id: str, parser_id: str, hashes: Collection[str]
) -> dict[str, tuple[str, str]]:
    """Return the first part's id and the file's name for each of these contents that was split before.

    Contents whose first part was deleted are omitted.
    """
    keys = {split_key(parser_id, one): one for one in hashes}
    entries = ledger.entries(session, team_id, SOURCE, list(keys))
    first = {entry.document_id: keys[key] for key, entry in entries.items() if entry.document_id}
    rows = session.execute(select(Document.id, Document.split).where(Document.id.in_(first)))
    return {first[document_id]: (document_id, split["sourceName"]) for document_id, split in rows if split}


def split_key(parser_id: str, content: str) -> str:
    """Return the key of a content of a parser in the ledger."""
    return sha256(f"{parser_id}/{content}".encode()).hexdigest()
