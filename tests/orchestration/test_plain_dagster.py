"""Plain Dagster commands in a fresh clone; loading the definitions creates nothing."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.system.docduck import wait_for
from tests.test_project import copy_project

pytestmark = pytest.mark.slow

BIN = Path(sys.executable).parent
LOADED = "{ assetNodes { assetKey { path } } }"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of what is in git."""
    folder = tmp_path / "clone"
    copy_project(folder)
    return folder


def environment(clone: Path) -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("DOCDUCK_", "DAGSTER_"))
    }
    return {
        **kept,
        "HOME": str(clone.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
        "DAGSTER_DISABLE_TELEMETRY": "1",
    }


def files(clone: Path) -> set[str]:
    return {str(path.relative_to(clone)) for path in clone.rglob("*")}


@pytest.mark.parametrize(
    "command",
    [
        ("dagster", "definitions", "validate"),
        ("dagster", "definitions", "validate", "-w", "workspace.yaml"),
        ("dg", "check", "defs"),
        ("dg", "list", "defs"),
    ],
    ids=" ".join,
)
def test_the_definitions_load_in_a_fresh_clone(clone: Path, command: tuple[str, ...]) -> None:
    before = files(clone)
    done = subprocess.run(
        [BIN / command[0], *command[1:]],
        cwd=clone,
        env=environment(clone),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert files(clone) == before


@pytest.mark.parametrize(
    "command", [("dg", "dev", "--port"), ("dagster", "dev", "-w", "workspace.yaml", "-p")], ids=" ".join
)
def test_the_ui_starts_in_a_fresh_clone(clone: Path, command: tuple[str, ...]) -> None:
    with running(clone, command) as address:
        request = urllib.request.Request(
            f"{address}/graphql",
            data=json.dumps({"query": LOADED}).encode(),
            headers={"Content-Type": "application/json"},
        )

        def loaded() -> bool:
            try:
                with urllib.request.urlopen(request, timeout=10) as response:
                    nodes = json.load(response)["data"]["assetNodes"]
            except OSError:
                return False
            return [node["assetKey"]["path"] for node in nodes] == [["sources", "inbox"]]

        wait_for(loaded, 90, lambda: (clone.parent / "output").read_text())


@contextmanager
def running(clone: Path, command: tuple[str, ...]) -> Iterator[str]:
    """Run a command that serves the UI; yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with (clone.parent / "output").open("wb") as output:
        process = subprocess.Popen(
            [BIN / command[0], *command[1:], str(port)],
            cwd=clone,
            env=environment(clone),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(30)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
