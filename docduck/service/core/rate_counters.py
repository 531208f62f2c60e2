"""Counters of requests per API key, in SQLite or PostgreSQL; ``redis_counters`` has a third kind.

SQLite has one writer, which can be busy for tens of milliseconds; so that requests don't wait for it, the
counters are in a file of their own. On PostgreSQL they are an unlogged table of the catalog: counting costs
no write to disk, and a crash of the server resets the counters.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, delete, text
from sqlalchemy.exc import DBAPIError

from docduck.catalog.database import Catalog, is_disk_full, use_write_ahead_log
from docduck.catalog.models import RateCount
from docduck.errors import Transient

FILE_NAME = "rates.sqlite"

T = TypeVar("T")

_log = logging.getLogger(__name__)

_BUSY_SECONDS = 5
_TRIES = 5
_TABLE = """
    CREATE TABLE IF NOT EXISTS rate_counts (
        key_id TEXT PRIMARY KEY, minute INTEGER NOT NULL, minute_count INTEGER NOT NULL,
        day INTEGER NOT NULL, day_count INTEGER NOT NULL
    ) WITHOUT ROWID
"""
# One statement, so that concurrent counts are exact: at a limit it changes and returns nothing. If the clock
# is one window behind, the request counts for the later window; larger differences reset the window.
_FRESH_MINUTE = "(r.minute < excluded.minute OR r.minute > excluded.minute + 1)"
_FRESH_DAY = "(r.day < excluded.day OR r.day > excluded.day + 1)"
_TAKE = f"""
    INSERT INTO rate_counts AS r (key_id, minute, minute_count, day, day_count)
    VALUES (:key_id, :minute, 1, :day, 1)
    ON CONFLICT (key_id) DO UPDATE SET
        minute = CASE WHEN {_FRESH_MINUTE} THEN excluded.minute ELSE r.minute END,
        minute_count = CASE WHEN {_FRESH_MINUTE} THEN 1 ELSE r.minute_count + 1 END,
        day = CASE WHEN {_FRESH_DAY} THEN excluded.day ELSE r.day END,
        day_count = CASE WHEN {_FRESH_DAY} THEN 1 ELSE r.day_count + 1 END
    WHERE ({_FRESH_MINUTE} OR :most_minute = 0 OR r.minute_count < :most_minute)
      AND ({_FRESH_DAY} OR :most_day = 0 OR r.day_count < :most_day)
    RETURNING minute, minute_count, day, day_count
"""
_GIVE_BACK = """
    UPDATE rate_counts SET minute_count = minute_count - 1, day_count = day_count - 1
    WHERE key_id = :key_id AND minute = :minute AND day = :day AND minute_count > 0 AND day_count > 0
"""
_LOOK = "SELECT minute, minute_count, day, day_count FROM rate_counts WHERE key_id = :key_id"


@dataclass(frozen=True, slots=True)
class Counts:
    """Requests of a key in a minute and a day (numbered since 1970, UTC); ``taken`` if the request was
    counted.
    """

    taken: bool
    minute: int
    minute_count: int
    day: int
    day_count: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Most requests per window; 0 means no limit."""

    minute: int
    day: int


class RateCounters(Protocol):
    """Counters of requests, exact across processes."""

    def take(self, key_id: str, minute: int, day: int, limits: Limits) -> Counts:
        """Count a request unless a limit is reached; raise Transient if the store can't be reached."""

    def give_back(self, key_id: str, counts: Counts) -> None:
        """Take back a request that was counted, while its minute and day last; raise Transient."""

    def forget_before(self, day: int) -> int:
        """Remove the counters of keys not used since ``day``; return how many. Raise Transient."""

    def close(self) -> None:
        """Close connections."""


class SqliteCounters:
    """Counters in a SQLite file, with one connection for all threads of the process.

    While the disk is full, each process counts in its own memory, so that requests that only read go on.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._substitute: sqlite3.Connection | None = None

    def take(self, key_id: str, minute: int, day: int, limits: Limits) -> Counts:
        values = _values(key_id, minute, day, limits)
        return self._counting(lambda connection: _take(connection, values))

    def give_back(self, key_id: str, counts: Counts) -> None:
        values = {"key_id": key_id, "minute": counts.minute, "day": counts.day}
        self._counting(lambda connection: connection.execute(_GIVE_BACK, values))

    def forget_before(self, day: int) -> int:
        old = "DELETE FROM rate_counts WHERE day < ?"
        return self._counting(lambda connection: connection.execute(old, (day,)).rowcount)

    def close(self) -> None:
        with self._lock:
            for connection in (self._connection, self._substitute):
                if connection is not None:
                    connection.close()
            self._connection = self._substitute = None

    def _counting(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock:
            try:
                try:
                    return work(self._connected())
                except sqlite3.OperationalError as error:
                    if not is_disk_full(error):
                        raise
                    return work(self._in_memory())
            except sqlite3.Error as error:
                _log.error("%s can't count requests: %s", self._path, error)
                raise Transient("Requests can't be counted for the moment") from error

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = _opened(self._path)
        return self._connection

    def _in_memory(self) -> sqlite3.Connection:
        if self._substitute is None:
            self._substitute = _opened(":memory:")
        return self._substitute


def _opened(path: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    use_write_ahead_log(connection, _BUSY_SECONDS)
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute(_TABLE)
    return connection


def _take(connection: sqlite3.Connection, values: dict[str, Any]) -> Counts:
    # In autocommit, the statement is a transaction.
    if row := connection.execute(_TAKE, values).fetchone():
        return Counts(True, *row)
    return Counts(False, *connection.execute(_LOOK, values).fetchone())


class CatalogCounters:
    """Counters in the catalog, on PostgreSQL."""

    def __init__(self, catalog: Catalog) -> None:
        # Autocommit: one round trip instead of three.
        self._engine = catalog.engine.execution_options(isolation_level="AUTOCOMMIT")

    def take(self, key_id: str, minute: int, day: int, limits: Limits) -> Counts:
        values = _values(key_id, minute, day, limits)
        with self._counting() as connection:
            for _ in range(_TRIES):
                if row := connection.execute(text(_TAKE), values).one_or_none():
                    return Counts(True, *row)
                seen: Any = connection.execute(text(_LOOK), values).one_or_none()
                # A new window may have begun in between.
                if seen is not None and _is_full(seen, limits):
                    return Counts(False, *seen)
        raise Transient("The requests of this key can't be counted for the moment")

    def give_back(self, key_id: str, counts: Counts) -> None:
        values = {"key_id": key_id, "minute": counts.minute, "day": counts.day}
        with self._counting() as connection:
            connection.execute(text(_GIVE_BACK), values)

    def forget_before(self, day: int) -> int:
        with self._counting() as connection:
            return connection.execute(delete(RateCount).where(RateCount.day < day)).rowcount

    def close(self) -> None:
        pass

    @contextmanager
    def _counting(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except DBAPIError as error:
            raise Transient("The catalog can't count requests") from error


def _values(key_id: str, minute: int, day: int, limits: Limits) -> dict[str, Any]:
    return {
        "key_id": key_id,
        "minute": minute,
        "day": day,
        "most_minute": limits.minute,
        "most_day": limits.day,
    }


def _is_full(row: Any, limits: Limits) -> bool:
    return bool(0 < limits.minute <= row.minute_count or 0 < limits.day <= row.day_count)
