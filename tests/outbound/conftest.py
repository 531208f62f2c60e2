"""Another site, and an address that nobody may connect to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.outbound.web import Canary, Site, running


@pytest.fixture
def web() -> Iterator[tuple[Site, Canary]]:
    with running() as (site, canary):
        yield site, canary
        assert canary.connections == 0
