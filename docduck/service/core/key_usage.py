"""The last use of API keys and OAuth grants, written by a thread so that no request waits."""

from __future__ import annotations

import datetime as dt
import logging
import queue
import threading

from sqlalchemy import or_, update
from sqlalchemy.exc import SQLAlchemyError

from docduck.catalog.database import Catalog
from docduck.catalog.models import ApiKey, OAuthGrant

NOTED_EVERY = dt.timedelta(minutes=1)
"""Minimum time between two writes for a row."""

_MOST_WAITING = 1000
_log = logging.getLogger(__name__)


class KeyUsage:
    """Write the last use of a table's rows from a thread, at most once a minute per row."""

    def __init__(self, catalog: Catalog, table: type[ApiKey] | type[OAuthGrant] = ApiKey) -> None:
        self._catalog = catalog
        self._table = table
        self._lock = threading.Lock()
        self._noted: dict[str, dt.datetime] = {}
        self._waiting: queue.Queue[tuple[str, dt.datetime] | None] = queue.Queue(_MOST_WAITING)
        self._thread: threading.Thread | None = None

    def note(self, row_id: str, moment: dt.datetime) -> None:
        """Schedule the write of a use; return at once and raise nothing."""
        with self._lock:
            last = self._noted.get(row_id)
            if last is not None and moment - last < NOTED_EVERY:
                return
            self._noted[row_id] = moment
            if self._thread is None:
                self._thread = threading.Thread(target=self._write_all, name="key-uses", daemon=True)
                self._thread.start()
        try:
            self._waiting.put_nowait((row_id, moment))
        except queue.Full:
            _log.warning(
                "The catalog is slow: the use of %s %s is not noted", self._table.__tablename__, row_id
            )

    def close(self) -> None:
        """Write what is pending, and end the thread."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._waiting.put(None)
            thread.join()

    def _write_all(self) -> None:
        while (use := self._waiting.get()) is not None:
            try:
                self._write(*use)
            except SQLAlchemyError as error:
                _log.warning(
                    "The use of %s %s is not noted: %s",
                    self._table.__tablename__,
                    use[0],
                    type(error).__name__,
                )

    def _write(self, row_id: str, moment: dt.datetime) -> None:
        table = self._table
        is_due = or_(table.last_used_at.is_(None), table.last_used_at <= moment - NOTED_EVERY)
        with self._catalog.transaction() as session:
            session.execute(update(table).where(table.id == row_id, is_due).values(last_used_at=moment))
