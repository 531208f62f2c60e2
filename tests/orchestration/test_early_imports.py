"""What a run's process begins while its definitions are loaded."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import psutil
import pytest
from dagster._core.code_pointer import load_python_module

from docduck.workers.fork_server import fork_server


def _forking(home: Path) -> list[str]:
    module = load_python_module("dagster_docduck.orchestration.definitions", str(home))
    module.defs.load_fn()
    assert fork_server().alive
    return [" ".join(child.cmdline()) for child in psutil.Process().children()]


def test_a_run_s_process_imports_beside_its_definitions_what_workers_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCDUCK_HOME", str(tmp_path))
    monkeypatch.setenv("DOCDUCK_PIPELINE", str(tmp_path / "pipeline.yaml"))
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        children = pool.submit(_forking, tmp_path).result()
    assert ["fork_program" in child for child in children] == [True]
