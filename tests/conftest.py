"""What all tests share: an installation of their own, on SQLite or on a real PostgreSQL."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from docduck.service.installation import Installation, open_installation
from docduck.settings import Settings

MakeInstallation = Callable[..., Installation]


@pytest.fixture
def make_installation(tmp_path: Path) -> Iterator[MakeInstallation]:
    """Opens an installation in a folder of its own; keyword arguments are settings."""
    opened: list[Installation] = []

    def make(**changes: Any) -> Installation:
        defaults: dict[str, Any] = {
            "home": tmp_path / "home",
            "workers": 2,
            "settle_seconds": 0,
            "empty_settle_seconds": 0,
            "publish_seconds": 0,
            "publish_copy_factor": 0,
            "drain_idle_seconds": 0,
        }
        opened.append(open_installation(Settings(**{**defaults, **changes})))
        return opened[-1]

    yield make
    for installation in opened:
        installation.close()


@pytest.fixture
def inst(make_installation: MakeInstallation) -> Installation:
    """An installation on SQLite."""
    return make_installation()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def any_inst(request: pytest.FixtureRequest, make_installation: MakeInstallation) -> Installation:
    """An installation on SQLite, and the same test again on PostgreSQL."""
    if request.param == "sqlite":
        return make_installation()
    return make_installation(catalog_url=request.getfixturevalue("postgres_database"))


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PostgreSQL server of the tests' own, on a socket in a temporary folder; skips without one."""
    programs = _postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed (make system-deps)")
    # Short, because a socket's path may have 107 characters only.
    folder = Path(tempfile.mkdtemp(prefix="dd-pg-"))
    as_user: dict[str, Any] = {}
    if os.geteuid() == 0:
        # The server refuses to run as root.
        shutil.chown(folder, "postgres")
        as_user = {"user": "postgres", "cwd": folder}
    data = folder / "data"

    def run(program: str, *arguments: str) -> None:
        subprocess.run(
            [programs / program, *arguments], check=True, stdout=subprocess.DEVNULL, timeout=60, **as_user
        )

    run("initdb", "-D", str(data), "-A", "trust", "-U", "docduck", "--no-sync", "-E", "UTF8")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    run("pg_ctl", "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        yield f"postgresql+psycopg2://docduck@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_database(postgres_server: str) -> Iterator[str]:
    """The address of an empty database."""
    name = f"test_{uuid.uuid4().hex}"
    engine = create_engine(postgres_server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield postgres_server.replace("/postgres?", f"/{name}?")
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


def _postgres_programs() -> Path | None:
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if versions:
        return versions[-1].parent
    found = shutil.which("initdb")
    return Path(found).parent if found else None
