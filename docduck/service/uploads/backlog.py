"""The limit of a team's queue, from which on uploads wait outside."""

from __future__ import annotations

import time
from weakref import WeakKeyDictionary

from sqlalchemy import func, select

from docduck.catalog.database import Catalog
from docduck.catalog.models import Document
from docduck.errors import Transient
from docduck.service.core.installation import Installation
from docduck.service.documents.claim import IS_QUEUED

KNOWN_SECONDS = 1.0
"""How long a count holds: to count a long queue for each upload would be slow."""

_counts_of: WeakKeyDictionary[Catalog, dict[str, tuple[float, int]]] = WeakKeyDictionary()


def check_backlog(inst: Installation, team_id: str) -> None:
    """Raise Transient if as many documents of the team are queued as ``DOCDUCK_MAX_BACKLOG`` allows."""
    most = inst.settings.max_backlog
    if most is not None and _queued(inst.catalog, team_id, most) >= most:
        raise Transient(
            f"The queue is full: {most} documents wait to be read (DOCDUCK_MAX_BACKLOG). Try again later",
            code="backlog_full",
        )


def _queued(catalog: Catalog, team_id: str, most: int) -> int:
    """Return how many documents of the team are queued, but ``most`` at most, as of a second ago."""
    counts = _counts_of.setdefault(catalog, {})
    counted_at, count = counts.get(team_id, (float("-inf"), 0))
    if time.monotonic() - counted_at >= KNOWN_SECONDS:
        queued = select(Document.id).where(IS_QUEUED, Document.team_id == team_id).limit(most)
        with catalog.read_session() as session:
            count = session.scalar(select(func.count()).select_from(queued.subquery())) or 0
        counts[team_id] = time.monotonic(), count
    return count
