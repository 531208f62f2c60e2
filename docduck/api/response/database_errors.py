"""Temporary errors of the database and the disk: answered with 503, so that clients try again."""

from __future__ import annotations

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from docduck.errors import NO_SPACE, DiskFull, Transient

_UNAVAILABLE = "The catalog is away for the moment"
_BUSY = "The catalog is too busy for the moment"
_CONFLICT = "Another request changed the same thing at the same time; try again"
_FULL = "The file store can't be written for the moment"
_DISK_FAILS = "The server's disk can't be read or written for the moment; it may be full"
_NO_ROOM = "The server's disk is full: nothing can be stored until there is room"

_SQLSTATES = {
    "08": _UNAVAILABLE,
    "40": _CONFLICT,
    "53": _BUSY,
    "53100": _NO_ROOM,
    "55P03": _CONFLICT,
    "57": _UNAVAILABLE,
    "58": _UNAVAILABLE,
}
"""PostgreSQL's temporary errors by SQLSTATE class or code: connection, deadlock and serialization,
resources, lock not available, operator intervention, system."""

_SQLITE = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_IOERR: _DISK_FAILS,
    sqlite3.SQLITE_FULL: _NO_ROOM,
    sqlite3.SQLITE_CANTOPEN: _UNAVAILABLE,
    sqlite3.SQLITE_READONLY: _UNAVAILABLE,
}
_DISK = {errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE}


def transient_error(error: Exception) -> Transient | None:
    """Return the Transient that a temporary error is for a client; None for a defect."""
    if isinstance(error, OSError) and error.errno in NO_SPACE:
        return DiskFull(_NO_ROOM)
    if isinstance(error, OSError) and error.errno in _DISK:
        return Transient(_FULL)
    if isinstance(error, NoConnection):
        return Transient(_BUSY)
    if not isinstance(error, DBAPIError):
        return None
    if error.connection_invalidated:
        return Transient(_UNAVAILABLE)
    message = _message(error.orig)
    if message is None:
        return None
    return DiskFull(message) if message == _NO_ROOM else Transient(message)


def _message(cause: BaseException | None) -> str | None:
    if isinstance(cause, sqlite3.Error):
        return _SQLITE.get(getattr(cause, "sqlite_errorcode", -1) & 0xFF)
    state = getattr(cause, "pgcode", None)
    if state is None:
        # There is no code if the driver did not reach the server.
        return _UNAVAILABLE if type(cause).__name__ in ("OperationalError", "InterfaceError") else None
    return _SQLSTATES.get(state) or _SQLSTATES.get(state[:2])
