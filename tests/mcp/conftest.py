"""A running MCP server, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docduck.service.core.installation import Installation, open_installation
from docduck.settings import Settings
from tests.conformance import conformance
from tests.mcp.served import Agent, serving_mcp

__all__ = ["conformance"]


@pytest.fixture
def agent(any_inst: Installation) -> Iterator[Agent]:
    """An agent of an owner; each test runs on both databases."""
    with serving_mcp(any_inst) as agent:
        yield agent


@pytest.fixture
def lite(inst: Installation) -> Iterator[Agent]:
    """The same on SQLite alone, for what no database can change."""
    with serving_mcp(inst) as agent:
        yield agent


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """One server for all tests of a module that don't disturb each other."""
    home = tmp_path_factory.mktemp("shared")
    inst = open_installation(Settings(home=home, rate_limit_minute=0, rate_limit_day=0))
    with serving_mcp(inst) as agent:
        yield agent
    inst.close()


@pytest.fixture
def shared(served: Agent) -> Agent:
    """An agent of the owner of a module's server."""
    return Agent(served.api, served.tokens, served.token, served.user)
