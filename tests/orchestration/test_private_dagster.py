"""Tests of what docduck uses of Dagster beyond its public API."""

import dagster._grpc.client
import dagster._grpc.server_watcher
import pytest

from dagster_docduck.orchestration.private_dagster import POLL_SECONDS, poll_rarely


def test_dagster_polls_a_code_server_at_the_interval_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    client, watcher = dagster._grpc.client, dagster._grpc.server_watcher
    monkeypatch.setattr(client, "CLIENT_HEARTBEAT_INTERVAL", client.CLIENT_HEARTBEAT_INTERVAL)
    monkeypatch.setattr(watcher, "WATCH_INTERVAL", watcher.WATCH_INTERVAL)
    poll_rarely()
    assert client.CLIENT_HEARTBEAT_INTERVAL == watcher.WATCH_INTERVAL == POLL_SECONDS
    assert "CLIENT_HEARTBEAT_INTERVAL" in client.client_heartbeat_thread.__code__.co_names
    assert "WATCH_INTERVAL" in watcher.watch_grpc_server_thread.__code__.co_names
