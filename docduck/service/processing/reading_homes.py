"""The homes that read documents, on all machines that share a catalog, and the heartbeat of those that do."""

from __future__ import annotations

import datetime as dt
import logging
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from sqlalchemy import delete, func, select
from sqlalchemy.exc import SQLAlchemyError

from docduck import __version__
from docduck.catalog.database import lease_clock
from docduck.catalog.models import Document, ReadingHome
from docduck.catalog.upsert import upsert
from docduck.owner import HEARTBEAT_SECONDS, LEASE_SECONDS
from docduck.service.core.home_identity import place_of
from docduck.service.core.installation import Installation
from docduck.service.processing import document_queue

_REMEMBERED = dt.timedelta(hours=1)
"""How long a home is known that reads no more: rows of what it has read may be written still."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A home that reads: where, by which docduck, with how many workers, and documents in its work.

    ``run_id`` is its run of Dagster now. ``is_lost`` means that it has not renewed its leases: others read
    its documents.
    """

    place: str
    version: str
    workers: int
    documents: int
    run_id: str | None
    is_lost: bool


def note(inst: Installation, owner: str | None, run_id: str | None = None) -> None:
    """Note that ``owner`` reads with this home, or None does, but is ready to.

    Do nothing on SQLite, which only this machine has.
    """
    if inst.catalog.is_sqlite:
        return
    with inst.catalog.transaction() as session:
        now = lease_clock(session)
        session.execute(delete(ReadingHome).where(ReadingHome.renewed_at < now - _REMEMBERED))
        row = {
            "place": place_of(inst.settings),
            "version": __version__,
            "workers": inst.settings.workers,
            "owner": owner,
            "run_id": run_id,
            "renewed_at": now,
        }
        upsert(session, ReadingHome, [row], ["place"], replace=[*row])


def reading_homes(inst: Installation) -> list[Reading]:
    """Return the homes that read, or did within an hour; none on SQLite."""
    held = (
        select(Document.claimed_by, func.count().label("documents"))
        .where(Document.lease_expires_at.is_not(None))
        .group_by(Document.claimed_by)
        .subquery()
    )
    with inst.catalog.read_session() as session:
        lost_before = lease_clock(session) - dt.timedelta(seconds=LEASE_SECONDS)
        return [
            Reading(
                row.place,
                row.version,
                row.workers,
                documents or 0,
                row.run_id,
                is_lost=row.owner is not None and row.renewed_at < lost_before,
            )
            for row, documents in session.execute(
                select(ReadingHome, held.c.documents)
                .outerjoin(held, held.c.claimed_by == ReadingHome.owner)
                .order_by(ReadingHome.place)
            )
        ]


_log = logging.getLogger(__name__)


class Heartbeat:
    """Renew the leases of ``owner`` in a thread until the block ends; others see that it reads."""

    def __init__(self, inst: Installation, owner: str, run_id: str | None) -> None:
        self._inst = inst
        self._owner = owner
        self._run_id = run_id
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        is_first = True
        while is_first or not self._ended.wait(HEARTBEAT_SECONDS):
            try:
                if not is_first:
                    document_queue.heartbeat(self._inst, self._owner)
                is_first = False
                note(self._inst, self._owner, self._run_id)
            except Exception:
                _log.exception("the lease of %s could not be renewed; trying again", self._owner)
        with suppress(SQLAlchemyError):
            note(self._inst, None)
