from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.object_store import KEYS, new_bucket, object_store
from tests.system.docduck import Docduck

MakeDocduck = Callable[..., Docduck]


@pytest.fixture
def make_docduck(tmp_path: Path) -> Iterator[MakeDocduck]:
    """Makes a docduck on a home of its own; keyword arguments are settings. What is left is killed."""
    made: list[Docduck] = []

    def make(**settings: object) -> Docduck:
        made.append(Docduck(tmp_path / "home", **settings))
        return made[-1]

    yield make
    for docduck in made:
        docduck.kill()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Docduck]:
    """A docduck with the samples that runs for a whole module, with the settings that everyone gets."""
    docduck = Docduck(tmp_path_factory.mktemp("docduck") / "home")
    try:
        docduck.start("--samples")
        yield docduck
        docduck.stop()
    finally:
        docduck.kill()


@pytest.fixture
def cluster(postgres_database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The settings of homes that share an empty PostgreSQL database and an empty bucket."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEYS["access_key"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEYS["secret_key"])
    with object_store() as server:
        bucket = new_bucket(server).config["bucket"]
        yield {
            "catalog_url": postgres_database,
            "files_url": f"s3://{bucket}",
            "files_endpoint": server,
        }


@pytest.fixture(params=["home", pytest.param("cluster", marks=pytest.mark.postgres)])
def places(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Settings of where the catalog and the files are: in the home, and again in PostgreSQL and a bucket."""
    found: dict[str, Any] = {} if request.param == "home" else request.getfixturevalue("cluster")
    return found
