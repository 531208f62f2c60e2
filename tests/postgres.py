"""A PostgreSQL server for tests and benchmarks."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import NullPool, create_engine, make_url, text

_MEMORY = Path("/dev/shm")
_MUCH = 2 * 1024**3


@contextmanager
def postgres_running(
    programs: Path, options: Sequence[str] = (), *, in_memory: bool = False
) -> Iterator[str]:
    """A server on a socket in a temporary folder; gives the address of its first database.

    ``in_memory`` keeps its files in memory where there is enough. On ext4, each creation of a database takes
    longer than the one before, because inodes of files that were deleted just now are not used again.
    """
    is_roomy = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _MUCH
    # Short, because a socket's path may have 107 characters only.
    folder = Path(tempfile.mkdtemp(prefix="dd-pg-", dir=_MEMORY if in_memory and is_roomy else None))
    if os.geteuid() == 0:
        # The server refuses to run as root.
        shutil.chown(folder, "postgres")
    run = partial(_run, programs, folder)
    run("initdb", "-A", "trust", "-U", "docduck", "--no-sync", "-E", "UTF8")
    given = ["listen_addresses=''", f"unix_socket_directories={folder}", "fsync=off", *options]
    start = " ".join(f"-c {option}" for option in given)
    run("pg_ctl", "-o", start, "-l", str(folder / "log"), "-w", "start")
    try:
        yield f"postgresql+psycopg2://docduck@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def restart_postgres(programs: Path, address: str) -> None:
    """Kill a server of ``postgres_running`` in the middle of its work, and start it again."""
    folder = Path(str(make_url(address).query["host"]))
    _run(programs, folder, "pg_ctl", "-l", str(folder / "log"), "-m", "immediate", "-w", "restart")


def _run(programs: Path, folder: Path, program: str, *arguments: str) -> None:
    as_user: dict[str, Any] = {"user": "postgres", "cwd": folder} if os.geteuid() == 0 else {}
    command = [str(programs / program), "-D", str(folder / "data"), *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=60, **as_user)


@contextmanager
def new_database(server: str, options: str = "") -> Iterator[str]:
    """Yield the address of a new database of a server."""
    name = f"test_{uuid.uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} {options}"))
    yield server.replace("/postgres?", f"/{name}?")
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


def postgres_programs() -> Path | None:
    """The folder of the server's programs, or None where there is none."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if versions:
        return versions[-1].parent
    found = shutil.which("initdb")
    return Path(found).parent if found else None
