"""The MCP project's conformance suite, from the npm registry."""

from __future__ import annotations

import pytest

from tests.npm import npm_install

_PACKAGE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"


@pytest.fixture(scope="session")
def conformance(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Node and the suite's program; skips where they can't be had."""
    folder = tmp_path_factory.mktemp("conformance")
    node = npm_install(folder, _PACKAGE)
    return node, str(folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js")
