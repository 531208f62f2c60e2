"""The time of each API key's last use, written to the catalog by a thread so that no request waits."""

from __future__ import annotations

import datetime as dt
import logging
import queue
import threading

from sqlalchemy import or_, update
from sqlalchemy.exc import SQLAlchemyError

from docduck.catalog.database import Catalog
from docduck.catalog.models import ApiKey

NOTED_EVERY = dt.timedelta(minutes=1)
"""Minimum time between two writes for a key."""

_MOST_WAITING = 1000
_log = logging.getLogger(__name__)


class KeyUsage:
    """Write the last use of keys from a thread, at most once a minute per key."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._lock = threading.Lock()
        self._noted: dict[str, dt.datetime] = {}
        self._waiting: queue.Queue[tuple[str, dt.datetime] | None] = queue.Queue(_MOST_WAITING)
        self._thread: threading.Thread | None = None

    def note(self, key_id: str, moment: dt.datetime) -> None:
        """Schedule the write of a key's use; return at once and raise nothing."""
        with self._lock:
            last = self._noted.get(key_id)
            if last is not None and moment - last < NOTED_EVERY:
                return
            self._noted[key_id] = moment
            if self._thread is None:
                self._thread = threading.Thread(target=self._write_all, name="key-uses", daemon=True)
                self._thread.start()
        try:
            self._waiting.put_nowait((key_id, moment))
        except queue.Full:
            _log.warning("The catalog is slow: the use of key %s is not noted", key_id)

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
                _log.warning("The use of key %s is not noted: %s", use[0], type(error).__name__)

    def _write(self, key_id: str, moment: dt.datetime) -> None:
        is_due = or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at <= moment - NOTED_EVERY)
        with self._catalog.transaction() as session:
            session.execute(update(ApiKey).where(ApiKey.id == key_id, is_due).values(last_used_at=moment))
