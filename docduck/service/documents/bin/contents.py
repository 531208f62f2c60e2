"""What is in the bin, and deleting it for good."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.models import BinnedDocument
from docduck.ids import is_uuid
from docduck.service.core import audit, file_references
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page
from docduck.service.core.transactions import STEP, in_steps


@dataclass(frozen=True, slots=True)
class BinnedView:
    """A document in the bin; ``goes_at`` is when it is deleted for good.

    ``together`` is how many documents in the bin the same action deleted, with this one.
    """

    id: str
    parser_id: str | None
    name: str
    deleted_at: dt.datetime
    deleted_by: str
    batch_id: str
    goes_at: dt.datetime
    together: int


def list_binned(inst: Installation, team_id: str, *, page: int = 1, limit: int = 50) -> Page[BinnedView]:
    """Return a page of the documents in a team's bin, the last deleted first."""
    days = dt.timedelta(days=inst.settings.bin_days)
    columns = (
        *(BinnedDocument.id, BinnedDocument.parser_id, BinnedDocument.name),
        *(BinnedDocument.deleted_at, BinnedDocument.deleted_by, BinnedDocument.batch_id),
    )
    mine = BinnedDocument.team_id == team_id
    order = (BinnedDocument.deleted_at.desc(), BinnedDocument.id.desc())
    with inst.catalog.read_session() as session:
        total = session.scalar(select(func.count()).select_from(BinnedDocument).where(mine)) or 0
        rows = session.execute(
            select(*columns).where(mine).order_by(*order).offset((page - 1) * limit).limit(limit)
        ).all()
        shown = BinnedDocument.batch_id.in_({row.batch_id for row in rows})
        counts = select(BinnedDocument.batch_id, func.count()).where(mine, shown)
        counted = session.execute(counts.group_by(BinnedDocument.batch_id))
        together = {batch_id: count for batch_id, count in counted}
        views = [
            BinnedView(*row, goes_at=row.deleted_at + days, together=together[row.batch_id]) for row in rows
        ]
    return Page(views, page, limit, total)


def batch_ids(inst: Installation, team_id: str, batch_id: str) -> list[str]:
    """Return the ids of the documents in the bin that were deleted by one action."""
    if not is_uuid(batch_id):
        return []
    statement = select(BinnedDocument.id).where(
        BinnedDocument.team_id == team_id, BinnedDocument.batch_id == batch_id.lower()
    )
    with inst.catalog.read_session() as session:
        return list(session.scalars(statement.order_by(BinnedDocument.id)))


def delete_for_good(inst: Installation, team_id: str, document_ids: Sequence[str], actor: str) -> int:
    """Delete documents of the team from its bin; return how many there were."""
    ids = [document_id.lower() for document_id in document_ids if is_uuid(document_id)]
    return delete_binned(inst, actor, BinnedDocument.team_id == team_id, BinnedDocument.id.in_(ids))


def empty_bin_of(inst: Installation, team_id: str, actor: str) -> int:
    """Delete all that is in the bin of a team; return how many documents."""
    return delete_binned(inst, actor, BinnedDocument.team_id == team_id)


def empty_bin(inst: Installation) -> int:
    """Delete what has been in the bins for ``bin_days``; return how many documents."""
    before = clock.now() - dt.timedelta(days=inst.settings.bin_days)
    return delete_binned(inst, "retention", BinnedDocument.deleted_at <= before)


def delete_binned(inst: Installation, actor: str, *which: ColumnElement[bool]) -> int:
    """Delete documents from the bins, some at a time; return how many."""
    return in_steps(inst, lambda session: _delete_some(session, actor, which))


def _delete_some(session: Session, actor: str, which: Sequence[ColumnElement[bool]]) -> int:
    columns = (
        *(BinnedDocument.id, BinnedDocument.team_id, BinnedDocument.name),
        *(BinnedDocument.sha256, BinnedDocument.split_sha256, BinnedDocument.markdown_sha256),
    )
    rows = session.execute(
        select(*columns).where(*which).order_by(BinnedDocument.id).limit(STEP).with_for_update()
    ).all()
    session.execute(delete(BinnedDocument).where(BinnedDocument.id.in_([row.id for row in rows])))
    for team_id in {row.team_id for row in rows}:
        gone = [(row.id, {"name": row.name}) for row in rows if row.team_id == team_id]
        audit.record(session, team_id, actor, "document.deleted_for_good", "document", gone)
    hashes = (sha256 for row in rows for sha256 in row[3:] if sha256 is not None)
    file_references.release(session, Counter(hashes))
    return len(rows)
