"""The catalog's engine, with transactions and read sessions."""

from __future__ import annotations

import datetime as dt
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from docduck import clock
from docduck.catalog.json_text import json_text, json_value
from docduck.catalog.writer_queue import WriterQueue
from docduck.errors import InputError

BUSY_SECONDS = 60
_READING_SQLITE = {"docduck_reading": True}
_READING_POSTGRESQL = {"isolation_level": "REPEATABLE READ"}
_KEPT = 5
"""Connections that are kept open."""
_STEPS = 20_000
"""Virtual machine steps of SQLite, some milliseconds, between two checks of the time limit."""
_MODE_PAUSE = 0.01
_QUERY_CANCELED = "57014"
_JSON: dict[str, Any] = {"json_serializer": json_text, "json_deserializer": json_value}


class QueryTimedOut(Exception):
    """A statement exceeded the time limit of its read session."""


class Catalog:
    """The catalog at an SQLAlchemy ``address`` (SQLite or PostgreSQL).

    ``connections`` is the most that a process opens; all but a few are closed after use.
    """

    def __init__(self, address: str, connections: int) -> None:
        pool: dict[str, Any] = {"pool_size": _KEPT, "max_overflow": max(0, connections - _KEPT)}
        url = make_url(address)
        self.is_sqlite = url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
            self.engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, **pool, **_JSON)
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
            self._turn: AbstractContextManager[None] = WriterQueue(BUSY_SECONDS)
        elif url.get_backend_name() == "postgresql":
            self.engine = create_engine(
                url, executemany_mode="values_plus_batch", pool_pre_ping=True, **pool, **_JSON
            )
            self._turn = nullcontext()
        else:
            raise InputError(
                f"DOCDUCK_CATALOG_URL: '{url.get_backend_name()}' is not supported; use sqlite or postgresql",
                "DOCDUCK_CATALOG_URL",
            )

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[Session]:
        """A session that commits at the end of the block and rolls back on an error.

        On SQLite it takes the write lock at its start, so it can't fail half-way; the threads of a process
        get the lock in order. A commit survives a crash of the process; with ``durable``, a power failure as
        well (always the case on PostgreSQL).
        """
        with self._turn, Session(self.engine, expire_on_commit=False) as session:
            session.connection(execution_options={"docduck_durable": durable})
            yield session
            session.commit()

    @contextmanager
    def read_session(self, seconds: float | None = None) -> Iterator[Session]:
        """A session that reads one snapshot and never waits for a writer.

        With ``seconds``, the database aborts a statement that takes longer, and QueryTimedOut is raised.
        """
        with Session(self.engine, expire_on_commit=False) as session:
            connection = session.connection(
                execution_options=_READING_SQLITE if self.is_sqlite else _READING_POSTGRESQL
            )
            if seconds is None:
                yield session
            else:
                with self._limited(connection, seconds):
                    yield session
            session.rollback()

    def reading(self) -> Connection:
        """Return a connection that reads: without a session, a query takes half the time."""
        return self.engine.connect().execution_options(**_READING_SQLITE)

    @contextmanager
    def _limited(self, connection: Connection, seconds: float) -> Iterator[None]:
        try:
            if self.is_sqlite:
                with _interrupted(connection.connection.driver_connection, seconds):
                    yield
            else:
                # Reset at the end of the transaction.
                milliseconds = max(1, round(seconds * 1000))
                connection.exec_driver_sql(f"SET LOCAL statement_timeout = {milliseconds}")
                yield
        except OperationalError as error:
            if _is_timeout(error):
                raise QueryTimedOut from error
            raise

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


@contextmanager
def _interrupted(connection: Any, seconds: float) -> Iterator[None]:
    end = time.monotonic() + seconds
    connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)


def _is_timeout(error: OperationalError) -> bool:
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT
    return getattr(cause, "pgcode", None) == _QUERY_CANCELED


def engine_of(session: Session) -> Engine:
    """Return the session's engine."""
    bind = session.get_bind()
    return bind if isinstance(bind, Engine) else bind.engine


def is_sqlite(session: Session) -> bool:
    """Return whether the session's catalog is SQLite; otherwise it is PostgreSQL."""
    return session.get_bind().dialect.name == "sqlite"


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether an error is one of SQLite on a full disk, of which one has other causes as well."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


def lease_clock(session: Session) -> dt.datetime:
    """Return the moment by which leases are set and compared: that of PostgreSQL's server.

    Machines whose clocks differ would otherwise take each other's claims for lost. SQLite is on this machine.
    """
    if is_sqlite(session):
        return clock.now()
    return clock.milliseconds(session.execute(select(func.clock_timestamp())).scalar_one())


def use_write_ahead_log(connection: sqlite3.Connection, seconds: float) -> None:
    """Set the SQLite database's journal mode to WAL.

    Raise sqlite3.OperationalError if another process holds the database for longer than ``seconds``. SQLite
    itself doesn't wait here: of processes that open a new database at once, only one can change the mode.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_MODE_PAUSE)


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    # The driver's own BEGIN comes too late for BEGIN IMMEDIATE, so it is sent here.
    connection.isolation_level = None
    use_write_ahead_log(connection, BUSY_SECONDS)
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA cache_size=-16000")
    cursor.close()


def _begin_sqlite(connection: Any) -> None:
    options = connection.get_execution_options()
    if options.get("docduck_reading", False):
        connection.exec_driver_sql("BEGIN")
        return
    connection.exec_driver_sql(f"PRAGMA synchronous={'FULL' if options.get('docduck_durable') else 'NORMAL'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")
