"""The documents that came of one file: parts of a PDF, files of an archive, a mail and its attachments."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from docduck.catalog.models import Document
from docduck.statuses import Status


def parts_of(session: Session, document: Document) -> list[str]:
    """Return the ids of all documents that came of the same file, in its order; none if it is the only one.

    The first has the id that the file's upload was answered with. A skipped mail, which only held files, is
    none of them.
    """
    if document.container_id is None:
        return []
    columns = (Document.id, Document.status, Document.created_at, Document.split, Document.source_detail)
    rows = session.execute(
        select(*columns).where(
            Document.team_id == document.team_id, Document.container_id == document.container_id
        )
    ).all()

    def order(row: Any) -> tuple[Any, ...]:
        part = (row.split or {}).get("index") or (row.source_detail or {}).get("part") or 0
        return row.id != document.container_id, row.created_at, part, row.id

    mails = {(row.source_detail or {}).get("mail") for row in rows}
    parts = [row for row in rows if row.status != Status.SKIPPED or row.id not in mails]
    is_alone = [row.id for row in parts] == [document.id]
    return [] if is_alone else [row.id for row in sorted(parts, key=order)]
