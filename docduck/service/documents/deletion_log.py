"""The ids of deleted documents, for clients that keep a copy of a team's documents."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from pydantic import Field
from sqlalchemy import delete, func, insert, select, union_all
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import DeletedDocument, Document, Parser
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page, chunks
from docduck.service.core.schema import UtcTime, ViewPart
from docduck.service.search.cursors import read_cursor, write_cursor
from docduck.service.search.paging import Place
from docduck.service.search.selection import within
from docduck.settings import Settings

_LEAST_DAYS = 30


class DeletionView(ViewPart):
    """A document that was deleted."""

    id: str = Field(description="The document's id")
    parser_id: str | None = Field(description="Its parser; null if a classifier had not routed it")
    deleted_at: UtcTime = Field(description="When it was deleted, or its parser")


def kept_deletions(settings: Settings) -> dt.timedelta:
    """Return how long deletions are listed: as long as the bin keeps documents, or 30 days if it is less."""
    return dt.timedelta(days=max(settings.bin_days, _LEAST_DAYS))


def record_deletions(session: Session, documents: Sequence[Document]) -> None:
    """Record that documents are deleted."""
    moment = clock.now()
    rows = [
        {"id": row.id, "team_id": row.team_id, "parser_id": row.parser_id, "deleted_at": moment}
        for row in documents
    ]
    if rows:
        session.connection().execute(insert(DeletedDocument), rows)


def forget_deletions(session: Session, document_ids: Collection[str]) -> None:
    """Forget that documents were deleted, as they are restored."""
    for some in chunks(document_ids):
        session.execute(delete(DeletedDocument).where(DeletedDocument.id.in_(some)))


def list_deletions(
    inst: Installation,
    team_id: str,
    since: dt.datetime | None = None,
    *,
    only: Collection[str] | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[DeletionView]:
    """Return a page of the documents that were deleted, or whose parsers were, the oldest deletion first.

    ``only`` limits the parsers. Raise InputError for an invalid cursor, and for a moment from which on not
    all deletions are known any more.
    """
    kept = kept_deletions(inst.settings)
    if since is not None and since < clock.now() - kept:
        raise InputError(
            f"Deletions are listed for {kept.days} days; for an older copy, list all documents instead",
            "since",
            code="too_old",
        )
    list_name = f"deletions {team_id}"
    page, place = 1, None
    if cursor is not None:
        number, *keys = read_cursor(inst.settings, list_name, cursor)
        page, place = int(str(number)), Place(*keys)
    alone = select(DeletedDocument.id, DeletedDocument.parser_id, DeletedDocument.deleted_at).where(
        DeletedDocument.team_id == team_id, *within(DeletedDocument.deleted_at, since, None)
    )
    with_parser = (
        select(Document.id, Document.parser_id, Parser.deleted_at)
        .join(Parser, Parser.id == Document.parser_id)
        .where(Parser.team_id == team_id, Parser.deleted_at.is_not(None))
        .where(*within(Parser.deleted_at, since or clock.now() - kept, None))
    )
    found = union_all(alone, with_parser).subquery()
    wanted = select(found) if only is None else select(found).where(found.c.parser_id.in_(only))
    with inst.catalog.read_session() as session:
        total = session.scalar(select(func.count()).select_from(wanted.subquery())) or 0
        later = wanted.order_by(found.c.deleted_at, found.c.id)
        if place is not None:
            later = later.where(place.before(False, found.c.deleted_at, found.c.id))
        rows = session.execute(later.limit(limit + 1)).all()
    following = None
    if len(rows) > limit:
        last = rows[limit - 1]
        following = write_cursor(inst.settings, list_name, [page + 1, last.deleted_at, last.id])
    return Page(list(map(DeletionView.of, rows[:limit])), page, limit, total, following)
