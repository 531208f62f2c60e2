"""Where the requests of a key are counted: SQLite, PostgreSQL; ``redis_counts`` is the third.

The catalog's one writer on SQLite holds it for tens of milliseconds at a time, and a request must not
wait for that: there, counts are in a file of their own. On PostgreSQL they are a row of the catalog,
in a table that is not logged: a crash of the server forgets them, and each costs no write to disk.
"""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import delete, text
from sqlalchemy.exc import DBAPIError

from docduck.catalog.database import Catalog
from docduck.catalog.models import RateCount
from docduck.errors import Transient

FILE_NAME = "rates.sqlite"

_BUSY_SECONDS = 5
_TRIES = 5
_TABLE = """
    CREATE TABLE IF NOT EXISTS rate_counts (
        key_id TEXT PRIMARY KEY, minute INTEGER NOT NULL, minute_count INTEGER NOT NULL,
        day INTEGER NOT NULL, day_count INTEGER NOT NULL
    ) WITHOUT ROWID
"""
# One statement, so that it is exact whoever else counts: nothing changes, and no row comes back, at a
# limit. A clock that is a window behind counts to the later window; one further off is set right.
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
_LOOK = "SELECT minute, minute_count, day, day_count FROM rate_counts WHERE key_id = :key_id"


@dataclass(frozen=True, slots=True)
class Counts:
    """Requests of a key in a minute and a day, numbered since 1970 in UTC; ``taken`` if one was added."""

    taken: bool
    minute: int
    minute_count: int
    day: int
    day_count: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Most requests in each window; 0 for no limit."""

    minute: int
    day: int


class RateCounts(Protocol):
    """A place where requests are counted, exact however many processes count there."""

    def take(self, key_id: str, minute: int, day: int, limits: Limits) -> Counts:
        """Count one request, unless it is beyond a limit; raises Transient when the place is away."""

    def forget_before(self, day: int) -> int:
        """Remove the counts of keys not used since ``day``; gives how many."""

    def close(self) -> None:
        """Give back connections."""


class SqliteCounts:
    """Counts in a SQLite file; one connection for all threads of the process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def take(self, key_id: str, minute: int, day: int, limits: Limits) -> Counts:
        values = _values(key_id, minute, day, limits)
        with self._lock:
            try:
                # Without a transaction around it, the statement is one.
                connection = self._connected()
                if row := connection.execute(_TAKE, values).fetchone():
                    return Counts(True, *row)
                return Counts(False, *connection.execute(_LOOK, values).fetchone())
            except sqlite3.Error as error:
                raise Transient(f"{self._path} can't count requests: {error}") from error

    def forget_before(self, day: int) -> int:
        with self._lock:
            return self._connected().execute("DELETE FROM rate_counts WHERE day < ?", (day,)).rowcount

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect(
                self._path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(_TABLE)
            self._connection = connection
        return self._connection


class CatalogCounts:
    """Counts in the catalog, for PostgreSQL."""

    def __init__(self, catalog: Catalog) -> None:
        # Each statement is a transaction of its own: one way to the server and back, and not three.
        self._engine = catalog.engine.execution_options(isolation_level="AUTOCOMMIT")

    def take(self, key_id: str, minute: int, day: int, limits: Limits) -> Counts:
        values = _values(key_id, minute, day, limits)
        try:
            with self._engine.connect() as connection:
                for _ in range(_TRIES):
                    if row := connection.execute(text(_TAKE), values).one_or_none():
                        return Counts(True, *row)
                    seen: Any = connection.execute(text(_LOOK), values).one_or_none()
                    # A new window may have begun between the two.
                    if seen is not None and _is_full(seen, limits):
                        return Counts(False, *seen)
        except DBAPIError as error:
            raise Transient("The catalog can't count requests") from error
        raise Transient("The requests of this key can't be counted for the moment")

    def forget_before(self, day: int) -> int:
        with self._engine.connect() as connection:
            return connection.execute(delete(RateCount).where(RateCount.day < day)).rowcount

    def close(self) -> None:
        pass


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
