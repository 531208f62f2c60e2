"""Whether the service can do its work, and how much waits to be read."""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from docduck import clock
from docduck.catalog.migrate import HEAD, version
from docduck.catalog.models import Document, Parser
from docduck.service.core.installation import Installation
from docduck.service.processing.queue import IS_QUEUED


@dataclass(frozen=True, slots=True)
class Queue:
    """Documents that wait to be read, and since when the oldest does."""

    documents: int
    oldest: dt.datetime | None

    @property
    def oldest_seconds(self) -> float:
        """How long the oldest has waited; 0 when none does."""
        return 0.0 if self.oldest is None else max(0.0, (clock.now() - self.oldest).total_seconds())


def problems(inst: Installation) -> dict[str, str]:
    """What keeps the service from working, by part (``catalog``, ``migrations``, ``home``), if anything."""
    found: dict[str, str] = {}
    try:
        with inst.catalog.engine.connect().execution_options(docduck_reading=True) as connection:
            present = version(connection)
        if present != HEAD:
            found["migrations"] = f"the catalog is at version {present}, this docduck works with {HEAD}"
    except (SQLAlchemyError, OSError) as error:
        found["catalog"] = f"the catalog does not answer ({type(error).__name__})"
    if not all(os.access(folder, os.W_OK | os.X_OK) for folder in (inst.settings.home, inst.files.root)):
        found["home"] = "the home folder can't be written"
    return found


def queue(inst: Installation) -> Queue:
    """Return what waits, of all teams."""
    with inst.catalog.read_session() as session:
        documents, since = session.execute(
            select(func.count(), func.min(Document.queued_at))
            .join(Parser, Parser.id == Document.parser_id)
            .where(IS_QUEUED, Parser.deleted_at.is_(None))
        ).one()
        return Queue(documents, since)
