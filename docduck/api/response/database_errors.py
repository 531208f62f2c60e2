"""Errors of the database and the disk that pass: told as 503, so that clients try again (contract F1)."""

from __future__ import annotations

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from docduck.errors import Transient

_AWAY = "The catalog is away for the moment"
_BUSY = "The catalog is too busy for the moment"
_CLASHED = "Another request changed the same thing at the same time; try again"
_FULL = "The file store can't be written for the moment"

_SQLSTATES = {"08": _AWAY, "40": _CLASHED, "53": _BUSY, "55P03": _CLASHED, "57": _AWAY, "58": _AWAY}
"""PostgreSQL's classes of errors that pass, and single errors: connection, deadlock and serialization,
resources, a lock that is not to be had, the operator's intervention, the system."""

_SQLITE = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_IOERR: _AWAY,
    sqlite3.SQLITE_FULL: _AWAY,
    sqlite3.SQLITE_CANTOPEN: _AWAY,
    sqlite3.SQLITE_READONLY: _AWAY,
}
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE}


def outage(error: Exception) -> Transient | None:
    """What ``error`` is for a client when it passes by itself; None for a defect."""
    if isinstance(error, OSError) and error.errno in _DISK:
        return Transient(_FULL)
    if isinstance(error, NoConnection):
        return Transient(_BUSY)
    if not isinstance(error, DBAPIError):
        return None
    if error.connection_invalidated:
        return Transient(_AWAY)
    words = _words(error.orig)
    return Transient(words) if words else None


def _words(cause: BaseException | None) -> str | None:
    if isinstance(cause, sqlite3.Error):
        return _SQLITE.get(getattr(cause, "sqlite_errorcode", -1) & 0xFF)
    state = getattr(cause, "pgcode", None)
    if state is None:
        # The driver has no code from a server that it did not reach.
        return _AWAY if type(cause).__name__ in ("OperationalError", "InterfaceError") else None
    return _SQLSTATES.get(state) or _SQLSTATES.get(state[:2])
