"""Tests of what docduck uses of Dagster beyond its public API."""

from pathlib import Path
from typing import Any

import dagster._grpc.client
import dagster._grpc.server_watcher
import pytest
from dagster import DagsterInstance
from dagster._core.storage.event_log.sqlite import sqlite_event_log
from dagster._core.storage.runs.sqlite import sqlite_run_storage
from dagster._core.storage.schedules.sqlite import sqlite_schedule_storage

from dagster_docduck.orchestration.instance import prepare
from dagster_docduck.orchestration.private_dagster import POLL_SECONDS, keep_engines, poll_rarely
from docduck.settings import Settings


def test_dagster_polls_a_code_server_at_the_interval_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    client, watcher = dagster._grpc.client, dagster._grpc.server_watcher
    monkeypatch.setattr(client, "CLIENT_HEARTBEAT_INTERVAL", client.CLIENT_HEARTBEAT_INTERVAL)
    monkeypatch.setattr(watcher, "WATCH_INTERVAL", watcher.WATCH_INTERVAL)
    poll_rarely()
    assert client.CLIENT_HEARTBEAT_INTERVAL == watcher.WATCH_INTERVAL == POLL_SECONDS
    assert "CLIENT_HEARTBEAT_INTERVAL" in client.client_heartbeat_thread.__code__.co_names
    assert "WATCH_INTERVAL" in watcher.watch_grpc_server_thread.__code__.co_names


def test_sqlite_storages_keep_their_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (sqlite_event_log, sqlite_run_storage, sqlite_schedule_storage):
        monkeypatch.setattr(module, "create_engine", module.create_engine)
    settings = Settings(home=tmp_path)
    prepare(settings)
    keep_engines()
    with DagsterInstance.from_config(str(settings.dagster_home)) as instance:
        storages: list[Any] = [instance.run_storage, instance.schedule_storage]
        events: Any = instance.event_log_storage
        for connect in (*(storage.connect for storage in storages), events.index_connection):
            with connect() as first:
                pass
            with connect() as second:
                assert second.engine is first.engine
            assert first.closed
