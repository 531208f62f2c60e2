"""A running server, as for the API's tests, and browsers of users of its team."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.conftest import api, lite, shared
from tests.server.served import Api
from tests.web.browser import Browser
from tests.web.pages import entered

__all__ = ["api", "lite", "shared"]


@pytest.fixture
def invoices(lite: Api) -> None:
    """A parser."""
    lite.parser()


@pytest.fixture
def ann(lite: Api) -> Iterator[Browser]:
    with entered(lite) as browser:
        yield browser


@pytest.fixture
def owner(api: Api) -> Iterator[Browser]:
    with entered(api, "owner") as browser:
        yield browser
