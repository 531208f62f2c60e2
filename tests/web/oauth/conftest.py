"""A running server with a member, who is signed in, and a registered client."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.conftest import api, lite
from tests.conformance import conformance
from tests.server.served import Api
from tests.web.oauth.dance import Dance, member, opened

__all__ = ["api", "conformance", "lite"]


@pytest.fixture(autouse=True)
def _closing() -> Iterator[None]:
    yield
    while opened:
        opened.pop().close()


@pytest.fixture
def ann(api: Api) -> str:
    """The id of a member of the team."""
    return member(api)


@pytest.fixture
def dance(api: Api, ann: str) -> Dance:
    """Ann at her browser, and a client that asks her."""
    return Dance(api)
