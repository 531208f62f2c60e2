"""A receiver, and installations that deliver to it."""

from __future__ import annotations

import pytest

from docduck.service.core.installation import Installation
from tests.conftest import MakeInstallation
from tests.service.webhooks.receiver import INSECURE


@pytest.fixture
def lite(make_installation: MakeInstallation) -> Installation:
    """An installation on SQLite that delivers to loopback."""
    return make_installation(**INSECURE)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def each_inst(request: pytest.FixtureRequest, make_installation: MakeInstallation) -> Installation:
    """The same, and once more on PostgreSQL."""
    if request.param == "sqlite":
        return make_installation(**INSECURE)
    return make_installation(catalog_url=request.getfixturevalue("postgres_catalog"), **INSECURE)
