"""The days (UTC) on which documents were created, by which tables in Dagster have partitions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from sqlalchemy import select

from docduck.catalog.models import BinnedDocument, Document
from docduck.service.core.installation import Installation
from docduck.service.core.pages import chunks

_LONGEST_TRANSACTION = dt.timedelta(minutes=1)
"""A change may be seen so long after the moment that it bears."""


def days_created(inst: Installation, document_ids: Collection[str]) -> list[dt.date]:
    """Return the days of these documents."""
    days: set[dt.date] = set()
    with inst.catalog.read_session() as session:
        for some in chunks(sorted(document_ids)):
            created = session.scalars(select(Document.created_at).where(Document.id.in_(some)))
            days.update(moment.date() for moment in created)
    return sorted(days)


def days_changed(inst: Installation, parser_id: str, since: dt.datetime | None) -> list[dt.date]:
    """Return the days of a parser's documents that were processed, changed or deleted ``since``, or ever."""
    changed = select(Document.created_at).where(
        Document.parser_id == parser_id, Document.processed_at.is_not(None)
    )
    deleted = select(BinnedDocument.created_at).where(BinnedDocument.parser_id == parser_id)
    if since is not None:
        begin = since - _LONGEST_TRANSACTION
        changed = changed.where(Document.updated_at >= begin)
        deleted = deleted.where(BinnedDocument.deleted_at >= begin)
    with inst.catalog.read_session() as session:
        moments = [*session.scalars(changed), *session.scalars(deleted)]
    return sorted({moment.date() for moment in moments})
