"""What a run's process begins before its definitions are loaded."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import psutil

import dagster_docduck.orchestration


def _forking() -> list[str]:
    assert dagster_docduck.orchestration.__name__
    return [" ".join(child.cmdline()) for child in psutil.Process().children()]


def test_a_run_s_process_imports_beside_its_definitions_what_workers_need() -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        children = pool.submit(_forking).result()
    assert any("fork_program" in child for child in children)
