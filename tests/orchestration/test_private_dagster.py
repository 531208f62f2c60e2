"""What docduck uses of Dagster beyond its public API, and how they depend on each other's names."""

from __future__ import annotations

import multiprocessing
import re
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import dagster._grpc.client
import dagster._grpc.server_watcher
import psutil
import pytest
from dagster._core.code_pointer import load_python_module
from dagster._core.definitions.assets.job.asset_job import IMPLICIT_ASSET_JOB_NAME
from dagster._core.storage.tags import RUN_FAILURE_REASON_TAG
from dagster._grpc.server import GrpcServerProcess
from dagster._utils import safe_tempfile_path_unmanaged

from dagster_docduck.orchestration import definitions
from dagster_docduck.private_dagster import POLL_SECONDS, poll_rarely, use_server_folder
from docduck.cli.runtime.addresses import LONGEST_SOCKET_PATH, server_folder
from docduck.extraction.jobs import heavy_imports
from docduck.service.core.installation import Installation
from docduck.service.runs import dagster_api, processing_runs
from docduck.service.runs.processing_runs import SERVER_FOLDER
from docduck.workers.fork_server import fork_server
from tests.orchestration.parts import repository


def test_dagster_polls_a_code_server_at_the_interval_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    client, watcher = dagster._grpc.client, dagster._grpc.server_watcher
    monkeypatch.setattr(client, "CLIENT_HEARTBEAT_INTERVAL", client.CLIENT_HEARTBEAT_INTERVAL)
    monkeypatch.setattr(watcher, "WATCH_INTERVAL", watcher.WATCH_INTERVAL)
    poll_rarely()
    assert client.CLIENT_HEARTBEAT_INTERVAL == watcher.WATCH_INTERVAL == POLL_SECONDS
    assert "CLIENT_HEARTBEAT_INTERVAL" in client.client_heartbeat_thread.__code__.co_names
    assert "WATCH_INTERVAL" in watcher.watch_grpc_server_thread.__code__.co_names


def test_dagster_s_servers_have_their_sockets_in_the_folder_that_is_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", tempfile.tempdir)
    monkeypatch.setenv(SERVER_FOLDER, str(tmp_path))
    use_server_folder()
    socket = Path(safe_tempfile_path_unmanaged())
    assert socket.parent == tmp_path
    assert len(socket.name) == len("tmp00000000")
    assert "safe_tempfile_path_unmanaged" in GrpcServerProcess.start_server_process.__code__.co_names
    home = Path("/" + "h" * (LONGEST_SOCKET_PATH - len("//run/servers/tmp00000000.sock")))
    assert server_folder(home) == home / "run" / "servers"
    assert server_folder(Path(f"{home}h")).is_relative_to(tmp_path)


@pytest.mark.parametrize("name", ["_RUNS", "_TAGS", "_LAUNCH"])
def test_the_queries_fit_dagster_s_schema(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dagster_graphql.schema import create_schema
        from graphql import parse, validate

        assert validate(create_schema().graphql_schema, parse(getattr(dagster_api, name))) == []


def test_the_jobs_are_named_alike_on_both_sides(shop: Installation) -> None:
    jobs = {job.name for job in repository(shop).get_all_jobs()}
    assert processing_runs.UPLOAD in jobs
    assert re.fullmatch("[a-z_]+", processing_runs.LOCATION)
    assert processing_runs.SELECTED_ASSETS == IMPLICIT_ASSET_JOB_NAME
    assert processing_runs.FAILURE_REASON_TAG == RUN_FAILURE_REASON_TAG


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
    defs: Any = definitions.defs
    defs.load_fn()
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
