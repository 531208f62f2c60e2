"""A running MCP server, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docduck.service.core.installation import Installation
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
