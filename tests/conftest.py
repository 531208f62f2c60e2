"""What all tests share: an installation of their own, on SQLite or on a real PostgreSQL."""

from __future__ import annotations

import gc
import shutil
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, make_url

from docduck import plugins
from docduck.catalog.models import HomeRecord
from docduck.service.core.installation import Installation, open_installation
from docduck.settings import Settings
from tests.browser import CHROMIUM, close_chromium
from tests.constants import Constants, set_constants, split
from tests.outbound.web import Site, running
from tests.postgres import new_database, postgres_programs, postgres_running
from tests.service.webhooks.receiver import Receiver, receiving
from tests.shared import share

__all__ = ["set_constants"]

MakeInstallation = Callable[..., Installation]

share()


def pytest_configure(config: pytest.Config) -> None:
    """Stop if docduck was installed before its entry points changed: their values would just be missing."""
    project = tomllib.loads((config.rootpath / "pyproject.toml").read_text())["project"]
    installed = {(f"docduck.{plugin.group}", plugin.name) for plugin in plugins.plugins("extractors")}
    missing = [
        f"{group}: {name}"
        for group, names in project["entry-points"].items()
        for name in names
        if group.startswith("docduck.") and (group, name) not in installed
    ]
    if missing:
        remedy = "python -m pip install --no-deps --no-build-isolation -e ."
        pytest.exit(f"Not installed: {', '.join(missing)}. Run {remedy}", pytest.ExitCode.USAGE_ERROR)


def pytest_collection_finish() -> None:
    """Keep what is there for all tests out of the garbage collections of each."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """End the browser of this process."""
    close_chromium()


_ONE_DATABASE = (
    *("api", "mcp", "web", "service/accounts", "service/classifiers", "service/corrections"),
    *("service/documents", "service/folders", "service/outputs", "service/parsers"),
    *("service/provisioning", "service/reviews", "service/upkeep"),
)
"""Folders of ``tests`` whose tests on PostgreSQL are extended.

Those of what translates for services, and of services whose statements are the same on both databases.
Queues, searches, sources, uploads, webhooks and the like are tested on both each time.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what opens an installation, and what repeats on PostgreSQL how a service is asked.

    Skip what needs Chromium where there is none.
    """
    without_chromium = pytest.mark.skip(reason="Chromium is not installed (make system-deps)")
    for item in items:
        fixtures = item.fixturenames if isinstance(item, pytest.Function) else ()
        if item.get_closest_marker("browser") and not CHROMIUM.exists():
            item.add_marker(without_chromium)
        if "make_installation" in fixtures:
            item.add_marker("installed")
        if "any_inst" in fixtures and item.get_closest_marker("postgres"):
            folders = (item.config.rootpath / "tests" / folder for folder in _ONE_DATABASE)
            if any(item.path.is_relative_to(folder) for folder in folders):
                item.add_marker("extended")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty catalog, which others are copied from."""
    home = tmp_path_factory.mktemp("template")
    open_installation(Settings(home=home)).close()
    return home / "catalog.sqlite"


@pytest.fixture
def make_installation(tmp_path: Path, sqlite_template: Path) -> Iterator[MakeInstallation]:
    """Opens an installation in a folder of its own; keyword arguments are settings, or constants."""
    opened: list[Installation] = []
    constants = Constants()

    def make(**changes: Any) -> Installation:
        defaults: dict[str, Any] = {
            "home": tmp_path / "home",
            "workers": 2,
            "settle_seconds": 0,
            "empty_settle_seconds": 0,
            "publish_seconds": 0,
            "publish_catalog_factor": 0,
            "publish_copy_factor": 0,
            "run_idle_seconds": 0,
            "run_warm_seconds": 0,
        }
        values, others = split({**defaults, **changes})
        constants.set(others)
        settings = Settings(**values)
        if settings.catalog_url is None and not settings.home.exists():
            settings.home.mkdir(mode=0o700, parents=True)
            shutil.copy(sqlite_template, settings.home)
        opened.append(open_installation(settings))
        return opened[-1]

    yield make
    for installation in opened:
        installation.close()
    constants.reset()


@pytest.fixture
def inst(make_installation: MakeInstallation) -> Installation:
    """An installation on SQLite."""
    return make_installation()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def any_inst(request: pytest.FixtureRequest, make_installation: MakeInstallation) -> Installation:
    """An installation on SQLite, and the same test again on PostgreSQL."""
    if request.param == "sqlite":
        return make_installation()
    return make_installation(catalog_url=request.getfixturevalue("postgres_catalog"))


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver of webhooks, or of traces."""
    with receiving() as found:
        yield found


@pytest.fixture
def site() -> Iterator[Site]:
    """Another site."""
    with running() as (site, _):
        yield site


@pytest.fixture(scope="session")
def bucket_server() -> Iterator[str]:
    """The address of a server that speaks S3."""
    from tests.object_store import object_store

    with object_store() as address:
        yield address


@pytest.fixture
def lake_settings(
    postgres_catalog: str, bucket_server: str, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """Settings of an installation whose tables are in a lake, with an empty catalog and an empty bucket."""
    from tests.object_store import KEYS, new_bucket

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEYS["access_key"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEYS["secret_key"])
    bucket = new_bucket(bucket_server).config["bucket"]
    return {
        "catalog_url": postgres_catalog,
        "lake_url": f"s3://{bucket}/lake",
        "files_endpoint": bucket_server,
    }


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A PostgreSQL server of the tests' own, on a socket in a temporary folder; skips without one."""
    programs = postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed (make system-deps)")
    with postgres_running(programs, in_memory=True) as address:
        yield address


@pytest.fixture
def postgres_database(postgres_server: str) -> Iterator[str]:
    """The address of an empty database."""
    with new_database(postgres_server) as address:
        yield address


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a database with an empty catalog, which others are copied from."""
    with new_database(postgres_server) as address:
        home = tmp_path_factory.mktemp("template")
        installation = open_installation(Settings(home=home, catalog_url=address))
        with installation.catalog.transaction() as session:
            session.execute(delete(HomeRecord))
        installation.close()
        yield str(make_url(address).database)


@pytest.fixture
def postgres_catalog(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """The address of a database with an empty catalog."""
    with new_database(postgres_server, f"TEMPLATE {postgres_template}") as address:
        yield address
