from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.postgres import postgres_programs
from tests.system.cluster import Cluster, running_cluster
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
def cluster() -> Iterator[Cluster]:
    """An empty catalog in PostgreSQL and an empty bucket, for several homes; skips without PostgreSQL."""
    programs = postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed (make system-deps)")
    with running_cluster(programs) as cluster:
        yield cluster


@pytest.fixture(params=["home", pytest.param("cluster", marks=pytest.mark.postgres)])
def any_cluster(request: pytest.FixtureRequest) -> Cluster | None:
    """None, for everything in one home, and the same test again on a cluster."""
    found: Cluster | None = None if request.param == "home" else request.getfixturevalue("cluster")
    return found
