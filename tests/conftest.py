"""What all tests share: an installation of their own, on SQLite or on a real PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from docduck.service.installation import Installation, open_installation
from docduck.settings import Settings
from tests.postgres import postgres_programs, postgres_running

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
def postgres_server() -> Iterator[str]:
    """A PostgreSQL server of the tests' own, on a socket in a temporary folder; skips without one."""
    programs = postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed (make system-deps)")
    with postgres_running(programs) as address:
        yield address


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
