"""Plain Dagster commands in a fresh clone; loading the definitions creates nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dagster_commands import asset_nodes, serving
from tests.dagster_commands import command as run
from tests.test_project import copy_project
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

LOADED = "{ assetNodes { assetKey { path } } }"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of what is in git."""
    folder = tmp_path / "clone"
    copy_project(folder)
    return folder


def files(clone: Path) -> set[str]:
    return {str(path.relative_to(clone)) for path in clone.rglob("*")}


@pytest.mark.parametrize(
    "command",
    [
        ("dagster", "definitions", "validate"),
        pytest.param(
            ("dagster", "definitions", "validate", "-w", "workspace.yaml"), marks=pytest.mark.extended
        ),
        pytest.param(("dg", "check", "defs"), marks=pytest.mark.extended),
        pytest.param(("dg", "list", "defs"), marks=pytest.mark.extended),
    ],
    ids=" ".join,
)
def test_the_definitions_load_in_a_fresh_clone(clone: Path, command: tuple[str, ...]) -> None:
    before = files(clone)
    run(clone, *command)
    assert files(clone) == before


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("dg", "dev", "--port"), id="dg dev", marks=pytest.mark.extended),
        pytest.param(
            ("dagster", "dev", "-w", "workspace.yaml", "-p"), id="dagster dev", marks=pytest.mark.extended
        ),
    ],
)
def test_the_ui_starts_in_a_fresh_clone(clone: Path, command: tuple[str, ...]) -> None:
    with serving(clone, *command) as address:
        output = clone.parent / "output"
        wait_for(lambda: list(asset_nodes(address, LOADED)) == ["sources/inbox"], 90, output.read_text)
