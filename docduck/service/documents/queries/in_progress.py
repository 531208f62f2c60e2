"""How many documents of a team are being read or wait for it."""

from __future__ import annotations

from sqlalchemy import func, select

from docduck.catalog.models import Document
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import IS_QUEUED
from docduck.statuses import Status


def count_in_progress(inst: Installation, team_id: str) -> int:
    """Return the number of the team's documents that are queued or being processed."""
    mine = select(func.count()).where(Document.team_id == team_id)
    queued = mine.where(IS_QUEUED)
    processing = mine.where(Document.lease_expires_at.is_not(None), Document.status == Status.PROCESSING)
    with inst.catalog.read_session() as session:
        return sum(session.scalar(one) or 0 for one in (queued, processing))
