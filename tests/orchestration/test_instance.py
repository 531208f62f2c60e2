from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from dagster import DagsterInstance, DagsterRunStatus, job, op
from dagster._core.instance.config import PoolGranularity
from dagster._core.run_coordinator import QueuedRunCoordinator

from dagster_docduck.orchestration.instance import (
    KEEP_SKIPPED_TICKS_DAYS,
    RUN_SECONDS,
    configuration,
    prepare,
    write_configuration,
)
from dagster_docduck.private_dagster import GRPC_INFO_TAG
from docduck.settings import Settings


@op
def nothing() -> None:
    pass


@job
def idle() -> None:
    nothing()


def open_instance(settings: Settings) -> DagsterInstance:
    return DagsterInstance.from_config(str(settings.dagster_home))


def test_dagster_takes_the_settings_and_stays_in_the_home(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    prepare(settings)
    prepare(settings.model_copy(update={"max_concurrent_runs": 3}))
    with open_instance(settings) as instance:
        assert instance.root_directory == str(tmp_path / "home" / "dagster")
        queue = instance.get_concurrency_config().run_queue_config
        assert queue is not None
        assert queue.max_concurrent_runs == 3
        pools = instance.get_concurrency_config().pool_config
        assert (pools.default_pool_limit, pools.pool_granularity) == (1, PoolGranularity.RUN)
        assert instance.run_retries_enabled
        assert instance.run_retries_max_retries == 0
        assert isinstance(instance.run_coordinator, QueuedRunCoordinator)
        assert instance.run_coordinator.dequeue_interval_seconds == 1
        assert instance.run_monitoring_enabled
        assert instance.run_monitoring_max_runtime_seconds == RUN_SECONDS
        assert not instance.telemetry_enabled
        skipped = instance.get_settings("retention")["sensor"]["purge_after_days"]["skipped"]
        assert skipped == KEEP_SKIPPED_TICKS_DAYS
    assert [path.name for path in tmp_path.iterdir()] == ["home"]
    own = tmp_path / "home" / "dagster" / "dagster.yaml"
    own.write_text("telemetry: {enabled: false}\n")
    prepare(settings)
    assert own.read_text() == "telemetry: {enabled: false}\n", "its user's own is kept"


def test_a_configuration_whose_writing_was_cut_off_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, write = Settings(home=tmp_path), Path.write_text

    def cut(path: Path, text: str) -> int:
        write(path, text[:5])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", cut)
        with pytest.raises(KeyboardInterrupt):
            write_configuration(settings)
    assert yaml.safe_load(write_configuration(settings).read_text()) == configuration(settings)


def test_the_password_of_a_database_is_not_written_down(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, dagster_postgres_url="postgresql+psycopg2://docduck:secret@db/dagster")
    storage = configuration(settings)["storage"]
    assert storage == {"postgres": {"postgres_url": {"env": "DOCDUCK_DAGSTER_POSTGRES_URL"}}}


def test_runs_cut_off_with_the_code_server_are_failed(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    prepare(settings)
    ours = {GRPC_INFO_TAG: json.dumps({"host": "localhost", "socket": "/tmp/code.sock"})}
    with open_instance(settings) as instance:
        begun = [
            instance.create_run_for_job(idle, status=status, tags=tags).run_id
            for status, tags in [
                (DagsterRunStatus.STARTED, ours),
                (DagsterRunStatus.STARTING, ours),
                (DagsterRunStatus.SUCCESS, ours),
                (DagsterRunStatus.NOT_STARTED, {}),
                (DagsterRunStatus.STARTED, {"dagster/launched-elsewhere": "yes"}),
            ]
        ]
    prepare(settings)
    with open_instance(settings) as instance:
        statuses = [run.status.value for run_id in begun if (run := instance.get_run_by_id(run_id))]
    assert statuses == ["FAILURE", "FAILURE", "SUCCESS", "NOT_STARTED", "STARTED"]


@pytest.mark.extended
def test_a_preparation_that_is_killed_leaves_nothing_half_made(tmp_path: Path) -> None:
    """Killed at any moment, the next one makes the storage whole, with one migration head."""
    settings = Settings(home=tmp_path)
    environment = {**os.environ, "DOCDUCK_HOME": str(tmp_path)}
    chance = random.Random(7)
    for _ in range(6):
        with subprocess.Popen(
            [sys.executable, "-m", "dagster_docduck.orchestration.instance"], env=environment
        ) as preparing:
            new = tmp_path / "dagster"
            while preparing.poll() is None and not (new.exists() and any(new.glob(".new-*"))):
                time.sleep(0.005)
            time.sleep(chance.random() * 1.5)
            preparing.kill()
    prepare(settings)
    for database in ("history/runs.db", "history/runs/index.db", "schedules/schedules.db"):
        with closing(sqlite3.connect(tmp_path / "dagster" / database)) as connection:
            assert len(connection.execute("SELECT * FROM alembic_version").fetchall()) == 1
