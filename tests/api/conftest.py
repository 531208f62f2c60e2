"""A running server for the API's tests, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docduck.service.core.installation import Installation, open_installation
from docduck.settings import Settings
from tests.server.served import Api, serving


@pytest.fixture
def api(any_inst: Installation) -> Iterator[Api]:
    """The API of an installation, served over a socket; each test runs on both databases."""
    with serving(any_inst) as api:
        yield api


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """One server for all that a module's tests ask and that is refused."""
    home = tmp_path_factory.mktemp("shared")
    inst = open_installation(Settings(home=home, rate_limit_minute=0, rate_limit_day=0))
    with serving(inst) as api:
        yield api
    inst.close()


@pytest.fixture
def lite(inst: Installation) -> Iterator[Api]:
    """The same on SQLite alone, for what no database can change."""
    with serving(inst) as api:
        yield api
