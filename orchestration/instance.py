"""The Dagster instance of a home folder: its configuration, its storage, and runs that were cut off.

``python -m dagster_docduck.orchestration.instance`` prepares it before the first Dagster process starts.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml
from dagster import DagsterInstance, DagsterRunStatus, RunsFilter

from dagster_docduck.orchestration.runs import MONITOR_SECONDS
from dagster_docduck.private_dagster import GRPC_INFO_TAG
from docduck.errors import DocduckError
from docduck.service.processing.run_lock import RUN_START_SECONDS
from docduck.settings import Settings, read_settings

RUN_SECONDS = 14_400
"""Longest life of a run."""
KEEP_SKIPPED_TICKS_DAYS = 2
"""Of sensors, without a run."""

MARKER = "# Written by docduck at every start. Remove this line to keep your own changes.\n"
STORAGE = ("schedules", "history")
"""The folders of Dagster's SQLite storage."""

STARTED = [DagsterRunStatus.STARTING, DagsterRunStatus.STARTED, DagsterRunStatus.CANCELING]


def configuration(settings: Settings) -> dict[str, Any]:
    """Return the content of ``dagster.yaml``: https://docs.dagster.io/deployment/oss/dagster-yaml."""
    home = settings.dagster_home.absolute()
    config: dict[str, Any] = {
        "telemetry": {"enabled": False},
        "nux": {"enabled": False},
        "concurrency": {
            "runs": {"max_concurrent_runs": settings.max_concurrent_runs},
            "pools": {"granularity": "run", "default_limit": 1},
        },
        "run_retries": {"enabled": True},
        "run_coordinator": {
            "module": "dagster.core.run_coordinator",
            "class": "QueuedRunCoordinator",
            "config": {"dequeue_interval_seconds": 1},
        },
        "run_monitoring": {
            "enabled": True,
            "poll_interval_seconds": MONITOR_SECONDS,
            "start_timeout_seconds": RUN_START_SECONDS,
            "cancel_timeout_seconds": 60,
            "max_runtime_seconds": RUN_SECONDS,
        },
        "sensors": {"use_threads": True, "num_workers": 4},
        "schedules": {"use_threads": True, "num_workers": 2},
        "retention": {
            "sensor": {
                "purge_after_days": {
                    "skipped": KEEP_SKIPPED_TICKS_DAYS,
                    "success": int(settings.keep_runs_days) or 1,
                    "failure": int(settings.keep_runs_days) or 1,
                }
            },
            "schedule": {"purge_after_days": int(settings.keep_runs_days) or 1},
        },
        "compute_logs": {
            "module": "dagster.core.storage.local_compute_log_manager",
            "class": "LocalComputeLogManager",
            "config": {"base_dir": str(home / "storage")},
        },
    }
    if settings.dagster_postgres_url is not None:
        config["storage"] = {"postgres": {"postgres_url": {"env": "DOCDUCK_DAGSTER_POSTGRES_URL"}}}
    return config


def write_configuration(settings: Settings) -> Path:
    """Write ``dagster.yaml`` to Dagster's home, unless a user maintains it; return its path."""
    path = settings.dagster_home / "dagster.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text().startswith(MARKER):
        # Whole or not at all: what is left of a cut one would be taken for a user's own.
        new = path.with_name(f"{path.name}.new")
        new.write_text(MARKER + yaml.safe_dump(configuration(settings), sort_keys=False))
        new.replace(path)
    return path


def fail_orphaned_runs(instance: DagsterInstance) -> list[str]:
    """Mark runs as failed whose code server is gone; return their ids.

    Call it only while no code server of this home runs. Runs of launchers that execute elsewhere carry no
    code server's address and are left alone.
    """
    failed = []
    for run in instance.get_runs(filters=RunsFilter(statuses=STARTED)):
        if "socket" in json.loads(run.tags.get(GRPC_INFO_TAG, "{}")):
            instance.report_run_failed(run, "The run's worker ended together with docduck's code server.")
            failed.append(run.run_id)
    return failed


def prepare(settings: Settings) -> None:
    """Prepare Dagster's home for its processes.

    One process creates the storage: several that start on an empty home at once can leave it with two
    migration heads, which is beyond repair. It is created in a temporary folder and then moved, so that a
    process that is killed leaves no incomplete storage.
    """
    home = settings.dagster_home.absolute()
    configuration_file = write_configuration(settings)
    if settings.dagster_postgres_url is None and not (home / STORAGE[-1]).exists():
        with tempfile.TemporaryDirectory(dir=home, prefix=".new-") as name:
            new = Path(name)
            shutil.copy(configuration_file, new)
            with DagsterInstance.from_config(str(new)) as instance:
                _create_tables(instance)
            for folder in STORAGE:
                if not (home / folder).exists():
                    (new / folder).replace(home / folder)
    with DagsterInstance.from_config(str(home)) as instance:
        _create_tables(instance)
        failed = fail_orphaned_runs(instance)
    if failed:
        print(f"Marked {len(failed)} run(s) as failed that were cut off: {', '.join(failed)}")


def _create_tables(instance: DagsterInstance) -> None:
    """Make each storage create or upgrade its tables."""
    instance.get_runs_count()
    instance.all_instigator_state()
    instance.event_log_storage.get_maximum_record_id()


def main() -> int:
    """Prepare the environment's home; return the exit code."""
    try:
        prepare(read_settings())
    except DocduckError as error:
        print(error.message, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
