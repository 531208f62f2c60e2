"""A running server for the API's tests, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docduck.service.core.installation import Installation
from tests.server.served import Api, serving


@pytest.fixture
def api(any_inst: Installation) -> Iterator[Api]:
    """The API of an installation, served over a socket; each test runs on both databases."""
    with serving(any_inst) as api:
        yield api


@pytest.fixture
def lite(inst: Installation) -> Iterator[Api]:
    """The same on SQLite alone, for what no database can change."""
    with serving(inst) as api:
        yield api
