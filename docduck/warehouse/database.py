"""Opening DuckDB files and translating DuckDB's errors."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import duckdb

from docduck.errors import Conflict, InputError, Transient
from docduck.warehouse.names import literal

if TYPE_CHECKING:
    from docduck.outbound.object_store import Bucket

STORAGE_VERSION = "v1.5.0"
"""The storage format: the oldest DuckDB version that can open the files."""

_STORAGE = f"STORAGE_VERSION {literal(STORAGE_VERSION)}"
_PAUSE = 0.05
_READER_WAITS = 2.0
_HELD = ("set lock on file", "already attached", "handle conflict")
_NO_SPACE = "No space left"
_PASSING = (
    duckdb.IOException,
    duckdb.OutOfMemoryException,
    duckdb.TransactionException,
    duckdb.FatalException,
)


@dataclass(frozen=True, slots=True)
class DuckDBOptions:
    """Options of DuckDB: ``memory_limit`` (``512MB``) and ``threads``, DuckDB's defaults if None, and the
    seconds to wait for a file that another program holds.

    With a ``lake``, what is published is a catalog of files in that bucket, and else a DuckDB file.
    """

    memory_limit: str | None
    threads: int | None
    timeout: float
    lake: Bucket | None = None

    def connected(self, path: Path) -> duckdb.DuckDBPyConnection:
        """Return a connection with a DuckDB instance of its own; temporary files are beside ``path``."""
        limits = {"memory_limit": self.memory_limit, "threads": self.threads}
        return duckdb.connect(
            ":memory:",
            config={
                **{name: value for name, value in limits.items() if value is not None},
                "temp_directory": str(path.with_name(path.name + ".tmp")),
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
            },
        )

    @contextmanager
    def attached(
        self, path: Path, name: str = "warehouse", *, read_only: bool = False
    ) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a connection with the file attached as default database ``name``; create the file if missing.

        Each connection has its own DuckDB instance, so that a replaced file is never read from a cache. There
        is no network access, and a ``read_only`` connection, which runs users' SQL, can't access other files.
        Raise Transient while another program holds the file or the disk is full, Conflict if the file can't
        be read.
        """
        connection = self.connected(path)
        try:
            seconds = min(self.timeout, _READER_WAITS) if read_only else self.timeout
            attach(connection, path, name, read_only=read_only, seconds=seconds)
            if read_only:
                connection.execute("SET enable_external_access = false; SET lock_configuration = true")
            yield connection
        finally:
            connection.close()


def attach(
    connection: duckdb.DuckDBPyConnection, path: Path, name: str, *, read_only: bool, seconds: float
) -> None:
    """Attach a file as default database ``name``; create it if missing, unless ``read_only``.

    Raise Transient if another program holds the file for ``seconds`` or the disk is full, Conflict if the
    file can't be read.
    """
    option = "READ_ONLY" if read_only else _STORAGE
    deadline = time.monotonic() + seconds
    while True:
        try:
            if not read_only and not path.exists():
                _create(connection, path)
            connection.execute(f"ATTACH {literal(str(path))} AS {name} ({option})")
            connection.execute(f"USE {name}")
            return
        except duckdb.Error as error:
            if _NO_SPACE in str(error):
                raise Transient(f"The disk of {path} is full") from error
            if not any(sign in str(error) for sign in _HELD):
                raise Conflict(
                    f"{path} can't be opened as a DuckDB file: {error}."
                    " `docduck warehouse rebuild` makes it anew from the catalog"
                ) from error
            if time.monotonic() > deadline:
                remedy = "open it there with -readonly" if read_only else "query analytics.duckdb instead"
                raise Transient(
                    f"{path} is held open by another program: close it, and {remedy} ({error})"
                ) from error
            time.sleep(_PAUSE)


def _create(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Create an empty file, whole or not at all, also when the disk is full or the process is killed."""
    new = path.with_name(f".{path.name}-{uuid4()}")
    try:
        connection.execute(f"ATTACH {literal(str(new))} AS new ({_STORAGE})")
        connection.execute("DETACH new")
        with suppress(FileExistsError):
            path.hardlink_to(new)
    finally:
        new.unlink(missing_ok=True)


def check_published(path: Path) -> None:
    """Raise InputError if nothing is published yet at ``path``."""
    if not path.exists():
        raise InputError(
            f"There is no {path} yet: it appears after the first document was processed,"
            " or with `docduck warehouse rebuild`"
        )


@contextmanager
def reading(engine: DuckDBOptions, path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a read-only connection to what is published at ``path``, and to nothing else.

    Raise InputError if nothing is published yet, and Transient if it can't be read at the moment.
    """
    check_published(path)
    if engine.lake is None:
        with engine.attached(path, "analytics", read_only=True) as connection:
            yield connection
    else:
        from docduck.warehouse.lake.attaching import catalog_attached

        with engine.connected(path) as connection, catalog_attached(connection, path, engine.lake):
            yield connection


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Commit at the end of the block or roll back; raise Transient for failures of disk, memory or another
    writer.
    """
    try:
        connection.execute("BEGIN")
        yield
        connection.execute("COMMIT")
    except _PASSING as error:
        raise Transient(f"The warehouse could not be written: {error}") from error
