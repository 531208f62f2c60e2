"""What a run's process begins while its definitions are loaded."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import psutil
import pytest
from dagster._core.code_pointer import load_python_module

from dagster_docduck.orchestration import definitions
from docduck.extraction.jobs import heavy_imports
from docduck.workers.fork_server import fork_server


def _forking(home: Path) -> list[str]:
    module = load_python_module("dagster_docduck.orchestration.definitions", str(home))
    module.defs.load_fn()
    assert fork_server().alive
    return [" ".join(child.cmdline()) for child in psutil.Process().children()]


@pytest.mark.parametrize("is_child", [True, False])
def test_a_run_s_process_imports_beside_its_definitions_what_workers_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_child: bool
) -> None:
    begun: list[bool] = []
    monkeypatch.setenv("DOCDUCK_HOME", str(tmp_path))
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: is_child or None)
    monkeypatch.setattr(heavy_imports, "import_in_advance", lambda: begun.append(True))
    definitions.defs.load_fn()
    assert bool(begun) == is_child


@pytest.mark.extended
def test_a_process_that_was_spawned_has_a_fork_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCDUCK_HOME", str(tmp_path))
    monkeypatch.setenv("DOCDUCK_PIPELINE", str(tmp_path / "pipeline.yaml"))
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        children = pool.submit(_forking, tmp_path).result()
    assert ["fork_program" in child for child in children] == [True]
